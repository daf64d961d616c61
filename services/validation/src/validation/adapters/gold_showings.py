"""Showings of known items: when one is due, which one, and its outcome.

An item that another person is being given at this instant is skipped. So people who ask at once get different items
without waiting for each other.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    and_,
    bindparam,
    func,
    null,
    or_,
    select,
    tuple_,
)

from validation.adapters.gold_items import SqlGoldItems, still_stands, to_content, to_item
from validation.adapters.gold_tables import gold_answer, gold_item, gold_showing, in_pool
from validation.adapters.tables import (
    assigned_checks,
    example,
    example_validation,
    key_of_reveals,
    round_,
    round_number,
    task_configuration,
    vote,
)
from validation.adapters.tasks import SqlTasks
from validation.adapters.validation_rows import to_vote, vote_row
from validation.domain.disclosure import answers_of_models
from validation.domain.gold import GoldItem, GoldKind, fits, id_between, is_due, wants_attention_check
from validation.domain.gold_showing import GoldShowing
from validation.domain.identifiers import ExampleId, GoldId, LeaseId, PersonId, RoundId, TaskId, VoteId
from validation.domain.rules import Task, read_rules
from validation.domain.votes import Vote

MOST_CANDIDATES = 20
HAS_POOL = select(
    select(1)
    .select_from(gold_item.join(round_, round_.c.task_id == gold_item.c.task_id))
    .join(task_configuration, task_configuration.c.task_id == gold_item.c.task_id)
    .where(round_.c.round_id == bindparam("round"), in_pool)
    .exists()
)
IS_FAILED = (
    select(1)
    .select_from(gold_answer.join(gold_showing))
    .where(
        gold_answer.c.vote_id == bindparam("vote"),
        gold_answer.c.cast_at == gold_showing.c.answered_at,
        gold_showing.c.passed.is_(False),
    )
)


class SqlGoldShowings:
    """Showings of known items, and people's answers."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._items = SqlGoldItems(connection)
        self._tasks = SqlTasks(connection)

    def show_due(
        self, round_id: RoundId, person_id: PersonId, now: datetime, instead_of: ExampleId
    ) -> ExampleId | None:
        """Show the person a known item before an example if one is due; return the showing's id, else None."""
        if not self._connection.execute(HAS_POOL, {"round": round_id}).scalar_one():
            return None
        task = self._tasks.of_round(round_id)
        answers = self._answers_if_due(task, person_id)
        item = None if answers is None else self._choose(task, person_id, now)
        if item is None:
            return None
        showing_id = ExampleId(id_between(self._before(instead_of), instead_of))
        self._connection.execute(
            gold_showing.insert().values(
                showing_id=showing_id,
                gold_id=item.gold_id,
                task_id=task.task_id,
                round_id=round_id,
                person_id=person_id,
                configuration_version=task.configuration_version,
                after_answers=answers,
                shown_at=now,
            )
        )
        return showing_id

    def _before(self, example_id: ExampleId) -> UUID | None:
        """Return the example of the same round that was written just before another."""
        this, older = example_validation.alias("this").c, example_validation.c
        statement = (
            select(older.example_id)
            .join(this.example_id.table, this.round_id == older.round_id)
            .where(
                this.example_id == example_id,
                tuple_(older.created_at, older.example_id) < tuple_(this.created_at, this.example_id),
            )
            .order_by(older.created_at.desc(), older.example_id.desc())
            .limit(1)
        )
        found: UUID | None = self._connection.execute(statement).scalar_one_or_none()
        return found

    def is_failed(self, vote_id: VoteId) -> bool:
        """Return whether the vote was a first answer on a known item, and wrong."""
        return self._connection.execute(IS_FAILED, {"vote": vote_id}).one_or_none() is not None

    def lock(self, showing_id: ExampleId) -> GoldShowing | None:
        """Return the showing, locked, if there is one of that id."""
        statement = _showings().where(gold_showing.c.showing_id == showing_id)
        row = self._connection.execute(statement.with_for_update(of=gold_showing)).one_or_none()
        return None if row is None else self._load(row)

    def find(self, showing_id: ExampleId) -> GoldShowing | None:
        """Return the showing, for reading."""
        row = self._connection.execute(
            _showings().where(gold_showing.c.showing_id == showing_id)
        ).one_or_none()
        return None if row is None else self._load(row)

    def answered_in(self, round_id: RoundId, person_id: PersonId, limit: int) -> list[GoldShowing]:
        """Return the person's newest answered showings in the round."""
        statement = (
            _showings()
            .join(gold_answer, gold_answer.c.showing_id == gold_showing.c.showing_id)
            .where(gold_showing.c.person_id == person_id, gold_showing.c.round_id == round_id)
            .order_by(gold_answer.c.cast_at.desc())
            .limit(limit)
        )
        return [self._load(row) for row in self._connection.execute(statement).all()]

    def showing_of(self, vote_id: VoteId) -> ExampleId | None:
        """Return the showing that the vote was cast on."""
        statement = select(gold_answer.c.showing_id).where(gold_answer.c.vote_id == vote_id)
        showing_id: UUID | None = self._connection.execute(statement).scalar_one_or_none()
        return None if showing_id is None else ExampleId(showing_id)

    def is_open(self, showing_id: ExampleId, round_id: RoundId) -> bool:
        """Return whether the showing is of the round and has no answer."""
        answered = select(1).where(gold_answer.c.showing_id == gold_showing.c.showing_id).exists()
        statement = select(1).where(
            gold_showing.c.showing_id == showing_id, gold_showing.c.round_id == round_id, ~answered
        )
        return self._connection.execute(statement).one_or_none() is not None

    def cast_on_lease(self, lease_id: LeaseId, person_id: PersonId) -> VoteId | None:
        """Return the answer that the person gave on the lease."""
        statement = (
            select(gold_answer.c.vote_id)
            .join(gold_showing)
            .where(gold_answer.c.lease_id == lease_id, gold_showing.c.person_id == person_id)
        )
        vote_id: UUID | None = self._connection.execute(statement).scalar_one_or_none()
        return None if vote_id is None else VoteId(vote_id)

    def any_of(self, person_id: PersonId, round_id: RoundId) -> bool:
        """Return whether the person has answered on an item in the round."""
        answered = select(1).where(
            gold_showing.c.person_id == person_id,
            gold_showing.c.round_id == round_id,
            gold_answer.c.showing_id == gold_showing.c.showing_id,
        )
        return bool(self._connection.execute(select(answered.exists())).scalar_one())

    def save(self, showing: GoldShowing) -> None:
        """Replace the stored answer, and grade it if it is the first one other than `unsure`."""
        if showing.grade():
            self._save_grade(showing)
        of_showing = gold_answer.c.showing_id == showing.example_id
        self._connection.execute(gold_answer.delete().where(of_showing))
        for answer in showing.votes:
            self._connection.execute(gold_answer.insert().values(_answer_row(showing, answer)))
        of_showing = gold_showing.c.showing_id == showing.example_id
        self._connection.execute(gold_showing.update().where(of_showing).values(version=showing.version))

    def save_reveal(self, answer: Vote) -> None:
        """Record that the person has seen the author's claim."""
        of_answer = gold_answer.c.vote_id == answer.vote_id
        self._connection.execute(gold_answer.update().where(of_answer).values(revealed_at=answer.revealed_at))

    def _save_grade(self, showing: GoldShowing) -> None:
        statement = gold_showing.update().where(gold_showing.c.showing_id == showing.example_id)
        self._connection.execute(statement.values(answered_at=showing.answered_at, passed=showing.passed))
        if showing.passed is not None and showing.answered_at is not None:
            item = self._items.lock(showing.gold_id)
            item.grade(passed=showing.passed, now=showing.answered_at)
            self._items.save(item)

    def _answers_if_due(self, task: Task, person_id: PersonId) -> int | None:
        """Count the examples of the task that the person answered on; None if no item is due at this count.

        Those that an owner assigned to them do not count, as no item comes among them.
        """
        assigned = select(func.unnest(assigned_checks.c.example_ids)).where(
            assigned_checks.c.person_id == person_id
        )
        count = (
            select(func.count())
            .select_from(vote.join(example, example.c.example_id == vote.c.example_id))
            .where(
                vote.c.voter_id == person_id,
                example.c.task_id == task.task_id,
                vote.c.example_id.not_in(assigned),
            )
        )
        answers = int(self._connection.execute(count).scalar_one())
        if not is_due(answers, task.rules.gold_rate):
            return None
        had_one = select(1).where(
            _of_person(task.task_id, person_id),
            gold_showing.c.after_answers == answers,
            gold_showing.c.answered_at.is_not(None),
        )
        return None if self._connection.execute(had_one.limit(1)).one_or_none() else answers

    def _choose(self, task: Task, person_id: PersonId, now: datetime) -> GoldItem | None:
        """Return an item that the person has never seen, counted as shown once more; None if there is none."""
        shown = select(func.count()).where(_of_person(task.task_id, person_id))
        attention = wants_attention_check(int(self._connection.execute(shown).scalar_one()))
        preferred = GoldKind.ATTENTION if attention else GoldKind.EXAMPLE
        for row in self._connection.execute(_candidates(task.task_id, person_id, preferred)).all():
            if not fits(read_rules(row.configuration), task.rules):
                continue
            locked = select(gold_item).where(gold_item.c.gold_id == row.gold_id, in_pool)
            free = self._connection.execute(locked.with_for_update(skip_locked=True)).one_or_none()
            if free is not None:
                item = to_item(free)
                item.show(now)
                self._items.save(item)
                return item
        return None

    def _load(self, row: Row[Any]) -> GoldShowing:
        content = to_content(row)
        showing = GoldShowing(
            example_id=ExampleId(row.showing_id),
            round_id=RoundId(row.round_id),
            author_id=PersonId(row.author_id),
            claimed=content.claimed,
            rules=read_rules(row.configuration),
            task_slug=row.slug,
            texts={**content.context, **content.input},
            round_number=row.round_number,
            gold_id=GoldId(row.gold_id),
            content=content,
            answered_at=row.answered_at,
            passed=row.passed,
            models=answers_of_models(row.reveal_key, row.source_id, row.targets),
        )
        for answer in self._votes(row.showing_id):
            if answer.is_evidence:
                showing.votes.append(answer)
            else:
                showing.take_in([answer], answer.cast_at)
        showing.take_unsaved()
        showing.version = row.version
        return showing

    def _votes(self, showing_id: UUID) -> Sequence[Vote]:
        statement = (
            select(gold_answer, gold_showing.c.person_id.label("voter_id"), null().label("set_aside_at"))
            .join(gold_showing)
            .where(gold_answer.c.showing_id == showing_id)
        )
        return [to_vote(row) for row in self._connection.execute(statement)]


def _of_person(task_id: TaskId, person_id: PersonId) -> ColumnElement[bool]:
    return and_(gold_showing.c.person_id == person_id, gold_showing.c.task_id == task_id)


def _showings() -> Select[Any]:
    """Select showings with their items; `source_id` is the item's example if that is of the same round, else null."""
    of_configuration = and_(
        task_configuration.c.task_id == gold_showing.c.task_id,
        task_configuration.c.configuration_version == gold_showing.c.configuration_version,
    )
    source = and_(
        example.c.example_id == gold_item.c.example_id, example.c.round_id == gold_showing.c.round_id
    )
    return (
        select(gold_showing, gold_item.c.author_id, gold_item.c.context)
        .add_columns(gold_item.c.input, gold_item.c.claimed, gold_item.c.explanation, gold_item.c.answers)
        .add_columns(task_configuration.c.configuration, task_configuration.c.slug, round_number)
        .add_columns(example.c.example_id.label("source_id"), example.c.targets, key_of_reveals)
        .join(gold_item)
        .join(example, source, isouter=True)
        .join(task_configuration, of_configuration)
        .join(round_, round_.c.round_id == gold_showing.c.round_id, isouter=True)
    )


def _candidates(task_id: TaskId, person_id: PersonId, preferred: GoldKind) -> Select[Any]:
    """Select items that are neither the person's own nor known to them, the preferred kind and least shown first."""
    seen = select(1).where(
        gold_showing.c.gold_id == gold_item.c.gold_id, gold_showing.c.person_id == person_id
    )
    voted = select(1).where(vote.c.example_id == gold_item.c.example_id, vote.c.voter_id == person_id)
    stands = select(1).select_from(example_validation).where(still_stands)
    of_version = and_(
        task_configuration.c.task_id == gold_item.c.task_id,
        task_configuration.c.configuration_version == gold_item.c.configuration_version,
    )
    return (
        select(gold_item.c.gold_id, task_configuration.c.configuration)
        .join(task_configuration, of_version)
        .where(
            gold_item.c.task_id == task_id,
            in_pool,
            gold_item.c.author_id != person_id,
            ~seen.exists(),
            ~voted.exists(),
            or_(gold_item.c.kind == GoldKind.ATTENTION.value, stands.exists()),
        )
        .order_by((gold_item.c.kind == preferred.value).desc(), gold_item.c.shown, gold_item.c.gold_id)
        .limit(MOST_CANDIDATES)
    )


def _answer_row(showing: GoldShowing, answer: Vote) -> dict[str, Any]:
    row = {**vote_row(showing, answer, showing.version), "showing_id": showing.example_id}
    return {column.name: row[column.name] for column in gold_answer.c}
