"""Hands as vectors: the sequences of a seat, and passes over all pairs of hands at once."""
