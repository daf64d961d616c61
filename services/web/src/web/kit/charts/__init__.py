"""Charts drawn on the server as SVG, each with the table of its numbers."""
