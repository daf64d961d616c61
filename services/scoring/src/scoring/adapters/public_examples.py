"""Statements that select the public examples.

A list reads the rounds with public examples first, and then from an index of each the examples of one page.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from dynabench_tasks.configuration.task_configuration import PublicExamples
from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    Subquery,
    and_,
    func,
    literal,
    or_,
    select,
    true,
    tuple_,
)
from sqlalchemy.dialects.postgresql import aggregate_order_by, distinct_on

from scoring.adapters.confirmed_errors import BY_RULE
from scoring.adapters.tables import (
    confirmed_error,
    dataset,
    example,
    example_report,
    hidden_example,
    released_error,
    round_,
    task_configuration,
)
from scoring.domain.public_examples import Order, Wanted

KEYS = {Order.NEWEST: confirmed_error.c.resolved_at, Order.BEST: confirmed_error.c.merit}
Key = datetime | float


@dataclass(frozen=True)
class Position:
    """The place of an example in a list: the value that the list is ordered by, then the id."""

    key: Key
    example_id: UUID


def are_public(connection: Connection, example_ids: Sequence[UUID]) -> frozenset[UUID]:
    """Return those of the examples that anybody may read."""
    rounds = _rounds()
    found = select(confirmed_error.c.example_id).where(
        confirmed_error.c.example_id.in_(example_ids),
        confirmed_error.c.round_id == rounds.c.round_id,
        _may_be_read(rounds),
    )
    return frozenset(connection.execute(found).scalars())


def _rounds(wanted: Wanted | None = None) -> Subquery:
    """Return the rounds that may have public examples, by the newest configuration of their tasks."""
    asked = wanted or Wanted()
    columns = task_configuration.c
    newest = (
        select(
            columns.task_id,
            columns.slug,
            columns.title,
            func.coalesce(
                columns.configuration["public_examples"].astext, PublicExamples.AFTER_RELEASE.value
            ).label("choice"),
        )
        .ext(distinct_on(columns.task_id))
        .order_by(columns.task_id, columns.configuration_version.desc())
        .subquery("newest")
    )
    # A round that was collected elsewhere has another's licence: its texts are public only as its files are.
    at_once = and_(newest.c.choice == PublicExamples.AT_ONCE.value, func.coalesce(round_.c.origin, "") == "")
    after_release = newest.c.choice.in_([PublicExamples.AT_ONCE.value, PublicExamples.AFTER_RELEASE.value])
    found = (
        select(round_.c.round_id, round_.c.number, newest.c.slug, newest.c.title, dataset.c.dataset_id)
        .add_columns(at_once.label("is_at_once"))
        .join_from(round_, newest, newest.c.task_id == round_.c.task_id)
        .outerjoin(dataset, dataset.c.round_id == round_.c.round_id)
        .where(or_(at_once, and_(after_release, dataset.c.dataset_id.is_not(None))))
        .where(newest.c.slug.not_in(asked.hidden))
    )
    if asked.task is not None:
        found = found.where(newest.c.slug == asked.task)
    if asked.round_id is not None:
        found = found.where(round_.c.round_id == asked.round_id)
    if asked.dataset_id is not None:
        found = found.where(dataset.c.dataset_id == asked.dataset_id)
    return found.subquery("rounds")


IS_RELEASED = select(1).where(released_error.c.example_id == confirmed_error.c.example_id).exists()
IS_HIDDEN = select(1).where(hidden_example.c.example_id == confirmed_error.c.example_id).exists()


def _may_be_read(rounds: Subquery) -> ColumnElement[bool]:
    """Return whether a validated error of a round with public examples is one of them."""
    return and_(~IS_HIDDEN, or_(rounds.c.is_at_once, IS_RELEASED))


def page(wanted: Wanted, after: Position | None, limit: int) -> Select[Any]:
    """Select at most so many public examples, the newest or the best first."""
    rounds, key = _rounds(wanted), KEYS[wanted.order]
    of_round = (
        select(
            confirmed_error.c.example_id,
            confirmed_error.c.resolved_at,
            key.label("key"),
        )
        .where(
            confirmed_error.c.round_id == rounds.c.round_id,
            confirmed_error.c.target == (wanted.target or BY_RULE),
            _may_be_read(rounds),
        )
        .order_by(key.desc(), confirmed_error.c.example_id.desc())
        .limit(limit)
    )
    if wanted.dataset_id is not None:
        of_round = of_round.where(IS_RELEASED)
    if after is not None:
        place = tuple_(literal(after.key, key.type), literal(after.example_id))
        of_round = of_round.where(tuple_(key, confirmed_error.c.example_id) < place)
    first = of_round.lateral("first")
    is_released = select(1).where(released_error.c.example_id == first.c.example_id).exists()
    return (
        select(rounds, first, is_released.label("is_released"))
        .join_from(rounds, first, true())
        .order_by(first.c.key.desc(), first.c.example_id.desc())
        .limit(limit)
    )


def one(example_id: UUID) -> Select[Any]:
    """Select an example if it is public."""
    rounds = _rounds()
    return select(
        rounds, confirmed_error.c.example_id, confirmed_error.c.resolved_at, IS_RELEASED.label("is_released")
    ).where(
        confirmed_error.c.example_id == example_id,
        confirmed_error.c.target == BY_RULE,
        confirmed_error.c.round_id == rounds.c.round_id,
        _may_be_read(rounds),
    )


def with_reports(task: str, after: UUID | None, limit: int) -> Select[Any]:
    """Select the examples of a task with open reports that their authors did not withdraw, by id."""
    report = example_report.c
    newest_first = aggregate_order_by(report.reason, report.reported_at.desc())
    found = (
        select(
            example.c.example_id,
            example.c.round_id,
            func.count().label("reports"),
            func.max(report.reported_at).label("reported_at"),
            func.array_agg(newest_first).label("reasons"),
        )
        .join_from(example_report, example, example.c.example_id == report.example_id)
        .where(
            report.task_id.in_(_tasks_called(task)),
            report.closed_at.is_(None),
            example.c.retracted_version.is_(None),
        )
        .group_by(example.c.example_id, example.c.round_id)
        .order_by(example.c.example_id)
        .limit(limit)
    )
    return found if after is None else found.where(example.c.example_id > after)


def hidden_by_owners(task: str, after: UUID | None, limit: int) -> Select[Any]:
    """Select the examples of a task that owners hide and their authors did not withdraw, by id."""
    found = (
        select(example.c.example_id, example.c.round_id, hidden_example.c.reason, hidden_example.c.hidden_at)
        .join_from(hidden_example, example, example.c.example_id == hidden_example.c.example_id)
        .where(
            example.c.task_id.in_(_tasks_called(task)),
            hidden_example.c.by_author.is_(False),
            example.c.retracted_version.is_(None),
        )
        .order_by(example.c.example_id)
        .limit(limit)
    )
    return found if after is None else found.where(example.c.example_id > after)


def _tasks_called(slug: str) -> Select[Any]:
    return select(task_configuration.c.task_id).where(task_configuration.c.slug == slug)
