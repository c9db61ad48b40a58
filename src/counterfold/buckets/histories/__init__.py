"""Buckets whose cuts depend on the buckets so far, fitted by walks over all flops."""
