"""Reports about public examples, and hidden examples, in PostgreSQL."""

from collections.abc import Callable, Iterable
from datetime import datetime
from uuid import UUID

from dynabench_common.events.audit import Action, action_taken
from dynabench_common.events.outbox import OutboxMessage
from dynabench_common.identifiers import new_id
from dynabench_common.work.locks import wait_for_lock
from sqlalchemy import Connection, Engine, select
from sqlalchemy.dialects.postgresql import insert

from scoring.adapters.public_examples import are_public
from scoring.adapters.tables import example, example_report, hidden_example, task_configuration
from scoring.domain.errors import PublicExampleUnknown
from scoring.domain.moderation import Decision, ModeratedExample, Report

Record = Callable[[Iterable[OutboxMessage]], None]


class SqlModeration:
    """Reports, hidden examples, and the audit entries of decisions about them."""

    def __init__(self, connection: Connection, record: Record) -> None:
        self._connection = connection
        self._record = record

    def example(self, example_id: UUID) -> ModeratedExample:
        """Return an example, public or not. Raises PublicExampleUnknown."""
        configured = task_configuration.c
        slug = (
            select(configured.slug)
            .where(configured.task_id == example.c.task_id)
            .order_by(configured.configuration_version.desc())
            .limit(1)
            .scalar_subquery()
        )
        row = self._connection.execute(
            select(
                example.c.example_id, example.c.task_id, slug.label("slug"), example.c.round_id, example.c.author_id
            ).where(example.c.example_id == example_id, example.c.created_version.is_not(None))
        ).one_or_none()  # fmt: skip
        if row is None or row.slug is None:
            raise PublicExampleUnknown
        return ModeratedExample(*row)

    def is_public(self, example_id: UUID) -> bool:
        """Return whether anybody may read the example."""
        return example_id in are_public(self._connection, [example_id])

    def lock(self, person_id: UUID) -> None:
        """Let other reports of the person wait until this one is stored."""
        wait_for_lock(self._connection, "reports", person_id)

    def replace_report(self, example_id: UUID, person_id: UUID, reason: str) -> Report | None:
        """Give the person's open report about the example another reason; None if there is none."""
        row = self._connection.execute(
            example_report.update()
            .where(
                example_report.c.example_id == example_id,
                example_report.c.reported_by == person_id,
                example_report.c.closed_at.is_(None),
            )
            .values(reason=reason)
            .returning(example_report.c.reported_at)
        ).one_or_none()
        return None if row is None else Report(example_id, reason, row.reported_at)

    def reported_since(self, person_id: UUID, moment: datetime) -> list[datetime]:
        """Return when the person reported anything since then, the earliest first."""
        found = (
            select(example_report.c.reported_at)
            .where(example_report.c.reported_by == person_id, example_report.c.reported_at > moment)
            .order_by(example_report.c.reported_at)
        )
        return list(self._connection.execute(found).scalars())

    def add_report(self, about: ModeratedExample, person_id: UUID, report: Report) -> None:
        """Store a report."""
        self._connection.execute(
            example_report.insert().values(
                report_id=new_id(),
                example_id=about.example_id,
                task_id=about.task_id,
                reported_by=person_id,
                reported_at=report.reported_at,
                reason=report.reason,
            )
        )

    def hide(
        self, about: ModeratedExample, person_id: UUID, reason: str, now: datetime, *, by_author: bool
    ) -> bool:
        """Hide an example; return False if the author, or an owner, hides it already."""
        statement = insert(hidden_example).values(
            example_id=about.example_id,
            by_author=by_author,
            round_id=about.round_id,
            hidden_by=person_id,
            hidden_at=now,
            reason=reason,
        )
        return self._connection.execute(statement.on_conflict_do_nothing()).rowcount > 0

    def show(self, example_id: UUID, *, by_author: bool) -> bool:
        """End the author's or the owners' hiding; return False if there is none."""
        statement = hidden_example.delete().where(
            hidden_example.c.example_id == example_id, hidden_example.c.by_author == by_author
        )
        return self._connection.execute(statement).rowcount > 0

    def is_hidden(self, example_id: UUID) -> bool:
        """Return whether the author or an owner hides the example."""
        found = select(1).where(hidden_example.c.example_id == example_id).limit(1)
        return self._connection.execute(found).scalar_one_or_none() is not None

    def close_reports(
        self, example_id: UUID, decision: Decision, person_id: UUID, reason: str, now: datetime
    ) -> int:
        """Close the open reports about an example, and return their number."""
        statement = (
            example_report.update()
            .where(example_report.c.example_id == example_id, example_report.c.closed_at.is_(None))
            .values(closed_at=now, closed_by=person_id, decision=decision, decision_reason=reason)
        )
        return self._connection.execute(statement).rowcount

    def audit(
        self,
        action: str,
        about: ModeratedExample,
        person_id: UUID,
        reason: str,
        now: datetime,
        closed: int = 0,
    ) -> None:
        """Record what an owner did with the example of another person."""
        entry = Action(
            action=action,
            actor_id=person_id,
            object_kind="example",
            object_id=about.example_id,
            task_slug=about.task_slug,
            round_id=about.round_id,
            reason=reason,
            details={"reports": str(closed)} if closed else {},
        )
        self._record([action_taken(entry, now)])


def hidden_in(engine: Engine, round_id: UUID) -> frozenset[str]:
    """Return the ids of the hidden examples of a round."""
    found = select(hidden_example.c.example_id).where(hidden_example.c.round_id == round_id)
    with engine.connect() as connection:
        return frozenset(map(str, connection.execute(found).scalars()))
