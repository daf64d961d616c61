"""Routes; the processes are those of scoring."""
