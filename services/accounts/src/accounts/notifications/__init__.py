"""Notifications of a person about their work, on pages and by mail. They ask identity by `recipients` alone."""
