"""Search in play: a bot that re-solves the last street with the real pot, bets and ranges."""
