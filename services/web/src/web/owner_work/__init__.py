"""Open work of a task's owner: examples to decide, validators, known answers."""
