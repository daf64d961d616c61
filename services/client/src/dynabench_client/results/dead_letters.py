"""Results about events that a service could not take in."""

from datetime import datetime

from dynabench_client.results.base import Result


class DeadLetters(Result):
    """How many events of a topic a consumer set aside, and why the newest one was."""

    topic: str = ""
    consumer: str = ""
    count: int = 0
    newest_at: datetime | None = None
    newest_reason: str = ""
