"""Reads for voters: their own answers in a round, to go back to."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from dynabench_tasks.resolution import Resolution
from dynabench_tasks.rounds import RoundState
from dynabench_tasks.votes import VoteKind
from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Engine,
    Row,
    Select,
    and_,
    bindparam,
    func,
    join,
    or_,
    select,
)

from validation.adapters.copies import (
    SqlRounds,
    disclosure_columns,
    served_columns,
    to_disclosure,
    to_served,
    to_served_item,
)
from validation.adapters.gold_showings import SqlGoldShowings
from validation.adapters.gold_tables import gold_answer, gold_showing
from validation.adapters.open_votes import waits_for
from validation.adapters.tables import (
    assigned_checks,
    configuration_of_example,
    example,
    example_validation,
    is_pending,
    round_,
    task_configuration,
    vote,
)
from validation.adapters.validation_rows import to_vote
from validation.adapters.validators import SqlValidators
from validation.domain.disclosure import Disclosure
from validation.domain.gold_showing import GoldShowing
from validation.domain.identifiers import PersonId, RoundId
from validation.domain.queue import ServedExample
from validation.domain.validators import ValidatorState
from validation.domain.votes import Vote

Record = dict[str, Any]
PERSON = BindParameter[Any]("person_id")


def _is_followed() -> ColumnElement[bool]:
    """Match the votes since which another voter, the owner or the author has acted on the example."""
    later = vote.alias("later")
    voted = select(1).where(later.c.example_id == vote.c.example_id, later.c.version > vote.c.version)
    state = example_validation.c
    acted = or_(state.adjudicated_at >= vote.c.cast_at, state.appealed_at >= vote.c.cast_at)
    return or_(voted.exists(), acted.is_(True))


def _own_votes() -> Select[Any]:
    state = example_validation.c
    return (
        select(vote, *served_columns, *disclosure_columns)
        .add_columns(state.resolution, state.retracted, _is_followed().label("followed"))
        .join(example_validation, state.example_id == vote.c.example_id)
        .join(example, example.c.example_id == vote.c.example_id)
        .join(task_configuration, configuration_of_example)
        .join(round_, round_.c.round_id == state.round_id, isouter=True)
        .where(vote.c.voter_id == PERSON, state.round_id == bindparam("round_id"))
        .order_by(vote.c.cast_at.desc(), vote.c.vote_id.desc())
        .limit(bindparam("limit"))
    )


def _waiting_rounds() -> Select[Any]:
    number, round_id = func.count().label("waiting"), example_validation.c.round_id
    is_hidden = task_configuration.c.slug.in_(bindparam("hidden", expanding=True))
    return (
        select(round_id, number)
        .join(round_, round_.c.round_id == round_id)
        .where(
            waits_for(PERSON, also_unsure=True),
            round_.c.state.in_([each for each in RoundState if each.takes_votes]),
            round_.c.task_id.not_in(select(task_configuration.c.task_id).where(is_hidden)),
        )
        .group_by(round_id)
        .order_by(number.desc(), round_id)
    )


OWN_VOTES, WAITING_ROUNDS = _own_votes(), _waiting_rounds()


@dataclass(frozen=True)
class _OwnVote:
    """A vote with its example or known item, and that one's outcome."""

    cast: Vote
    served: ServedExample
    claimed: str
    disclosure: Disclosure
    resolution: Resolution | None
    followed: bool = False
    retracted: bool = False


def own_votes(
    engine: Engine, round_id: RoundId, person_id: PersonId, now: datetime, limit: int
) -> list[Record]:
    """Return a person's votes in a round, the newest first, each with its question. Raises RoundUnknown."""
    with engine.connect() as connection:
        may_vote = _may_vote(connection, round_id, person_id)
        parameters = {"round_id": round_id, "person_id": person_id, "limit": limit}
        rows = connection.execute(OWN_VOTES, parameters).all()
        showings = SqlGoldShowings(connection).answered_in(round_id, person_id, limit)
    found = [*map(_on_example, rows), *map(_on_known_item, showings)]
    newest = sorted(found, key=lambda own: (own.cast.cast_at, own.cast.vote_id), reverse=True)[:limit]
    return [_record(own, now, may_vote=may_vote) for own in newest]


def count_votes(engine: Engine, round_id: RoundId, person_id: PersonId, since: datetime) -> int:
    """Count a person's votes in a round since then. Answers to known items count too, so that these stay secret."""
    votes = (
        select(func.count())
        .select_from(vote)
        .join(example_validation, example_validation.c.example_id == vote.c.example_id)
        .where(
            example_validation.c.round_id == round_id, vote.c.voter_id == person_id, vote.c.cast_at >= since
        )
    )
    answers = (
        select(func.count())
        .select_from(gold_answer)
        .join(gold_showing, gold_showing.c.showing_id == gold_answer.c.showing_id)
        .where(
            gold_showing.c.round_id == round_id,
            gold_showing.c.person_id == person_id,
            gold_answer.c.cast_at >= since,
        )
    )
    with engine.connect() as connection:
        return sum(connection.execute(each).scalar_one() for each in (votes, answers))


@dataclass(frozen=True)
class AssignedChecks:
    """The number of votes on assigned examples, and of the examples that still wait for the person's vote."""

    votes: int
    left: int


def count_assigned(
    engine: Engine, round_id: RoundId, person_id: PersonId, order_id: UUID
) -> AssignedChecks | None:
    """Count the checks that were assigned to a person in a round. None while the order is unknown."""
    order, state = assigned_checks.c, example_validation.c
    is_chosen = state.example_id == func.any(order.example_ids)
    own = vote.c.example_id == state.example_id, vote.c.voter_id == person_id
    cast = select(1).where(*own, vote.c.cast_at >= order.assigned_at).exists()
    open_ = and_(is_pending, state.author_id != person_id, ~select(1).where(*own).exists())
    statement = (
        select(func.count().filter(cast), func.count().filter(open_))
        .select_from(join(assigned_checks, example_validation, is_chosen))
        .where(order.order_id == order_id, order.round_id == round_id, order.person_id == person_id)
        .group_by(order.order_id)
    )
    with engine.connect() as connection:
        found = connection.execute(statement).one_or_none()
        return None if found is None else AssignedChecks(*found)


def waiting_rounds(engine: Engine, person_id: PersonId, hidden: frozenset[str]) -> list[Record]:
    """Return the rounds that take votes and have examples for the person, with their number, the most first.

    Rounds of tasks that are `hidden` are left out.
    The number includes examples on which the person was unsure (`waits_for`).
    """
    parameters = {"person_id": person_id, "hidden": list(hidden)}
    with engine.connect() as connection:
        return [dict(row) for row in connection.execute(WAITING_ROUNDS, parameters).mappings()]


def _may_vote(connection: Connection, round_id: RoundId, person_id: PersonId) -> bool:
    takes_votes = SqlRounds(connection).state(round_id).takes_votes
    validator = SqlValidators(connection).in_round(round_id, person_id)
    return takes_votes and (validator is None or validator.state is not ValidatorState.PAUSED)


def _on_example(row: Row[Any]) -> _OwnVote:
    resolution = None if row.resolution is None else Resolution(row.resolution)
    return _OwnVote(
        cast=to_vote(row),
        served=to_served(row),
        claimed=row.claimed,
        disclosure=to_disclosure(row),
        resolution=resolution,
        followed=row.followed,
        retracted=row.retracted,
    )


def _on_known_item(showing: GoldShowing) -> _OwnVote:
    resolution = showing.outcome.resolution if showing.outcome else None
    return _OwnVote(
        showing.votes[0], to_served_item(showing), showing.content.claimed, showing.disclosure, resolution
    )


def _record(own: _OwnVote, now: datetime, *, may_vote: bool) -> Record:
    cast, served = own.cast, own.served
    can_change = cast.can_be_changed(now, resolved=own.resolution is not None, followed=own.followed)
    is_final = cast.revealed_at is not None
    return {
        "vote_id": cast.vote_id,
        "served": served,
        "kind": cast.answer.kind,
        "value": _value(cast, served),
        "reason": cast.reason,
        "metadata": served.rules.metadata_values(cast.metadata),
        "counted": cast.counted,
        "agrees": cast.agrees,
        "corrected": served.rules.claim(cast.corrected),
        "explanation": cast.explanation or None,
        "resolution": own.resolution if is_final else None,
        "reveal": own.disclosure.reveal(own.claimed, served.rules) if is_final else None,
        "cast_at": cast.cast_at,
        "undo_until": None if is_final else cast.undo_until,
        "can_change": can_change and may_vote and not own.retracted,
    }


def _value(cast: Vote, served: ServedExample) -> Any:
    """Return the vote's answer as JSON; None for a flag and `unsure`."""
    if cast.answer.kind is VoteKind.LABEL:
        return served.rules.claim(cast.answer.option)
    return cast.answer.option or None
