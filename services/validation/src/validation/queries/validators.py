"""Reads about validators: their work, and their results compared with other voters and on known items."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, time, timedelta
from itertools import groupby
from operator import attrgetter
from typing import Any
from uuid import UUID

from dynabench_tasks.statistics.rates import Rate, independent_rate
from dynabench_tasks.votes import VoteAnswer, VoteKind
from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Engine,
    Row,
    Select,
    Uuid,
    and_,
    bindparam,
    func,
    or_,
    select,
    true,
    tuple_,
    union_all,
)
from sqlalchemy.dialects.postgresql import ARRAY, aggregate_order_by

from validation.adapters.gold_tables import gold_answer, gold_item, gold_showing, validator
from validation.adapters.tables import example, example_validation, task_configuration, vote
from validation.adapters.tasks import configuration_columns, rules_in
from validation.adapters.validators import SqlValidators, counts, newest_grades, to_validator
from validation.domain.agreement import NOTHING_COMPARES, BesideOthers, agreement_with_others
from validation.domain.identifiers import PersonId, RoundId, TaskId
from validation.domain.rules import ValidationRules
from validation.domain.validators import Validator, ValidatorState
from validation.domain.votes import UNDO_SECONDS
from validation.queries.votes import Record, ensure_known

NO_AGREEMENT = independent_rate(0, 0, NOTHING_COMPARES)
NEWEST_VOTES = 1_000
NO_GOLD = "no known answers yet"

Rules = Mapping[tuple[UUID, int], ValidationRules]
PERSON, ROUND = BindParameter[Any]("person_id"), BindParameter[Any]("round_id")
VOTE_TIMES = (
    select(vote.c.cast_at)
    .join(example_validation, example_validation.c.example_id == vote.c.example_id)
    .where(
        vote.c.voter_id == PERSON,
        vote.c.kind != VoteKind.UNSURE.value,
        example_validation.c.round_id == ROUND,
    )
)
KNOWN_ITEM_TIMES = (
    select(gold_answer.c.cast_at)
    .join(gold_showing)
    .where(
        gold_showing.c.person_id == PERSON,
        gold_answer.c.kind != VoteKind.UNSURE.value,
        gold_showing.c.round_id == ROUND,
    )
)
ANSWER_TIMES = union_all(VOTE_TIMES, KNOWN_ITEM_TIMES)
GOLD_RESULTS = (
    select(gold_showing.c.person_id, func.count().label("n"))
    .add_columns(func.count().filter(gold_showing.c.passed).label("passed"))
    .join(gold_item)
    .where(
        gold_showing.c.task_id == bindparam("task_id"),
        gold_showing.c.person_id.in_(bindparam("people", expanding=True)),
        counts,
    )
    .group_by(gold_showing.c.person_id)
)


def _beside_each_other(within: ColumnElement[bool]) -> Select[Any]:
    """Count pairs of an answer and an answer of another to the same example: few rows for many votes."""
    person = (
        func.unnest(bindparam("people", type_=ARRAY(Uuid))).table_valued("id").render_derived(name="person")
    )
    own, other = _newest(person.c.id, within).lateral("own"), vote.alias("other")
    is_other = and_(
        other.c.example_id == own.c.example_id,
        other.c.voter_id != own.c.voter_id,
        other.c.kind != VoteKind.UNSURE.value,
        other.c.set_aside_at.is_(None),
    )
    said = func.jsonb_build_array(other.c.kind, other.c.option)
    others = func.jsonb_agg(aggregate_order_by(said, other.c.version))
    alike = [column for column in own.c if column.name not in {"vote_id", "example_id"}]
    each = (
        select(*alike, others.filter(other.c.vote_id.is_not(None)).label("others"))
        .select_from(person)
        .join(own, true())
        .join(other, is_other, isouter=True)
        .group_by(own.c.vote_id, *alike)
        .subquery()
    )
    return select(each, func.count().label("times")).group_by(*each.c).order_by(each.c.voter_id)


def _newest(person_id: ColumnElement[UUID], within: ColumnElement[bool]) -> Select[Any]:
    """Select a person's newest votes, with the outcomes of their examples."""
    state = example_validation.c
    return (
        select(vote.c.vote_id, vote.c.example_id, vote.c.voter_id, vote.c.kind, vote.c.option)
        .add_columns(state.adjudicated_kind, state.adjudicated_option)
        .add_columns(example.c.task_id, example.c.configuration_version)
        .join(example_validation, state.example_id == vote.c.example_id)
        .join(example, example.c.example_id == vote.c.example_id)
        .where(
            vote.c.voter_id == person_id,
            vote.c.kind != VoteKind.UNSURE.value,
            vote.c.set_aside_at.is_(None),
            within,
        )
        .order_by(vote.c.cast_at.desc(), vote.c.vote_id)
        .limit(bindparam("newest_votes"))
    )


IS_FINAL = or_(
    vote.c.revealed_at.is_not(None),
    and_(example_validation.c.resolution.is_not(None), vote.c.cast_at < bindparam("cast_before")),
)
"""Matches the votes that no other answer can take the place of: their voters may see how they compare."""
FINAL_IN_ROUND = _beside_each_other(and_(example_validation.c.round_id == ROUND, IS_FINAL))
IN_TASK = _beside_each_other(example.c.task_id == bindparam("task_id"))


def person_in_round(engine: Engine, round_id: RoundId, person_id: PersonId, now: datetime) -> Record:
    """Return a person's own work in a round; "today" begins at midnight UTC. Raises RoundUnknown.

    Answers on known items are work like any other: a count without them would reveal them. The agreement is that of
    final votes: of any other it would show what the others say.
    """
    midnight = datetime.combine(now.astimezone(UTC).date(), time(), UTC)
    final = {"round_id": round_id, "cast_before": now - timedelta(seconds=UNDO_SECONDS)}
    with engine.connect() as connection:
        ensure_known(connection, round_id)
        parameters = {"round_id": round_id, "person_id": person_id}
        cast_at = connection.execute(ANSWER_TIMES, parameters).scalars().all()
        agreement = _agreement_rates(connection, FINAL_IN_ROUND, [person_id], final).get(
            person_id, NO_AGREEMENT
        )
        standing = SqlValidators(connection).in_round(round_id, person_id)
        golds = gold_rates(connection, standing.task_id, [person_id]) if standing else {}
    return {
        "votes": len(cast_at),
        "votes_today": sum(at >= midnight for at in cast_at),
        "agreement": agreement.value,
        "agreement_low": agreement.low,
        "agreement_high": agreement.high,
        "agreement_votes": agreement.n,
        "gold": golds.get(person_id, independent_rate(0, 0, NO_GOLD)),
        "state": standing.state if standing else ValidatorState.ACTIVE,
        "pause": _pause(standing) if standing and standing.state is ValidatorState.PAUSED else None,
    }


def _pause(of: Validator) -> Record:
    appealed = of.pause_appeal
    return {
        "reason": of.pause_reason,
        "appeal": appealed
        and {"reason": appealed.reason, "at": appealed.appealed_at, "answer": of.appeal_answer},
    }


def validators_of_task(engine: Engine, task_id: TaskId, after: PersonId | None, limit: int) -> list[Record]:
    """Return validators of a task with their figures, in the order of their ids."""
    statement = select(validator).where(validator.c.task_id == task_id)
    if after is not None:
        statement = statement.where(validator.c.person_id > after)
    with engine.connect() as connection:
        rows = connection.execute(statement.order_by(validator.c.person_id).limit(limit)).all()
        return _figures(connection, task_id, rows)


def validator_of_task(engine: Engine, task_id: TaskId, person_id: PersonId) -> Record:
    """Return one validator of a task, who must be one, with their figures."""
    of_person = and_(validator.c.task_id == task_id, validator.c.person_id == person_id)
    with engine.connect() as connection:
        rows = connection.execute(select(validator).where(of_person)).all()
        return _figures(connection, task_id, rows)[0]


def standings_of_person(engine: Engine, person_id: UUID) -> list[Record]:
    """Return where a person stands, by the tasks' slugs; a task that is not known here yet is left out."""
    slug = (
        select(task_configuration.c.slug)
        .where(task_configuration.c.task_id == validator.c.task_id)
        .order_by(task_configuration.c.configuration_version.desc())
        .limit(1)
        .scalar_subquery()
        .label("slug")
    )
    with engine.connect() as connection:
        rows = connection.execute(select(validator, slug).where(validator.c.person_id == person_id)).all()
        found = []
        for row in rows:
            grades = newest_grades(connection, row.task_id, [person_id]).get(person_id, ())
            of = to_validator(row, grades)
            is_paused = of.state is ValidatorState.PAUSED
            appealed = of.open_appeal
            found.append(
                {
                    "task_slug": row.slug,
                    "state": of.state,
                    "paused_by": ("owner" if of.is_paused_by_owner else "checks") if is_paused else None,
                    "paused_at": of.paused_at,
                    "reason": of.pause_reason,
                    "failures": of.failures,
                    "appeal": {"reason": appealed.reason, "at": appealed.appealed_at} if appealed else None,
                }
            )
    return sorted((each for each in found if each["task_slug"]), key=lambda each: str(each["task_slug"]))


def open_pause_appeals(connection: Connection, task_id: UUID) -> int:
    """Count the paused people whose appeal waits for the owner of a task."""
    appealed = select(validator).where(validator.c.task_id == task_id, validator.c.appealed_at.is_not(None))
    rows = connection.execute(appealed).all()
    if not rows:
        return 0
    grades = newest_grades(connection, task_id, [row.person_id for row in rows])
    people = (to_validator(row, grades.get(row.person_id, ())) for row in rows)
    return sum(person.open_appeal is not None for person in people)


def _figures(connection: Connection, task_id: TaskId, rows: Sequence[Row[Any]]) -> list[Record]:
    people = [row.person_id for row in rows]
    grades = newest_grades(connection, task_id, people)
    agreements = _agreement_rates(connection, IN_TASK, people, {"task_id": task_id})
    golds = gold_rates(connection, task_id, people)
    work = _work(connection, task_id, people)
    return [
        {
            **_standing(to_validator(row, grades.get(row.person_id, ()))),
            "votes": work[row.person_id].votes if row.person_id in work else 0,
            "seconds_median": work[row.person_id].seconds_median if row.person_id in work else None,
            "agreement": agreements.get(row.person_id, NO_AGREEMENT),
            "gold": golds.get(row.person_id, independent_rate(0, 0, NO_GOLD)),
        }
        for row in rows
    ]


def _standing(of: Validator) -> Record:
    appealed = of.open_appeal
    return {
        "voter_id": of.person_id,
        "state": of.state,
        "failures": of.failures,
        "appeal": {"reason": appealed.reason, "at": appealed.appealed_at} if appealed else None,
    }


def _work(connection: Connection, task_id: TaskId, people: Sequence[UUID]) -> dict[UUID, Row[Any]]:
    seconds = func.percentile_cont(0.5).within_group(vote.c.seconds).label("seconds_median")
    statement = (
        select(vote.c.voter_id, func.count().label("votes"), seconds)
        .join(example, example.c.example_id == vote.c.example_id)
        .where(
            vote.c.voter_id.in_(people),
            vote.c.kind != VoteKind.UNSURE.value,
            example.c.task_id == task_id,
        )
        .group_by(vote.c.voter_id)
    )
    return {row.voter_id: row for row in connection.execute(statement)}


def gold_rates(connection: Connection, task_id: UUID, people: Sequence[UUID]) -> dict[UUID, Rate]:
    """Return how often people were right on known items of a task; those that may have been wrong are left out."""
    rows = connection.execute(GOLD_RESULTS, {"task_id": task_id, "people": people})
    return {row.person_id: independent_rate(row.passed, row.n, NO_GOLD) for row in rows}


def _agreement_rates(
    connection: Connection, statement: Select[Any], people: Sequence[UUID], parameters: Mapping[str, Any]
) -> dict[UUID, Rate]:
    """Return each person's agreement with the outcomes of examples, their own votes left out.

    Only the newest votes of each person count, which shows recent performance and bounds the cost. The outcome of an
    adjudicated example is its owner's answer, of any other the majority of the other voters.
    """
    limits = {"people": people, "newest_votes": NEWEST_VOTES}
    rows = connection.execute(statement, {**parameters, **limits}).all()
    rules = _rules(connection, rows)
    return {
        voter_id: agreement_with_others(_compared(row, rules) for row in own)
        for voter_id, own in groupby(rows, key=attrgetter("voter_id"))
    }


def _rules(connection: Connection, rows: Sequence[Row[Any]]) -> Rules:
    """Return the rules of the configuration versions that these examples were made under."""
    key = task_configuration.c.task_id, task_configuration.c.configuration_version
    versions = sorted({(row.task_id, row.configuration_version) for row in rows})
    statement: Select[Any] = select(*configuration_columns).where(tuple_(*key).in_(versions))
    found = connection.execute(statement)
    return {(row.task_id, row.configuration_version): rules_in(row) for row in found}


def _compared(row: Row[Any], rules: Rules) -> BesideOthers:
    if row.adjudicated_kind is not None:
        others = [VoteAnswer(VoteKind(row.adjudicated_kind), row.adjudicated_option)]
    else:
        others = [VoteAnswer(VoteKind(kind), option) for kind, option in row.others or ()]
    answer = VoteAnswer(VoteKind(row.kind), row.option)
    return BesideOthers(answer, others, rules[row.task_id, row.configuration_version], row.times)
