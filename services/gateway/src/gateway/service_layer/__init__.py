"""What the gateway does with a request, over ports."""
