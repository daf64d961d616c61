"""Ranking of models: scores by two rules, and the certainty of their order. Pure maths."""
