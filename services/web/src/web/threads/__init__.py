"""The conversation about an example, between its author and the owners of its task."""
