"""Exact responses on a GPU, and the twins of its kernels for a processor."""
