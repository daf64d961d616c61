"""Projection of other services' events into facts. Everything else is derived from the facts on request.

The projection also searches the texts for canaries: made-up words of hidden datasets. A found one shows that the
dataset has leaked.
"""

from collections.abc import Callable, Sequence
from itertools import chain

from dynabench_common.events.cloud_events import Event
from dynabench_common.events.consumer import Projection
from dynabench_common.events.facts import write_facts
from dynabench_common.events.rebuilding import ensure_log_has_events, holds_anything, take_hold
from dynabench_events import recorded_parts
from evaluation.adapters.canary_store import SqlCanaries
from evaluation.adapters.written_texts import sightings
from sqlalchemy import Connection, Engine

from scoring.adapters.confirmed_errors import SqlConfirmedErrors
from scoring.adapters.facts import FACTS
from scoring.adapters.tables import COPIES, inbox

ReplayLog = Callable[[Connection, Projection], int]


class FactProjection:
    """Facts of tasks, rounds, examples and votes, and the validated errors among the examples."""

    def apply(self, connection: Connection, events: Sequence[Event]) -> None:
        """Write the events' facts, and note leaks. Raises PermanentEventError."""
        recorded = list(chain.from_iterable(map(recorded_parts, events)))
        write_facts(connection, FACTS.newest(recorded))
        records = [event.record for event in recorded]
        SqlConfirmedErrors(connection).update(records)
        SqlCanaries(connection).note(sightings(records))


def rebuild(engine: Engine, replay_log: ReplayLog) -> int:
    """Rebuild all facts from the log and return the number of events applied.

    Releases, datasets and their keys are scoring's own and stay. It is one transaction: readers see the old facts until
    it commits and nothing is published. Raises LogIsEmpty or AnotherRebuildRuns, and then changes nothing.
    """
    with engine.begin() as connection:
        take_hold(connection)
        had_rows = holds_anything(connection, (inbox, *COPIES))
        for table in (*COPIES, inbox):
            connection.execute(table.delete())
        applied = replay_log(connection, FactProjection())
        ensure_log_has_events(applied, had_rows=had_rows)
        return applied
