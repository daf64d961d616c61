"""Reads: SQL to plain records."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from dynabench_tasks.resolution import Resolution
from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Engine,
    Row,
    Select,
    exists,
    func,
    or_,
    select,
)

from validation.adapters.gold_tables import gold_showing
from validation.adapters.round_counts import round_sums
from validation.adapters.tables import (
    configuration_of_example,
    example,
    example_validation,
    is_pending,
    lease,
    round_,
    task_configuration,
    vote,
)
from validation.domain.errors import ExampleUnknown, RoundUnknown
from validation.domain.identifiers import ExampleId, PersonId, RoundId
from validation.domain.rules import ValidationRules, read_rules
from validation.domain.selection import Priority

Record = dict[str, Any]


def round_counts(engine: Engine, round_id: RoundId, now: datetime) -> Record:
    """Return the progress of a round's validation. Raises RoundUnknown.

    Votes stay counted when their example is retracted; its resolution and its place in the queue don't.
    """
    with engine.connect() as connection:
        ensure_known(connection, round_id)
        return {
            "round_id": round_id,
            "leases_out": connection.execute(leases_out(round_id, now)).scalar_one(),
            **_totals(round_sums(connection, round_id)),
        }


def _totals(kinds: Sequence[Row[Any]]) -> Record:
    resolved, pending, not_asked = Counter[Resolution](), Counter[Priority](), 0
    for row in kinds:
        if row.pending:
            pending[Priority(row.priority)] += row.examples
        elif row.resolution and not row.retracted:
            resolved[Resolution(row.resolution)] += row.examples
        elif not row.resolution and not row.retracted:
            not_asked += row.examples
    return {
        "examples": int(sum(row.examples for row in kinds)),
        "votes": int(sum(row.votes for row in kinds)),
        "resolved": resolved.total(),
        "pending": pending.total(),
        "pending_fooling": pending[Priority.FOOLING],
        "not_asked": int(not_asked),
        **{resolution.value: resolved[resolution] for resolution in Resolution},
    }


def example_state(engine: Engine, example_id: ExampleId) -> Record:
    """Return what became of an example, whose it is, and its `rules`. Raises ExampleUnknown."""
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
            state.golds,
            example.c.task_slug,
            task_configuration.c.configuration,
            func.coalesce(is_pending, False).label("pending"),
        )
        .add_columns(state.appeal_reason, state.appealed_at, state.appeal_answer)
        .add_columns(state.adjudicated_at, state.adjudication_reason)
        .join(example, example.c.example_id == state.example_id)
        .join(task_configuration, configuration_of_example)
        .where(state.example_id == example_id)
    )
    with engine.connect() as connection:
        row = connection.execute(statement).one_or_none()
    if row is None:
        raise ExampleUnknown(example_id)
    record = dict(row._mapping)
    rules = read_rules(record.pop("configuration"))
    golds = [rules.claim(gold) for gold in row.golds or ()]
    return {**record, "golds": golds, "rules": rules, **_appeal_and_decision(row)}


def has_open_vote(engine: Engine, example_id: ExampleId, person_id: PersonId) -> bool:
    """Return whether the person has a vote on the example and has not seen the author's claim yet."""
    statement = select(1).where(
        vote.c.example_id == example_id, vote.c.voter_id == person_id, vote.c.revealed_at.is_(None)
    )
    with engine.connect() as connection:
        return connection.execute(statement).one_or_none() is not None


def _appeal_and_decision(row: Row[Any]) -> Record:
    """Return what the author and the owner had to say to a resolution."""
    appeal = {"reason": row.appeal_reason, "at": row.appealed_at, "answer": row.appeal_answer or None}
    decision = {"resolution": row.resolution, "reason": row.adjudication_reason, "at": row.adjudicated_at}
    return {
        "appeal": appeal if row.appealed_at else None,
        "adjudication": decision if row.adjudicated_at else None,
    }


def example_votes(
    engine: Engine, example_id: ExampleId, rules: ValidationRules, *, with_voters: bool
) -> list[Record]:
    """Return every answer on an example in the order in which they came, with or without saying whose they are."""
    statement = (
        select(
            vote.c.vote_id,
            vote.c.voter_id,
            vote.c.kind,
            vote.c.option,
            vote.c.reason,
            vote.c.metadata,
            vote.c.counted,
            vote.c.seconds,
            vote.c.cast_at,
            vote.c.agrees,
            vote.c.judged_at,
            vote.c.corrected,
            vote.c.explanation,
            vote.c.set_aside_at.is_not(None).label("set_aside"),
        )
        .where(vote.c.example_id == example_id)
        .order_by(vote.c.version)
    )
    with engine.connect() as connection:
        return [
            {
                **row._mapping,
                "voter_id": row.voter_id if with_voters else None,
                "metadata": rules.metadata_values(row.metadata),
                "corrected": rules.claim(row.corrected or ""),
                "explanation": row.explanation or None,
            }
            for row in connection.execute(statement)
        ]


def ensure_known(connection: Connection, round_id: RoundId) -> None:
    """Refuse a round without any event. Raises RoundUnknown."""
    if connection.execute(select(1).where(round_.c.round_id == round_id)).one_or_none() is None:
        raise RoundUnknown(round_id)


def leases_out(round_id: RoundId | ColumnElement[UUID], now: datetime | BindParameter[Any]) -> Select[int]:
    """Select how many holds people have on examples and known items of the round now: left out, those would show."""
    of_example = (
        exists()
        .correlate_except(example_validation)
        .where(
            example_validation.c.example_id == lease.c.resource_id, example_validation.c.round_id == round_id
        )
    )
    of_known_item = (
        exists()
        .correlate_except(gold_showing)
        .where(gold_showing.c.showing_id == lease.c.resource_id, gold_showing.c.round_id == round_id)
    )
    return (
        select(func.count())
        .select_from(lease)
        .where(
            lease.c.expires_at > now,
            or_(of_example, of_known_item),
        )
    )
