"""Probes and inspections in PostgreSQL: the people and the targets they looked into, never the text."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, bindparam, func, select

from annotation.adapters import tables
from annotation.domain.example import Example, ProbeCounts
from annotation.domain.identifiers import InspectionId, PersonId, ProbeId, RoundId

COUNTS = select(
    *(
        select(func.count())
        .where(of.c.round_id == bindparam("round_id"), of.c.person_id == bindparam("person_id"))
        .scalar_subquery()
        for of in (tables.probe, tables.inspection)
    )
)


class SqlProbes:
    """People's probes of targets outside their tries."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add_probes(
        self,
        probe_ids: Sequence[ProbeId],
        round_id: RoundId,
        person_id: PersonId,
        targets: Sequence[str],
        now: datetime,
    ) -> None:
        """Count probes of the same targets."""
        probe = {"round_id": round_id, "person_id": person_id, "targets": list(targets), "probed_at": now}
        self._connection.execute(
            tables.probe.insert(), [{"probe_id": probe_id, **probe} for probe_id in probe_ids]
        )

    def add_inspection(
        self,
        inspection_id: InspectionId,
        example: Example,
        person_id: PersonId,
        target: str,
        now: datetime,
    ) -> None:
        """Count one inspection."""
        self._connection.execute(
            tables.inspection.insert().values(
                inspection_id=inspection_id,
                round_id=example.attempt.round_id,
                person_id=person_id,
                example_id=example.example_id,
                target=target,
                inspected_at=now,
            )
        )

    def count(self, round_id: RoundId, person_id: PersonId) -> ProbeCounts:
        """Return how often a person probed in a round."""
        parameters = {"round_id": round_id, "person_id": person_id}
        return ProbeCounts(*self._connection.execute(COUNTS, parameters).one())
