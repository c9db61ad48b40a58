"""The public game of a variant under a menu: graph, information sets, deals, boards."""
