"""Rules and state of annotation, on the standard library alone."""
