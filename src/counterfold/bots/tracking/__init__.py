"""Ranges of bots, followed through a hand for all hands of the deck at once."""
