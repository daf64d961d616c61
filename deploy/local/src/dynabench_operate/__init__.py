"""Operation of a whole installation: take, verify and restore a backup, and run the operator's checks."""
