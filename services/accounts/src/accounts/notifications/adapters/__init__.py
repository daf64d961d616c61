"""The tables of notices, the projection from the log to them, and the check of goals."""
