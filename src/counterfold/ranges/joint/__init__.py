"""Passes over joint tables: what a pair of card sequences is worth, as matrix products."""
