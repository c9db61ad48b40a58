"""Walks of training over a board with all of its hands, along the lines of the betting."""
