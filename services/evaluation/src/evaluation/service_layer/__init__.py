"""Evaluating models: datasets are prepared, evaluations requested, shards answered, scores computed."""
