"""An issuer of sign-ins, for tests."""
