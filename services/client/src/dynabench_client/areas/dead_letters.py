"""What a service could not take in."""

from dynabench_client.connection import Area
from dynabench_client.results.base import Page
from dynabench_client.results.dead_letters import DeadLetters


class DeadLettersClient(Area):
    """The part that the clients of all services that read events share."""

    def dead_letters(self) -> tuple[DeadLetters, ...]:
        """Count the events that the service set aside, by topic and consumer."""
        return self._get("/dead-letters", Page[DeadLetters]).items
