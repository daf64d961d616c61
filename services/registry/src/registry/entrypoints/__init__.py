"""How the registry is started and reached."""
