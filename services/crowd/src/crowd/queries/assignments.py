"""Reads of assignments for owners."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from dynabench_api.crowd import AssignmentAnswer
from dynabench_events.crowd import AssignmentState
from sqlalchemy import Connection, Engine, Row, select

from crowd.adapters.tables import assignment
from crowd.adapters.work_done import done_by_assignment
from crowd.domain.errors import AssignmentUnknown
from crowd.queries.money import money_of_assignments


def assignments_of_campaign(
    campaign_id: UUID, state: AssignmentState | None, limit: int, before: UUID | None, engine: Engine
) -> list[AssignmentAnswer]:
    """Return at most so many assignments of a campaign, newest first."""
    wanted = select(assignment).where(assignment.c.campaign_id == campaign_id)
    if state is not None:
        wanted = wanted.where(assignment.c.state == state)
    if before is not None:
        wanted = wanted.where(assignment.c.assignment_id < before)
    with engine.connect() as connection:
        rows = connection.execute(wanted.order_by(assignment.c.assignment_id.desc()).limit(limit)).all()
        return _answers(connection, rows)


def assignment_answer(assignment_id: UUID, engine: Engine) -> AssignmentAnswer:
    """Return an assignment. Raises AssignmentUnknown."""
    with engine.connect() as connection:
        rows = connection.execute(select(assignment).where(assignment.c.assignment_id == assignment_id)).all()
        if not rows:
            raise AssignmentUnknown
        return _answers(connection, rows)[0]


def _answers(connection: Connection, rows: Sequence[Row[Any]]) -> list[AssignmentAnswer]:
    ids = [row.assignment_id for row in rows]
    done, money = done_by_assignment(connection, ids), money_of_assignments(connection, ids)
    return [
        AssignmentAnswer(
            assignment_id=row.assignment_id,
            person_id=row.person_id,
            state=row.state,
            done=done[row.assignment_id].units,
            validated_errors=done[row.assignment_id].errors,
            accepted_at=row.accepted_at,
            submitted_at=row.submitted_at,
            minutes=None
            if row.submitted_at is None
            else (row.submitted_at - row.accepted_at).total_seconds() / 60,
            owed_minor=money[row.assignment_id]["owed_minor"],
            paid_minor=money[row.assignment_id]["paid_minor"],
            rejection_category=row.rejection_category,
            rejection=row.why if row.state == AssignmentState.REJECTED else None,
            why=None if row.state == AssignmentState.REJECTED else row.why,
            is_proved=row.is_proved,
        )
        for row in rows
    ]
