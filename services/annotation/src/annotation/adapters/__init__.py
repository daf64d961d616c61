"""The outside world behind the service layer's ports."""
