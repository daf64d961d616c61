"""Operator's checks: whether the stores exist, have a supported version, and are set up as services need them."""
