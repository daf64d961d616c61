"""Events of the other services into facts; everything else is read off the facts when it is asked for."""

from collections.abc import Sequence

from dynabench_common.events import Event
from sqlalchemy import Connection

from scoring.adapters.facts import read_facts, write_facts


class FactProjection:
    """Keeps what the log says about tasks, rounds, examples and votes."""

    def apply(self, connection: Connection, events: Sequence[Event]) -> None:
        """Write the events' facts. Raises PermanentEventError."""
        write_facts(connection, read_facts(events))
