"""Rules and state: items and their variants, answers, metrics, evaluations. Pure; adapters fetch and store."""
