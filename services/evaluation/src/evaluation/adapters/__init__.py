"""Tables, files, and the gateway."""
