"""Known items, and the resolved examples that they are made of."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from dynabench_common.identifiers import new_id
from dynabench_tasks.resolution import Resolution
from dynabench_tasks.vote_question import VoteMode
from dynabench_tasks.votes import VoteAnswer, VoteKind
from sqlalchemy import Connection, Row, and_, or_, select
from sqlalchemy.dialects.postgresql import insert

from validation.adapters.gold_tables import gold_item, in_pool
from validation.adapters.tables import (
    configuration_of_example,
    example,
    example_validation,
    task_configuration,
    vote,
)
from validation.domain.errors import GoldUnknown
from validation.domain.gold import GoldContent, GoldItem, GoldKind, Retirement, fits, is_beyond_doubt
from validation.domain.identifiers import ExampleId, GoldId, PersonId, RoundId, TaskId
from validation.domain.rules import Task, ValidationRules, read_rules

MOST_CANDIDATES = 1_000
DECIDED = (Resolution.CORRECT.value, Resolution.INCORRECT.value, Resolution.NO_CLAIM.value)
still_stands = and_(
    example_validation.c.example_id == gold_item.c.example_id,
    example_validation.c.retracted.is_(False),
    example_validation.c.resolved_at == gold_item.c.resolved_at,
)
"""Matches the example that an item was made of while it is decided as it was then."""


class SqlGoldItems:
    """The items in PostgreSQL."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, items: Sequence[GoldItem]) -> None:
        """Store new items; an example becomes an item once."""
        if items:
            statement = insert(gold_item).on_conflict_do_nothing(index_elements=["example_id"])
            self._connection.execute(statement, [_row(item) for item in items])

    def lock(self, gold_id: GoldId) -> GoldItem:
        """Return the item, locked. Raises GoldUnknown."""
        statement = select(gold_item).where(gold_item.c.gold_id == gold_id).with_for_update()
        row = self._connection.execute(statement).one_or_none()
        if row is None:
            raise GoldUnknown(gold_id)
        return to_item(row)

    def save(self, item: GoldItem) -> None:
        """Store how the item stands."""
        statement = gold_item.update().where(gold_item.c.gold_id == item.gold_id)
        self._connection.execute(statement.values(_standing(item)))

    def lock_pool(self, task_id: TaskId) -> list[GoldItem]:
        """Return the task's items in use that were made of examples, locked."""
        statement = (
            select(gold_item)
            .where(gold_item.c.task_id == task_id, in_pool, gold_item.c.kind == GoldKind.EXAMPLE.value)
            .order_by(gold_item.c.gold_id)
            .with_for_update()
        )
        return [to_item(row) for row in self._connection.execute(statement)]

    def overtaken(self, task_id: TaskId) -> set[GoldId]:
        """Return which of them were made of an example that is retracted now, or was decided anew."""
        stands = select(1).select_from(example_validation).where(still_stands)
        statement = select(gold_item.c.gold_id).where(
            gold_item.c.task_id == task_id, in_pool, gold_item.c.example_id.is_not(None), ~stands.exists()
        )
        return {GoldId(gold_id) for gold_id in self._connection.execute(statement).scalars()}

    def candidates(self, task: Task, round_id: RoundId, now: datetime) -> list[GoldItem]:
        """Return items that may be made of the round's examples, the latest resolved first."""
        rows = self._connection.execute(_decided_examples(round_id)).all()
        answers = self._answers([row.example_id for row in rows])
        configurations = {row.configuration_version: row.configuration for row in rows}
        rules_by_version = {version: read_rules(each) for version, each in configurations.items()}
        found: list[GoldItem] = []
        for row in rows:
            rules = rules_by_version[row.configuration_version]
            is_certain = row.adjudicated_at is not None or is_beyond_doubt(
                answers.get(row.example_id, ()), rules
            )
            right = _right_answers(row, rules)
            if is_certain and right and fits(rules, task.rules):
                found.append(_made_of(row, right, now))
        return found

    def _answers(self, example_ids: Sequence[UUID]) -> Mapping[UUID, list[VoteAnswer]]:
        """Return people's answers on each example, counted or not, without those set aside."""
        columns = vote.c.example_id, vote.c.kind, vote.c.option
        statement = select(*columns).where(vote.c.example_id.in_(example_ids), vote.c.set_aside_at.is_(None))
        answers: dict[UUID, list[VoteAnswer]] = {}
        for row in self._connection.execute(statement):
            answers.setdefault(row.example_id, []).append(VoteAnswer(VoteKind(row.kind), row.option))
        return answers


def _decided_examples(round_id: RoundId) -> Any:
    """Select the newest decided examples of the round that never were items."""
    state = example_validation.c
    was_item = select(1).where(gold_item.c.example_id == state.example_id).exists()
    return (
        select(example, state.resolved_at, state.agreed_option, state.golds, state.adjudicated_at)
        .add_columns(task_configuration.c.configuration)
        .join(example_validation, state.example_id == example.c.example_id)
        .join(task_configuration, configuration_of_example)
        .where(
            state.round_id == round_id,
            state.resolution.in_(DECIDED),
            state.retracted.is_(False),
            or_(state.adjudicated_at.is_not(None), state.votes_counted > 1),
            ~was_item,
        )
        .order_by(state.resolved_at.desc(), state.example_id)
        .limit(MOST_CANDIDATES)
    )


def _right_answers(row: Row[Any], rules: ValidationRules) -> tuple[str, ...]:
    return (row.agreed_option,) if rules.mode is VoteMode.JUDGEMENT else tuple(row.golds)


def _made_of(row: Row[Any], right: tuple[str, ...], now: datetime) -> GoldItem:
    return GoldItem(
        gold_id=GoldId(new_id()),
        task_id=TaskId(row.task_id),
        kind=GoldKind.EXAMPLE,
        author_id=PersonId(row.author_id),
        configuration_version=row.configuration_version,
        content=GoldContent(
            row.context or {}, row.input or {}, row.claimed or "", row.label_explanation or "", right
        ),
        added_at=now,
        example_id=ExampleId(row.example_id),
        resolved_at=row.resolved_at,
    )


def to_item(row: Row[Any]) -> GoldItem:
    """Return the item that a row holds."""
    return GoldItem(
        gold_id=GoldId(row.gold_id),
        task_id=TaskId(row.task_id),
        kind=GoldKind(row.kind),
        author_id=PersonId(row.author_id),
        configuration_version=row.configuration_version,
        content=to_content(row),
        added_at=row.added_at,
        example_id=None if row.example_id is None else ExampleId(row.example_id),
        resolved_at=row.resolved_at,
        shown=row.shown,
        answered=row.answered,
        failed=row.failed,
        retirement=None if row.retirement is None else Retirement(row.retirement),
        retired_at=row.retired_at,
    )


def to_content(row: Row[Any]) -> GoldContent:
    """Return what the item of a row shows."""
    return GoldContent(row.context, row.input, row.claimed, row.explanation, tuple(row.answers))


def _row(item: GoldItem) -> dict[str, Any]:
    content = item.content
    return {
        "gold_id": item.gold_id,
        "task_id": item.task_id,
        "kind": item.kind.value,
        "example_id": item.example_id,
        "resolved_at": item.resolved_at,
        "author_id": item.author_id,
        "configuration_version": item.configuration_version,
        "context": dict(content.context),
        "input": dict(content.input),
        "claimed": content.claimed,
        "explanation": content.explanation,
        "answers": list(content.answers),
        "added_at": item.added_at,
        **_standing(item),
    }


def _standing(item: GoldItem) -> dict[str, Any]:
    return {
        "shown": item.shown,
        "answered": item.answered,
        "failed": item.failed,
        "retirement": item.retirement.value if item.retirement else None,
        "retired_at": item.retired_at,
    }
