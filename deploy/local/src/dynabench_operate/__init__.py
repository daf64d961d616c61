"""What an operator does with a whole installation: back it up, verify a backup, restore it, examine it."""
