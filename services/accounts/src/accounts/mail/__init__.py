"""Outgoing mail: its texts in each language, its queue, its senders and its delivery."""
