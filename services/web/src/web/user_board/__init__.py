"""People ranked by what they found: in a task, and in each of its rounds."""
