"""How rounds go, for those who look after them: one in full, and all in a list."""
