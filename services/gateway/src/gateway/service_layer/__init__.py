"""Request handling of the gateway, over ports."""
