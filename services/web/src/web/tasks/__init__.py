"""The page of a task."""
