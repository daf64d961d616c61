"""Training: the guidelines, consent, practice and quiz before work in a task; and its results, for owners."""
