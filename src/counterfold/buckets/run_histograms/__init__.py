"""Boards that another card follows: histograms of strength at the end, and clusters of them."""
