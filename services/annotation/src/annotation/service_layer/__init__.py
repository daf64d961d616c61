"""What the service can be told to do: one handler per command."""
