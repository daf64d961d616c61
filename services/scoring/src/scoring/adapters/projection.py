"""Projection of other services' events into facts. Everything else is derived from the facts on request.

The projection also searches the texts for canaries: made-up words of hidden datasets. A found one shows that the
dataset has leaked.
"""

from collections.abc import Sequence
from itertools import chain

from dynabench_common.events import Event
from dynabench_events import recorded_parts
from sqlalchemy import Connection

from scoring.adapters.canary_store import SqlCanaries
from scoring.adapters.facts import read_facts, write_facts
from scoring.adapters.written_texts import sightings


class FactProjection:
    """Keeps what the log says about tasks, rounds, examples and votes."""

    def apply(self, connection: Connection, events: Sequence[Event]) -> None:
        """Write the events' facts, and note leaks. Raises PermanentEventError."""
        recorded = list(chain.from_iterable(map(recorded_parts, events)))
        write_facts(connection, read_facts(recorded))
        SqlCanaries(connection).note(sightings(event.record for event in recorded))
