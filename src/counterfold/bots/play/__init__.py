"""A person who plays a bot: sessions, what the table says, scores, grades of decisions."""
