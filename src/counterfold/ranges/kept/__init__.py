"""What solvers of spots leave for the next question: betting trees, tables, solved boards."""
