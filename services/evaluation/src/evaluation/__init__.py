"""Evaluations of models on datasets, as a library of the scoring service's processes."""
