"""Targets that stopped answering, as the registry reports them, and the affected rounds."""

from collections.abc import Sequence
from typing import Any

from dynabench_common.events.cloud_events import Event
from dynabench_events import message_types, recorded
from dynabench_events.model import TargetAnswersAgain, TargetStoppedAnswering
from dynabench_tasks.rounds import RoundState
from sqlalchemy import Connection, Row, any_, select
from sqlalchemy.dialects.postgresql import insert

from annotation.adapters.tables import round_, target_outage
from annotation.domain.identifiers import RoundId
from annotation.domain.target import FailingTarget

OUTAGE_TOPICS = ("dynabench.model.v1",)


class OutageProjection:
    """The projection that stores the newest report on each target; an older event never replaces a newer one."""

    accepts = message_types((TargetStoppedAnswering, TargetAnswersAgain))

    def apply(self, connection: Connection, events: Sequence[Event]) -> None:
        """Take events in, in any order. Raises PermanentEventError for one that can't be read."""
        for event in map(recorded, events):
            match event.record:
                case TargetStoppedAnswering() as stopped:
                    said = {"since": stopped.since, "reason": stopped.reason}
                    _keep(connection, stopped.serving_name, event.version, said)
                case TargetAnswersAgain() as again:
                    _keep(connection, again.serving_name, event.version, {"since": None, "reason": ""})


def _keep(connection: Connection, target: str, version: int, said: dict[str, Any]) -> None:
    statement = insert(target_outage).values(target=target, version=version, **said)
    connection.execute(
        statement.on_conflict_do_update(
            index_elements=["target"],
            set_={"version": version, **said},
            where=target_outage.c.version < version,
        )
    )


class SqlOutages:
    """Targets that have stopped answering."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def in_open_rounds(self) -> list[FailingTarget]:
        """Return those that are targets of open rounds, each with its rounds."""
        rows = self._connection.execute(
            select(target_outage, round_.c.round_id)
            .join(round_, target_outage.c.target == any_(round_.c.targets))
            .where(target_outage.c.since.is_not(None), round_.c.state == RoundState.OPEN)
            .order_by(target_outage.c.target, round_.c.round_id)
        ).all()
        found: dict[str, list[Row[Any]]] = {}
        for row in rows:
            found.setdefault(row.target, []).append(row)
        return [
            FailingTarget(target, of[0].since, of[0].reason, tuple(RoundId(row.round_id) for row in of))
            for target, of in found.items()
        ]

    def is_failing(self, target: str) -> bool:
        """Return whether a target has stopped answering, according to its newest report."""
        chosen = select(target_outage.c.since).where(target_outage.c.target == target)
        return self._connection.execute(chosen).scalar_one_or_none() is not None
