"""What training leaves: strategies of public games, and what can be asked of them."""
