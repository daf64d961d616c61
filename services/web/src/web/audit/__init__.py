"""Audit log of actions on other people's work: the actor, the action, the time and the reason."""
