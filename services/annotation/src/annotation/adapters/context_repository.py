"""Contexts and assignments in PostgreSQL."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from dynabench_common.database.bulk import as_document, insert_rows
from dynabench_common.events.outbox import outbox_message
from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from sqlalchemy import Connection, Select, and_, bindparam, exists, func, not_, select
from sqlalchemy.dialects.postgresql import insert

from annotation.adapters import tables
from annotation.adapters.next_context import NextContext
from annotation.adapters.rows import to_assignment
from annotation.adapters.task_repository import Record
from annotation.domain.assignment import Assignment, Place
from annotation.domain.context import Context, NewContext, UsedContext
from annotation.domain.errors import NotFound
from annotation.domain.identifiers import ContextId, PersonId, RoundId

OPTIMISTIC_WALKS = 4
GIVEN = (
    "context_id", "round_id", "fields", "tags", "fingerprint", "use_count", "foolings", "is_withdrawn", "version",
)  # fmt: skip
INSERT = insert_rows(tables.context, GIVEN)
CONTEXT = select(tables.context).where(tables.context.c.context_id == bindparam("context"))
COUNT_FOOLING = (
    tables.context.update()
    .where(tables.context.c.context_id == bindparam("context"))
    .values(foolings=tables.context.c.foolings + bindparam("change"))
)
OF_PERSON = and_(
    tables.assignment.c.person_id == bindparam("person"),
    tables.assignment.c.context_id == bindparam("context"),
)
ASSIGNMENT = select(tables.assignment).where(OF_PERSON)
LOCK_ASSIGNMENT = ASSIGNMENT.with_for_update(key_share=True)
COUNT_TRIES = tables.assignment.update().where(OF_PERSON).values(attempts=bindparam("tries"))


class SqlContexts:
    """Stored contexts."""

    def __init__(self, connection: Connection, record: Record) -> None:
        self._connection = connection
        self._record = record

    def add_all(self, round_id: RoundId, contexts: Sequence[NewContext]) -> list[int]:
        """Store the contexts that are not in the round yet; return the positions of the existing ones."""
        rows = [_row(round_id, new) for new in contexts]
        statement = INSERT.on_conflict_do_nothing().returning(tables.context.c.context_id)
        stored = set(self._connection.execute(statement, as_document(rows)).scalars())
        return [position for position, new in enumerate(contexts) if new.context_id not in stored]

    def take_in(self, round_id: RoundId, used: Sequence[UsedContext]) -> dict[bytes, ContextId]:
        """Store contexts of examples made elsewhere, or count their use; return the ids by fingerprint.

        Those that are there are locked in the order of their ids first, in which resolutions are counted on them.
        """
        stored = tables.context.c
        there = select(stored.context_id).where(
            stored.round_id == round_id, stored.fingerprint.in_([each.context.fingerprint for each in used])
        )
        self._connection.execute(there.order_by(stored.context_id).with_for_update(key_share=True))
        rows = [
            {
                **_row(round_id, each.context),
                "use_count": each.examples,
                "foolings": each.foolings,
            }
            for each in used
        ]
        statement = INSERT.on_conflict_do_update(
            index_elements=["round_id", "fingerprint"],
            set_={
                "use_count": stored.use_count + INSERT.excluded.use_count,
                "foolings": stored.foolings + INSERT.excluded.foolings,
            },
        ).returning(stored.context_id, stored.fingerprint)
        found = self._connection.execute(statement, as_document(rows))
        return {bytes(row.fingerprint): ContextId(row.context_id) for row in found}

    def count_usable(self, round_id: RoundId) -> int:
        """Count the contexts that are not withdrawn."""
        usable = and_(tables.context.c.round_id == round_id, not_(tables.context.c.is_withdrawn))
        return int(self._connection.execute(select(func.count()).where(usable)).scalar_one())

    def get(self, context_id: ContextId) -> Context:
        """Return the context. Raises NotFound."""
        return self._one(CONTEXT, context_id)

    def lock(self, context_id: ContextId) -> Context:
        """Return the context, locked against other reports. Raises NotFound."""
        context = self._one(CONTEXT.with_for_update(key_share=True), context_id)
        reporters = select(tables.context_flag.c.person_id).where(
            tables.context_flag.c.context_id == context_id
        )
        context.reported_by = frozenset(map(PersonId, self._connection.execute(reporters).scalars()))
        return context

    def save(self, context: Context) -> None:
        """Store new reports."""
        if not context.unsaved:
            return
        self._connection.execute(
            tables.context.update()
            .where(tables.context.c.context_id == context.context_id)
            .values(is_withdrawn=context.is_withdrawn, version=context.version)
        )
        for report in context.new_reports:
            self._connection.execute(
                tables.context_flag.insert().values(
                    context_id=report.context_id,
                    person_id=report.person_id,
                    reason=report.reason,
                    flagged_at=report.flagged_at,
                )
            )
        context.new_reports.clear()
        self._record(map(outbox_message, context.take_unsaved()))

    def count_fooling(self, context_id: ContextId, change: int) -> None:
        """Count a try that fooled, or one that does no longer."""
        self._connection.execute(COUNT_FOOLING, {"context": context_id, "change": change})

    def take_next(
        self,
        round_id: RoundId,
        person_id: PersonId,
        configuration: TaskConfiguration,
        avoid: ContextId | None,
        first: Sequence[ContextId],
    ) -> ContextId | None:
        """Count a use of the context that the person gets next and return its id; None if there is none.

        Those that come `first` are preferred to all others.
        """
        for among in (first, ()) if first else ((),):
            search = NextContext(round_id, person_id, configuration, avoid, among)
            found = self._lock_first(search, seen=False) or self._lock_first(search, seen=True)
            if found is not None:
                return self._count_use(ContextId(found))
        return None

    def _lock_first(self, search: NextContext, seen: bool) -> UUID | None:
        for _ in range(OPTIMISTIC_WALKS):
            for place in search.places():
                found = self._connection.execute(search.unchanged(seen, place)).scalar_one_or_none()
                if found is not None:
                    return found
            if self._connection.execute(search.candidates(seen).limit(1)).first() is None:
                return None
        waiting = search.candidates(seen).limit(1).with_for_update(of=tables.context, key_share=True)
        return self._connection.execute(waiting).scalar_one_or_none()

    def _count_use(self, context_id: ContextId) -> ContextId:
        self._connection.execute(
            tables.context.update()
            .where(tables.context.c.context_id == context_id)
            .values(use_count=tables.context.c.use_count + 1, shuffle=func.random())
        )
        return context_id

    def _one(self, statement: Select[Any], context_id: ContextId) -> Context:
        row = self._connection.execute(statement, {"context": context_id}).one_or_none()
        if row is None:
            raise NotFound("context", "context_id")
        return Context(
            context_id=row.context_id,
            round_id=row.round_id,
            fields=row.fields,
            tags=tuple(row.tags),
            version=row.version,
        )


def _row(round_id: RoundId, new: NewContext) -> dict[str, Any]:
    return {
        "context_id": new.context_id,
        "round_id": round_id,
        "fields": dict(new.fields),
        "tags": list(new.tags),
        "fingerprint": new.fingerprint,
        "use_count": 0,
        "foolings": 0,
        "is_withdrawn": False,
        "version": 0,
    }


class SqlAssignments:
    """People's assignments."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def lock_place(self, round_id: RoundId, person_id: PersonId) -> Place:
        """Hold and return the person's place in the round."""
        place = tables.participation
        self._connection.execute(
            insert(place).values(round_id=round_id, person_id=person_id).on_conflict_do_nothing()
        )
        row = self._connection.execute(
            select(place)
            .where(place.c.round_id == round_id, place.c.person_id == person_id)
            .with_for_update()
        ).one()
        found = Place(
            round_id, person_id, passed_over=row.passed_over, passed_over_since=row.passed_over_since
        )
        if row.context_id is not None:
            context_id = ContextId(row.context_id)
            found.last = self.find(context_id, person_id)
            found.last_is_reported, found.last_is_withdrawn = self._fate(context_id, person_id)
        return found

    def find(self, context_id: ContextId, person_id: PersonId) -> Assignment | None:
        """Return the person's work on a context."""
        return self._one(ASSIGNMENT, context_id, person_id)

    def lock(self, context_id: ContextId, person_id: PersonId) -> Assignment | None:
        """Return the assignment, locked against other tries of the person on the context."""
        return self._one(LOCK_ASSIGNMENT, context_id, person_id)

    def make_current(self, assignment: Assignment, place: Place) -> None:
        """Store a new or renewed assignment as the person's current one, in their participation."""
        values = vars(assignment)
        renewed = {
            key: values[key] for key in ("assignment_id", "condition", "assigned_at", "assigned_label")
        }
        self._connection.execute(
            insert(tables.assignment)
            .values(values)
            .on_conflict_do_update(index_elements=["person_id", "context_id"], set_=renewed)
        )
        stored = tables.participation
        self._connection.execute(
            stored.update()
            .where(stored.c.round_id == place.round_id, stored.c.person_id == place.person_id)
            .values(
                context_id=assignment.context_id,
                passed_over=place.passed_over,
                passed_over_since=place.passed_over_since,
            )
        )

    def save(self, assignment: Assignment) -> None:
        """Store the number of tries."""
        own = {"person": assignment.person_id, "context": assignment.context_id}
        self._connection.execute(COUNT_TRIES, {**own, "tries": assignment.attempts})

    def _fate(self, context_id: ContextId, person_id: PersonId) -> tuple[bool, bool]:
        """Return whether the person reported the context, and whether it was withdrawn."""
        flag, context = tables.context_flag.c, tables.context.c
        reported = exists().where(flag.context_id == context_id, flag.person_id == person_id)
        withdrawn = exists().where(context.context_id == context_id, context.is_withdrawn)
        found = self._connection.execute(select(reported, withdrawn)).one()
        return found[0], found[1]

    def _one(self, statement: Select[Any], context_id: ContextId, person_id: PersonId) -> Assignment | None:
        own = {"person": person_id, "context": context_id}
        row = self._connection.execute(statement, own).one_or_none()
        return None if row is None else to_assignment(row)
