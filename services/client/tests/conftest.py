"""The stub platform's fixtures."""

from services.client.tests.stub_platform import stub, tell_problem, told

__all__ = ["stub", "tell_problem", "told"]
