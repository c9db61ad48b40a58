"""How much can be won from a bot."""
