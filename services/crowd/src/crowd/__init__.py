"""Crowd: campaigns that recruit people through crowd platforms, their assignments, and their pay."""
