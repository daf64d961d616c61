"""The HTTP interface, which scoring serves."""
