"""Notifications about one's work: their list, and unsubscribing from their mails."""
