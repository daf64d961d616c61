"""Rounds and their tasks, as annotation published them."""

from dataclasses import dataclass
from uuid import UUID

from dynabench_tasks.rounds import RoundState
from sqlalchemy import Connection, func, select

from crowd.adapters.tables import round_, task_configuration
from crowd.domain.errors import RoundUnknown


@dataclass(frozen=True)
class Round:
    """A round with the name and title of its task."""

    round_id: UUID
    task_id: UUID
    task_slug: str
    task_title: str
    state: str


class SqlRounds:
    """Known rounds."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(self, round_id: UUID) -> Round:
        """Return a round. Raises RoundUnknown, also while its task is unknown."""
        newest = task_configuration.c
        row = self._connection.execute(
            select(
                round_.c.round_id,
                round_.c.task_id,
                newest.slug,
                newest.title,
                func.coalesce(round_.c.state, RoundState.DRAFT.value),
            )
            .join(task_configuration, newest.task_id == round_.c.task_id)
            .where(round_.c.round_id == round_id)
            .order_by(newest.configuration_version.desc())
            .limit(1)
        ).one_or_none()
        if row is None:
            raise RoundUnknown
        return Round(*row)
