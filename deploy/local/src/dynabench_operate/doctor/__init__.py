"""The operator's checks: whether stores are there, of a version that will do, and as services need them."""
