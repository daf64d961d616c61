"""The newest configuration of each task, and the targets of each round, taken from annotation's events."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from dynabench_common.events.cloud_events import Event
from dynabench_common.events.facts import Facts, Row, copied, values_of, write_facts
from dynabench_events import recorded
from dynabench_events.person import PersonDeleted
from dynabench_events.task import RoundCreated, RoundStateChanged, RoundTargetsChanged, TaskCreated
from dynabench_tasks.rounds import RoundState
from sqlalchemy import Connection, select
from sqlalchemy.dialects.postgresql import insert

from registry.adapters.tables import round_, submission, task, webhook_call
from registry.domain.errors import TaskUnknown
from registry.domain.submission import LoopRound

TOPICS = ("dynabench.task.v1", "dynabench.person.v1")
IN_THE_LOOP = (RoundState.DRAFT, RoundState.OPEN, RoundState.PAUSED)
IS_IN_THE_LOOP = round_.c.state.in_([state.value for state in IN_THE_LOOP])


def _configured(created: TaskCreated) -> Row:
    """Return a task's configuration; the newest version counts, also if events arrive out of order."""
    return {
        **values_of(created, "task_id", "slug", "configuration"),
        "fact_version": created.configuration_version,
    }


def _drafted(created: RoundCreated) -> Row:
    return {"round_id": created.round_id, "state": RoundState.DRAFT}


FACTS = Facts(
    (TaskCreated, task.c.fact_version, _configured),
    (RoundCreated, round_.c.targets_version, copied("round_id", "targets")),
    (RoundCreated, round_.c.state_version, _drafted),
    (RoundTargetsChanged, round_.c.targets_version, copied("round_id", "targets")),
    (RoundStateChanged, round_.c.state_version, copied("round_id", "state")),
)
ACCEPTED = (*FACTS.event_types, PersonDeleted)


class SqlTasks:
    """Tasks by their names, and their rounds."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def configuration(self, slug: str) -> Mapping[str, Any]:
        """Return a task's configuration. Raises TaskUnknown."""
        found = self._connection.execute(
            select(task.c.configuration).where(task.c.slug == slug)
        ).scalar_one_or_none()
        if found is None:
            raise TaskUnknown(slug)
        return dict(found)

    def rounds_with(self, target: str) -> Sequence[LoopRound]:
        """Return the rounds in draft, open or paused that have a model among their targets."""
        statement = (
            select(round_.c.round_id, round_.c.state, task.c.slug.label("task_slug"), round_.c.number)
            .outerjoin(task, task.c.task_id == round_.c.task_id)
            .where(IS_IN_THE_LOOP, round_.c.targets.contains([target]))
            .order_by(round_.c.round_id)
        )
        return [LoopRound(**row) for row in self._connection.execute(statement).mappings()]


class TaskProjection:
    """Keeps tasks' configurations and the target models of rounds; a worker's consumer calls it.

    It also removes the webhooks of people who deleted their accounts.
    """

    def apply(self, connection: Connection, events: Sequence[Event]) -> None:
        """Write what the events say, over older versions alone. Raises PermanentEventError."""
        read = [recorded(event) for event in events]
        facts = [event for event in read if not isinstance(event.record, PersonDeleted)]
        write_facts(connection, FACTS.newest(facts))
        for event in read:
            if isinstance(event.record, RoundCreated):
                _keep_name(connection, event.record)
            if isinstance(event.record, PersonDeleted):
                _remove_webhooks(connection, event.record.person_id)


def targets_in_the_loop(connection: Connection) -> frozenset[str]:
    """Return the names of the models that rounds in progress, or about to begin, have as targets."""
    found = connection.execute(select(round_.c.targets).where(IS_IN_THE_LOOP))
    return frozenset(name for targets in found.scalars() for name in targets or ())


def _keep_name(connection: Connection, begun: RoundCreated) -> None:
    """Write which round of which task it is, which never changes."""
    name = {"task_id": begun.task_id, "number": begun.number}
    statement = insert(round_).values(round_id=begun.round_id, **name)
    connection.execute(statement.on_conflict_do_update(index_elements=["round_id"], set_=name))


def _remove_webhooks(connection: Connection, person_id: UUID) -> None:
    own = submission.c.submitted_by == person_id
    calls = webhook_call.c.submission_id.in_(select(submission.c.submission_id).where(own))
    connection.execute(webhook_call.delete().where(calls))
    connection.execute(submission.update().where(own).values(webhook_url=None, webhook_secret=None))
