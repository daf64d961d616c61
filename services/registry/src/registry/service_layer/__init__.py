"""One pass of the reconciler, and what it tells others."""
