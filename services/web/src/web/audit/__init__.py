"""Who did what to others' work, when and why."""
