"""Practice: a few texts of a task to answer before one writes, each with what a model said and why. Stores nothing."""
