"""How the service is started and reached."""
