"""Handlers of a person's own notices, and the mails that report notices."""
