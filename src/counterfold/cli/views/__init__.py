"""What commands print of one kind of result, where a command has several."""
