"""What a dataset is, as pure functions: rows, splits, card, Croissant and measurements."""
