"""Tasks, rounds, contexts and examples: the write path with models in the loop."""
