"""Operator's checks: existence, version and set-up of the stores."""
