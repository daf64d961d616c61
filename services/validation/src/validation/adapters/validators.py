"""Validators' standing in tasks: the owner's decisions, appeals, and recent results on known items."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Connection, Row, and_, bindparam, func, or_, select
from sqlalchemy.dialects.postgresql import aggregate_order_by, insert

from validation.adapters.gold_tables import gold_item, gold_showing, validator
from validation.adapters.tables import round_
from validation.domain.errors import ValidatorUnknown
from validation.domain.gold import Retirement
from validation.domain.identifiers import PersonId, RoundId, TaskId
from validation.domain.validators import WINDOW, Decision, Grade, PauseAppeal, Validator, ValidatorState

VOID = [retirement.value for retirement in Retirement if retirement.voids_answers]
counts: ColumnElement[bool] = and_(
    gold_showing.c.passed.is_not(None),
    or_(gold_item.c.retirement.is_(None), gold_item.c.retirement.not_in(VOID)),
)
"""Matches the graded answers that say something of a person: not those on items that may have been wrong."""

newest = (
    select(gold_showing.c.passed, gold_showing.c.answered_at)
    .join(gold_item)
    .where(
        gold_showing.c.person_id == bindparam("person"), gold_showing.c.task_id == round_.c.task_id, counts
    )
    .order_by(gold_showing.c.answered_at.desc())
    .limit(WINDOW)
    .correlate(round_)
    .subquery("newest")
)
FIND_IN_ROUND = (
    select(round_.c.task_id.label("task_of_round"), validator)
    .add_columns(
        *(
            select(func.array_agg(aggregate_order_by(column, newest.c.answered_at.desc())))
            .correlate(round_)
            .scalar_subquery()
            .label(name)
            for column, name in ((newest.c.passed, "passed"), (newest.c.answered_at, "graded"))
        )
    )
    .select_from(round_)
    .join(
        validator,
        and_(validator.c.task_id == round_.c.task_id, validator.c.person_id == bindparam("person")),
        isouter=True,
    )
    .where(round_.c.round_id == bindparam("round"))
)


class SqlValidators:
    """The validators in PostgreSQL."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def in_round(self, round_id: RoundId, person_id: PersonId) -> Validator | None:
        """Return the person as a validator of the round's task; None while the task is unknown."""
        given = {"round": round_id, "person": person_id}
        row = self._connection.execute(FIND_IN_ROUND, given).one_or_none()
        if row is None or row.task_of_round is None:
            return None
        grades = [Grade(passed, at) for passed, at in zip(row.passed or (), row.graded or (), strict=True)]
        if row.task_id is None:
            return Validator(TaskId(row.task_of_round), person_id, grades, is_enrolled=False)
        return to_validator(row, grades)

    def lock(self, task_id: TaskId, person_id: PersonId) -> Validator:
        """Return the person as a validator of the task, locked. Raises ValidatorUnknown."""
        of_person = and_(validator.c.task_id == task_id, validator.c.person_id == person_id)
        row = self._connection.execute(select(validator).where(of_person).with_for_update()).one_or_none()
        if row is None:
            raise ValidatorUnknown(person_id)
        return self._load(row)

    def enrol(self, of: Validator) -> None:
        """Make the person a validator of the task, unless they are one."""
        first = insert(validator).values(task_id=of.task_id, person_id=of.person_id)
        self._connection.execute(first.on_conflict_do_nothing())

    def save(self, of: Validator) -> None:
        """Store the owner's decision and the appeal."""
        statement = validator.update().where(
            validator.c.task_id == of.task_id, validator.c.person_id == of.person_id
        )
        self._connection.execute(statement.values({**_decision(of.decision), **_appeal(of.appealed)}))

    def _load(self, row: Row[Any]) -> Validator:
        return to_validator(row, self._grades(row.task_id, row.person_id))

    def _grades(self, task_id: UUID, person_id: UUID) -> list[Grade]:
        statement = (
            select(gold_showing.c.passed, gold_showing.c.answered_at)
            .join(gold_item)
            .where(gold_showing.c.person_id == person_id, gold_showing.c.task_id == task_id, counts)
            .order_by(gold_showing.c.answered_at.desc())
            .limit(WINDOW)
        )
        return [Grade(row.passed, row.answered_at) for row in self._connection.execute(statement)]


def newest_grades(connection: Connection, task_id: UUID, people: Sequence[UUID]) -> dict[UUID, list[Grade]]:
    """Return the newest grades of several people, each as long as the window that is looked at."""
    place = func.row_number().over(
        partition_by=gold_showing.c.person_id, order_by=gold_showing.c.answered_at.desc()
    )
    ranked = (
        select(gold_showing.c.person_id, gold_showing.c.passed, gold_showing.c.answered_at)
        .add_columns(place.label("place"))
        .join(gold_item)
        .where(gold_showing.c.task_id == task_id, gold_showing.c.person_id.in_(people), counts)
        .subquery()
    )
    found: dict[UUID, list[Grade]] = {}
    for row in connection.execute(select(ranked).where(ranked.c.place <= WINDOW).order_by(ranked.c.place)):
        found.setdefault(row.person_id, []).append(Grade(row.passed, row.answered_at))
    return found


def to_validator(row: Row[Any], grades: Sequence[Grade]) -> Validator:
    """Return the validator from a row and the person's grades, the newest first."""
    decision = appealed = None
    if row.decided_at is not None:
        is_paused = row.decided_state == ValidatorState.PAUSED.value
        decision = Decision(is_paused, row.decision_reason, row.decided_at)
    if row.appealed_at is not None:
        appealed = PauseAppeal(row.appeal_reason, row.appealed_at)
    return Validator(TaskId(row.task_id), PersonId(row.person_id), grades, decision, appealed)


def _decision(decision: Decision | None) -> dict[str, Any]:
    state = ValidatorState.PAUSED if decision and decision.is_paused else ValidatorState.ACTIVE
    return {
        "decided_state": state.value if decision else None,
        "decision_reason": decision.reason if decision else None,
        "decided_at": decision.decided_at if decision else None,
    }


def _appeal(appealed: PauseAppeal | None) -> dict[str, Any]:
    return {
        "appeal_reason": appealed.reason if appealed else None,
        "appealed_at": appealed.appealed_at if appealed else None,
    }
