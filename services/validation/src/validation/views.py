"""Reads: SQL to plain records."""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, time
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Engine, Integer, cast, func, select

from validation.adapters.tables import example, example_validation, is_pending, round_, vote
from validation.domain.agreement import Agreement, agreement_with_others
from validation.domain.errors import ExampleUnknown, RoundUnknown
from validation.domain.identifiers import ExampleId, PersonId, RoundId
from validation.domain.resolution import Answer, Resolution, VoteKind
from validation.domain.selection import Priority

Record = dict[str, Any]


def round_counts(engine: Engine, round_id: RoundId) -> Record:
    """Return how far the validation of a round has come. Raises RoundUnknown.

    Votes stay counted when their example is retracted; its resolution and its place in the queue don't.
    """
    state = example_validation.c
    stands = state.retracted.is_(False)
    resolved_as = {r.value: func.count().filter(stands, state.resolution == r.value) for r in Resolution}
    statement = select(
        func.coalesce(cast(func.sum(state.votes_counted), Integer), 0).label("votes"),
        func.count(state.resolution).filter(stands).label("resolved"),
        func.count().filter(is_pending).label("pending"),
        func.count().filter(is_pending, state.priority == Priority.FOOLING).label("pending_fooling"),
        *(count.label(name) for name, count in resolved_as.items()),
    ).where(state.round_id == round_id)
    with engine.connect() as connection:
        _ensure_known(connection, round_id)
        counts = dict(connection.execute(statement).one()._mapping)
        return {"round_id": round_id, "examples": _count_examples(connection, round_id), **counts}


def person_in_round(engine: Engine, round_id: RoundId, person_id: PersonId, now: datetime) -> Record:
    """Return a person's own work in a round; "today" begins at midnight UTC. Raises RoundUnknown."""
    midnight = datetime.combine(now.astimezone(UTC).date(), time(), UTC)
    statement = (
        select(func.count().label("votes"), func.count().filter(vote.c.cast_at >= midnight).label("today"))
        .select_from(vote.join(example_validation))
        .where(
            vote.c.voter_id == person_id,
            vote.c.kind != VoteKind.UNSURE.value,
            example_validation.c.round_id == round_id,
        )
    )
    with engine.connect() as connection:
        _ensure_known(connection, round_id)
        row = connection.execute(statement).one()
        agreement = _agreement(connection, round_id, person_id)
    return {
        "votes": row.votes,
        "votes_today": row.today,
        "agreement": agreement.value,
        "agreement_votes": agreement.n,
    }


def example_state(engine: Engine, example_id: ExampleId) -> Record:
    """Return what the votes made of an example, and whose it is. Raises ExampleUnknown."""
    state = example_validation.c
    statement = (
        select(
            state.example_id,
            state.round_id,
            state.author_id,
            state.resolution,
            state.votes_counted,
            state.resolved_at,
            state.retracted,
            state.agreed_option,
            example.c.task_slug,
            func.coalesce(is_pending, False).label("pending"),
        )
        .join(example, example.c.example_id == state.example_id)
        .where(state.example_id == example_id)
    )
    with engine.connect() as connection:
        row = connection.execute(statement).one_or_none()
    if row is None:
        raise ExampleUnknown(example_id)
    return dict(row._mapping)


def example_votes(engine: Engine, example_id: ExampleId) -> list[Record]:
    """Return every answer on an example in the order in which they came."""
    statement = (
        select(
            vote.c.vote_id,
            vote.c.voter_id,
            vote.c.kind,
            vote.c.option,
            vote.c.reason,
            vote.c.counted,
            vote.c.seconds,
            vote.c.cast_at,
            vote.c.agrees,
            vote.c.judged_at,
        )
        .where(vote.c.example_id == example_id)
        .order_by(vote.c.version)
    )
    with engine.connect() as connection:
        return [dict(row._mapping) for row in connection.execute(statement)]


def _ensure_known(connection: Connection, round_id: RoundId) -> None:
    if connection.execute(select(1).where(round_.c.round_id == round_id)).one_or_none() is None:
        raise RoundUnknown(round_id)


def _count_examples(connection: Connection, round_id: RoundId) -> int:
    statement = select(func.count()).where(example.c.round_id == round_id)
    return int(connection.execute(statement).scalar_one())


def _agreement(connection: Connection, round_id: RoundId, person_id: PersonId) -> Agreement:
    own, other = vote.alias("own"), vote.alias("other")
    statement = (
        select(own.c.example_id, own.c.kind, own.c.option)
        .add_columns(other.c.kind.label("other_kind"), other.c.option.label("other_option"))
        .add_columns(func.count().label("others"))
        .join(example_validation, example_validation.c.example_id == own.c.example_id)
        .join(other, (other.c.example_id == own.c.example_id) & (other.c.voter_id != own.c.voter_id))
        .where(
            own.c.voter_id == person_id,
            own.c.kind != VoteKind.UNSURE.value,
            other.c.kind != VoteKind.UNSURE.value,
            example_validation.c.round_id == round_id,
        )
        .group_by(own.c.example_id, own.c.kind, own.c.option, other.c.kind, other.c.option)
    )
    answers: dict[UUID, Answer] = {}
    others: dict[UUID, Counter[Answer]] = {}
    for row in connection.execute(statement):
        answers[row.example_id] = Answer(VoteKind(row.kind), row.option)
        counts = others.setdefault(row.example_id, Counter())
        counts[Answer(VoteKind(row.other_kind), row.other_option)] = row.others
    return agreement_with_others(_pairs(answers, others))


def _pairs(
    answers: dict[UUID, Answer], others: dict[UUID, Counter[Answer]]
) -> Iterator[tuple[Answer, Counter[Answer]]]:
    for example_id, answer in answers.items():
        yield answer, others[example_id]
