"""Practice: a few texts of a task to answer before writing, each with a model's answer and reason. Stores nothing."""
