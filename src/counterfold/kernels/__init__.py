"""Numba functions over flat arrays and scalars; they know no class of ours."""
