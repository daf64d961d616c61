"""Evaluating models: items and their variants, answers, metrics. Pure; what fetches and stores stands elsewhere."""
