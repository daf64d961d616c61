"""One pass of the reconciler, and its reports."""
