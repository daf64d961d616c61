"""What should be served, what is, and the steps between; no input or output."""
