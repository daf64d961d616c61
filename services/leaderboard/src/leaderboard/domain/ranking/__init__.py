"""How models are ranked: scores by two rules, and what is certain of their order. Pure maths."""
