"""Examples on which a person may still vote or change a vote, and so sees no more than a voter does."""

from datetime import datetime, timedelta
from typing import Any

from dynabench_tasks.rounds import RoundState
from dynabench_tasks.votes import VoteKind
from sqlalchemy import BindParameter, ColumnElement, and_, false, not_, or_, select

from validation.adapters.queue import FOR_GOOD
from validation.adapters.tables import example_validation, is_pending, lease, round_, skip, vote
from validation.domain.identifiers import PersonId
from validation.domain.votes import UNDO_SECONDS

state = example_validation.c


def may_still_vote(person_id: PersonId | None, now: datetime) -> ColumnElement[bool]:
    """Match the rows of `example_validation` whose claim and votes must be hidden from the person.

    These are waiting examples that the person neither answered nor declined for good. Answered ones belong to them
    while the person may change the answer, the claim unseen, and so do leased ones. None stands for a caller without
    votes.
    """
    if person_id is None:
        return false()
    released = select(1).where(round_.c.round_id == state.round_id, round_.c.state == RoundState.RELEASED)
    return and_(
        state.author_id != person_id,
        state.retracted.is_(False),
        not_(released.exists()),
        or_(waits_for(person_id), is_begun_by(person_id, now)),
    )


def waits_for(person_id: PersonId | BindParameter[Any], *, also_unsure: bool = False) -> ColumnElement[bool]:
    """Match the rows of `example_validation` that the person can still be given: unanswered ones of other people.

    Skipped examples match, since they come again tomorrow. With `also_unsure` those match too on which the person was
    unsure. A count needs both: a skip of an attention check, or an unsure answer to it, changes no count. So a changed
    count would reveal that the item was an example.
    """
    own = and_(vote.c.example_id == state.example_id, vote.c.voter_id == person_id)
    if also_unsure:
        own = and_(own, vote.c.kind != VoteKind.UNSURE)
    given_up = select(1).where(
        skip.c.example_id == state.example_id, skip.c.person_id == person_id, skip.c.skipped_on == FOR_GOOD
    )
    return and_(
        is_pending,
        state.author_id != person_id,
        not_(select(1).where(own).exists()),
        not_(given_up.exists()),
    )


def is_begun_by(person_id: PersonId | None, now: datetime) -> ColumnElement[bool]:
    """Match the rows of `example_validation` that the person has leased, or whose answer the person may change."""
    if person_id is None:
        return false()
    recently = vote.c.cast_at >= now - timedelta(seconds=UNDO_SECONDS)
    open_vote = select(1).where(
        vote.c.example_id == state.example_id,
        vote.c.voter_id == person_id,
        vote.c.revealed_at.is_(None),
        or_(is_pending, recently),
    )
    leased = select(1).where(
        lease.c.resource_id == state.example_id, lease.c.holder_id == person_id, lease.c.expires_at > now
    )
    return or_(open_vote.exists(), leased.exists())
