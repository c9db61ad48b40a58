"""Solving spots: what one will cost, the run and its folder, and what is shown of the result."""
