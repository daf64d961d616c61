"""What waits for a task's owner: examples to decide, validators, known answers."""
