"""Tables, events, files and the object store."""
