"""A task's configuration: its contents, and the reading of an untrusted document."""
