"""Notifications about a person's work: the list, and unsubscribing from mails."""
