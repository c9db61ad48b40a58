"""Local best responses played step by step, where bots have more to hide than two cards."""
