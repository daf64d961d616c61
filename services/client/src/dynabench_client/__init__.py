"""Python SDK of Dynabench: one client class per service, typed results, two exceptions."""

from dynabench_client.errors import ProblemError, UnexpectedAnswerError, UnreachableError
from dynabench_client.platform import Dynabench
from dynabench_client.retries import NO_RETRIES, RetryPolicy

__all__ = [
    "NO_RETRIES",
    "Dynabench",
    "ProblemError",
    "RetryPolicy",
    "UnexpectedAnswerError",
    "UnreachableError",
]
