"""Hands of similar strength in one bucket: k-means, the bucketings by it, opponent clusters."""
