"""Workers and their assignments in PostgreSQL."""

from collections.abc import Callable, Collection, Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from dynabench_common.events.outbox import OutboxMessage, outbox_message
from dynabench_common.identifiers import new_id
from dynabench_events.crowd import AssignmentState, Work
from sqlalchemy import Connection, Row, Select, func, select
from sqlalchemy.dialects.postgresql import insert

from crowd.adapters.tables import assignment, campaign, worker
from crowd.domain.assignment import OPEN, TAKES_PLACE, Assignment, Why
from crowd.domain.errors import AssignmentUnknown

Record = Callable[[Iterable[OutboxMessage]], None]
ALIKE = (
    "assignment_id", "campaign_id", "person_id", "submission_id", "parameters", "is_proved", "accepted_at", "deadline",
    "changed_at", "device", "why", "rejection_category", "submitted_at", "stopped_at", "version",
)  # fmt: skip
"""Columns that are attributes of the assignment."""
ASSIGNMENTS: Select[Any] = select(assignment, campaign.c.round_id, campaign.c.work).join(
    campaign, campaign.c.campaign_id == assignment.c.campaign_id
)
LATE_AT_ONCE = 100


class SqlAssignments:
    """Stored assignments, and the people of platforms."""

    def __init__(self, connection: Connection, record: Record) -> None:
        self._connection = connection
        self._record = record

    def person_of(self, platform: str, worker_id: str) -> UUID:
        """Return the person whom a platform knows by this id, a new one at the first time.

        Other entries of the person wait until this command ends.
        """
        new = insert(worker).values(platform=platform, worker_id=worker_id, person_id=new_id())
        self._connection.execute(new.on_conflict_do_nothing())
        same = (worker.c.platform == platform, worker.c.worker_id == worker_id)
        found = select(worker.c.person_id).where(*same).with_for_update(key_share=True)
        person_id: UUID = self._connection.execute(found).scalar_one()
        return person_id

    def has_open_work(self, person_id: UUID, round_id: UUID, work: Work) -> bool:
        """Return whether a person works for a campaign of this kind on a round."""
        is_working = (assignment.c.person_id == person_id, assignment.c.state == AssignmentState.WORKING)
        alike = (campaign.c.round_id == round_id, campaign.c.work == work)
        return self._connection.execute(ASSIGNMENTS.where(*is_working, *alike).limit(1)).first() is not None

    def add(self, new: Assignment) -> None:
        """Store a new assignment with its event."""
        self._record(outbox_message(event) for event in new.take_unsaved())
        self._connection.execute(assignment.insert().values(**_columns(new)))

    def lock(self, assignment_id: UUID) -> Assignment:
        """Return an assignment, whose other commands wait until this one ends. Raises AssignmentUnknown."""
        wanted = ASSIGNMENTS.where(assignment.c.assignment_id == assignment_id)
        row = self._connection.execute(wanted.with_for_update(of=assignment, key_share=True)).one_or_none()
        if row is None:
            raise AssignmentUnknown
        return to_assignment(row)

    def find(self, assignment_id: UUID) -> Assignment | None:
        """Return an assignment, if there is one."""
        return self._one(assignment.c.assignment_id == assignment_id)

    def save(self, changed: Assignment) -> None:
        """Store a changed assignment with its events."""
        self._record(outbox_message(event) for event in changed.take_unsaved())
        where = assignment.c.assignment_id == changed.assignment_id
        self._connection.execute(assignment.update().where(where).values(**_columns(changed)))

    def of_person(self, campaign_id: UUID, person_id: UUID) -> Assignment | None:
        """Return a person's assignment of a campaign."""
        return self._one(assignment.c.campaign_id == campaign_id, assignment.c.person_id == person_id)

    def of_submission(self, campaign_id: UUID, submission_id: str) -> Assignment | None:
        """Return the assignment of a platform's submission."""
        return self._one(assignment.c.campaign_id == campaign_id, assignment.c.submission_id == submission_id)

    def taken_places(self, campaign_id: UUID) -> int:
        """Return the number of assignments that take a place."""
        return taken_places(self._connection, campaign_id)

    def open(self, campaign_id: UUID) -> int:
        """Return the number of assignments that are worked on, or wait for a decision."""
        return _count(self._connection, campaign_id, OPEN)

    def by_submission(self, campaign_id: UUID) -> dict[str, Assignment]:
        """Return the assignments of a campaign by the platform's submission."""
        of_campaign = ASSIGNMENTS.where(assignment.c.campaign_id == campaign_id)
        found = map(to_assignment, self._connection.execute(of_campaign))
        return {each.submission_id: each for each in found}

    def submitted(self, campaign_id: UUID) -> list[UUID]:
        """Return the assignments that were handed in, in the order of their ids."""
        wanted = select(assignment.c.assignment_id).where(
            assignment.c.campaign_id == campaign_id, assignment.c.state == AssignmentState.SUBMITTED
        )
        return list(self._connection.execute(wanted.order_by(assignment.c.assignment_id)).scalars())

    def handed_in_for(self, assignment_ids: Collection[UUID], why: Why) -> frozenset[UUID]:
        """Return those of the assignments that were handed in with fewer units for this reason."""
        wanted = select(assignment.c.assignment_id).where(
            assignment.c.assignment_id.in_(assignment_ids), assignment.c.why == why
        )
        return frozenset(self._connection.execute(wanted).scalars())

    def late(self, before: datetime) -> list[UUID]:
        """Return some assignments that are worked on with a deadline before a moment."""
        is_late = (assignment.c.state == AssignmentState.WORKING, assignment.c.deadline < before)
        wanted = select(assignment.c.assignment_id).where(*is_late).order_by(assignment.c.deadline)
        return list(self._connection.execute(wanted.limit(LATE_AT_ONCE)).scalars())

    def _one(self, *conditions: Any) -> Assignment | None:
        row = self._connection.execute(ASSIGNMENTS.where(*conditions)).one_or_none()
        return None if row is None else to_assignment(row)


def taken_places(connection: Connection, campaign_id: UUID) -> int:
    """Return the number of a campaign's assignments that take a place."""
    return _count(connection, campaign_id, TAKES_PLACE)


def _count(connection: Connection, campaign_id: UUID, states: Iterable[AssignmentState]) -> int:
    counted = select(func.count()).where(
        assignment.c.campaign_id == campaign_id, assignment.c.state.in_(list(states))
    )
    return int(connection.execute(counted).scalar_one())


def to_assignment(row: Row[Any]) -> Assignment:
    """Return the assignment of a row of ASSIGNMENTS."""
    return Assignment(
        **{name: getattr(row, name) for name in ALIKE},
        round_id=row.round_id,
        work=Work(row.work),
        state=AssignmentState(row.state),
    )


def _columns(of: Assignment) -> dict[str, Any]:
    return {
        **{name: getattr(of, name) for name in ALIKE},
        "state": of.state,
        "parameters": dict(of.parameters),
    }
