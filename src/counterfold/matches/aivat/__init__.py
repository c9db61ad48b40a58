"""AIVAT: what was won less luck that can be computed, with the same mean and less variance."""
