"""Models of a task."""
