"""Rates and figures of rounds, derived from the events of the other services."""
