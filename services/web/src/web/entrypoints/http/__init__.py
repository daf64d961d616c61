"""The pages, one module per area."""
