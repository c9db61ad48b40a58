"""The page that `counterfold serve` shows: a view over the other rooms, over HTTP."""
