"""Work of assignments, counted from the copies of examples and votes."""

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from dynabench_events.crowd import Work
from sqlalchemy import Column, Connection, and_, func, literal, or_, select

from crowd.adapters.tables import assignment, campaign, example, vote
from crowd.domain.assignment import GRACE

LAST_MOMENT = func.coalesce(assignment.c.stopped_at, assignment.c.deadline + literal(GRACE))
"""The end of an assignment's work; later examples and votes are not part of it."""
OF_CREATING = and_(
    campaign.c.work == Work.CREATE,
    example.c.author_id == assignment.c.person_id,
    example.c.round_id == campaign.c.round_id,
    example.c.created_at.between(assignment.c.accepted_at, LAST_MOMENT),
    or_(example.c.is_duplicate.is_(False), example.c.overruled_version.is_not(None)),
    example.c.retracted_version.is_(None),
)
VOTE_STANDS = or_(vote.c.withdrawn_version.is_(None), vote.c.withdrawn_version < vote.c.cast_version)
OF_VALIDATING = and_(
    campaign.c.work == Work.VALIDATE,
    vote.c.voter_id == assignment.c.person_id,
    vote.c.round_id == campaign.c.round_id,
    vote.c.cast_at.between(assignment.c.accepted_at, LAST_MOMENT),
    VOTE_STANDS,
)
UNITS = (
    select(func.count()).select_from(example).where(OF_CREATING).scalar_subquery()
    + select(func.count()).select_from(vote).where(OF_VALIDATING).scalar_subquery()
)
"""The done units of an assignment, in a statement that selects it and its campaign."""
ROUND_ERRORS = (
    select(func.count())
    .select_from(example)
    .where(
        example.c.author_id == assignment.c.person_id,
        example.c.round_id == campaign.c.round_id,
        example.c.is_error,
    )
    .scalar_subquery()
)
"""The validated errors of an assignment's person in its campaign's round, in a statement that selects both."""


@dataclass(frozen=True)
class Done:
    """Units of an assignment that are done, and validated errors among them."""

    units: int = 0
    errors: int = 0


def done_by_assignment(connection: Connection, assignment_ids: Collection[UUID]) -> dict[UUID, Done]:
    """Return the work of each assignment."""
    return _done(connection, assignment.c.assignment_id, assignment_ids)


def done_by_campaign(connection: Connection, campaign_ids: Collection[UUID]) -> dict[UUID, Done]:
    """Return the work of each campaign."""
    return _done(connection, campaign.c.campaign_id, campaign_ids)


def _done(connection: Connection, key: Column[UUID], keys: Collection[UUID]) -> dict[UUID, Done]:
    joined = (
        assignment.join(campaign, campaign.c.campaign_id == assignment.c.campaign_id)
        .outerjoin(example, OF_CREATING)
        .outerjoin(vote, OF_VALIDATING)
    )
    units = func.count(example.c.example_id) + func.count(vote.c.vote_id)
    errors = func.count(example.c.example_id).filter(example.c.is_error)
    statement = select(key, units, errors).select_from(joined).where(key.in_(keys)).group_by(key)
    counted = {row[0]: Done(row[1], row[2]) for row in connection.execute(statement)}
    return {each: counted.get(each, Done()) for each in keys}


def counted_errors(connection: Connection, assignment_id: UUID) -> list[UUID]:
    """Return the validated errors among an assignment's first tries, as many as it has units: those with a bonus."""
    joined = assignment.join(campaign, campaign.c.campaign_id == assignment.c.campaign_id).join(
        example, OF_CREATING
    )
    tries = connection.execute(
        select(example.c.example_id, example.c.is_error, campaign.c.units)
        .select_from(joined)
        .where(assignment.c.assignment_id == assignment_id)
        .order_by(example.c.created_at, example.c.example_id)
    ).all()
    return [each.example_id for each in tries[: tries[0].units if tries else 0] if each.is_error]
