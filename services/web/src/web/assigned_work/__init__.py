"""Work that owners assign to people: tries on a topic or on some contexts, and examples to check."""
