"""From a recipe to a strategy: plan, cost, solvers, the loop, the folder of a run."""
