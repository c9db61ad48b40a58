"""Counts over all boards on a GPU, and their twins for a processor."""
