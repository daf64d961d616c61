"""How the gateway is started and reached."""
