"""Rounds: their contexts, what they have collected, and what a change of their state would do."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from dynabench_tasks.rounds import RoundState
from sqlalchemy import Connection, Engine, Select, and_, bindparam, exists, func, select

from annotation.adapters import tables
from annotation.adapters.task_repository import SqlRounds
from annotation.domain.errors import NotFound
from annotation.domain.identifiers import RoundId
from annotation.domain.round import Round
from annotation.domain.round_preview import Collected, Preview, preview
from annotation.domain.target import LostTarget
from annotation.queries import read_rows

SAMPLE = 100
MOST_LOST = 50
LEAST_BANDS = 3
"""Least number of shared bands, of 20. Texts of similarity 0.8 reach it in 98 % of cases, of 0.5 in 2 %. In a large
round, nearly every text shares one band with another by chance.
"""
AT_WORK_FOR = timedelta(hours=1)


ROUND_COLUMNS = ("number", "title", "targets", "state", "created_at", "origin", "source")


@dataclass(frozen=True)
class RoundRecord:
    """A round as lists show it; `segments` and `contexts` are counts, of contexts those in use."""

    round_id: UUID
    task_slug: str
    number: int
    title: str
    targets: Sequence[str]
    state: str
    segments: int
    contexts: int
    has_assigned_work: bool
    created_at: datetime
    origin: str
    source: str


@dataclass(frozen=True)
class NearDuplicates:
    """The share, 0 to 1, of a round's newest `examples` that resemble another one; None without examples."""

    examples: int
    share: float | None


@dataclass(frozen=True)
class ContextRecord:
    """A context as owners see it."""

    context_id: UUID
    fields: dict[str, Any]
    tags: Sequence[str]
    use_count: int
    flags: int
    is_withdrawn: bool


@dataclass(frozen=True)
class CollectionRecord:
    """A round's contexts, people and tries; withdrawn contexts are among `contexts`, not among `contexts_used`.

    `tries` includes retracted ones. `unexplained_fooling` excludes them and counts tries whose author does not say why.
    """

    round_id: UUID
    contexts: int
    contexts_used: int
    contexts_withdrawn: int
    contexts_flagged: int
    people: int
    near_duplicates: NearDuplicates
    tries: int
    unexplained_fooling: int


def _rounds() -> Select[Any]:
    """Select rounds by task, newest first."""
    round_, segment, context = tables.round_, tables.segment, tables.context
    segments = select(func.count()).where(segment.c.round_id == round_.c.round_id).scalar_subquery()
    usable = and_(context.c.round_id == round_.c.round_id, ~context.c.is_withdrawn)
    assigned = exists().where(tables.work_order.c.round_id == round_.c.round_id, tables.is_open_order)
    return (
        select(
            round_.c.round_id,
            tables.task.c.slug.label("task_slug"),
            *(round_.c[name] for name in ROUND_COLUMNS),
            segments.label("segments"),
            select(func.count()).where(usable).scalar_subquery().label("contexts"),
            assigned.label("has_assigned_work"),
        )
        .select_from(round_.join(tables.task, tables.task.c.task_id == round_.c.task_id))
        .order_by(tables.task.c.slug, round_.c.number.desc())
    )


ROUND = _rounds().where(tables.round_.c.round_id == bindparam("round_id"))
OF_TASKS = _rounds().where(tables.task.c.slug.in_(bindparam("slugs", expanding=True)), tables.is_announced)
PAGE_OF_TASK = OF_TASKS.where(tables.round_.c.number < bindparam("before_number")).limit(bindparam("limit"))


def get_round(engine: Engine, round_id: UUID) -> RoundRecord:
    """Return a round. Raises NotFound."""
    found = _read(engine, ROUND, round_id=round_id)
    if not found:
        raise NotFound("round", "round_id")
    return found[0]


def rounds_of_tasks(engine: Engine, slugs: Sequence[str]) -> list[RoundRecord]:
    """Return the announced rounds of these tasks, by task, newest first."""
    return _read(engine, OF_TASKS, slugs=slugs)


def page_of_rounds(engine: Engine, slug: str, limit: int, before_number: int) -> list[RoundRecord]:
    """Return announced rounds of a task with a smaller number, newest first."""
    return _read(engine, PAGE_OF_TASK, slugs=[slug], limit=limit, before_number=before_number)


def _read(engine: Engine, statement: Select[Any], **parameters: Any) -> list[RoundRecord]:
    return [RoundRecord(**row._mapping) for row in read_rows(engine, statement, parameters)]


def list_contexts(engine: Engine, round_id: UUID, limit: int, after_id: UUID | None) -> list[ContextRecord]:
    """Return a round's contexts in the order they were added."""
    context, flag = tables.context, tables.context_flag
    flags = select(func.count()).where(flag.c.context_id == context.c.context_id).scalar_subquery()
    columns = [context.c[name] for name in ("context_id", "fields", "tags", "use_count", "is_withdrawn")]
    statement = (
        select(*columns, flags.label("flags"))
        .where(context.c.round_id == round_id)
        .order_by(context.c.context_id)
        .limit(limit)
    )
    rows = read_rows(
        engine, statement if after_id is None else statement.where(context.c.context_id > after_id)
    )
    return [ContextRecord(**row._mapping) for row in rows]


def get_collection(engine: Engine, round_id: UUID) -> CollectionRecord:
    """Return a summary of a round's collection.

    Near duplicates are looked for around the newest examples only: one search costs 2 ms, and a round may have a
    million. The measurements of a dataset look at all of them.
    """
    context = tables.context.c
    flagged = exists().where(tables.context_flag.c.context_id == context.context_id)
    counts = select(
        func.count().label("contexts"),
        func.count().filter(context.use_count > 0, ~context.is_withdrawn).label("used"),
        func.count().filter(context.is_withdrawn).label("withdrawn"),
        func.count().filter(flagged).label("flagged"),
    ).where(context.round_id == round_id)
    participation = tables.participation.c
    people = select(func.count()).where(participation.round_id == round_id)
    tries = select(func.count()).where(tables.example.c.round_id == round_id)
    unexplained = tries.where(tables.is_unexplained_fooling)
    with engine.connect() as connection:
        row = connection.execute(counts).one()
        return CollectionRecord(
            round_id=round_id,
            contexts=row.contexts,
            contexts_used=row.used,
            contexts_withdrawn=row.withdrawn,
            contexts_flagged=row.flagged,
            people=int(connection.execute(people).scalar_one()),
            near_duplicates=_near_duplicates(connection, round_id),
            tries=int(connection.execute(tries).scalar_one()),
            unexplained_fooling=int(connection.execute(unexplained).scalar_one()),
        )


def preview_state(engine: Engine, round_id: UUID, wanted: RoundState, now: datetime) -> tuple[Round, Preview]:
    """Return the round, and the effects of moving it to `wanted`. Raises NotFound."""
    with engine.connect() as connection:
        round_, task = SqlRounds(connection, lambda _messages: None).get(RoundId(round_id))
        held = _collected(connection, round_id, now)
    return round_, preview(round_, task.configuration.ensemble, held, wanted)


def _collected(connection: Connection, round_id: UUID, now: datetime) -> Collected:
    context, participation, assignment = tables.context.c, tables.participation, tables.assignment
    usable = and_(context.round_id == round_id, ~context.is_withdrawn)
    contexts = select(func.count(), func.count().filter(context.use_count == 0)).where(usable)
    current = participation.join(
        assignment,
        and_(
            assignment.c.person_id == participation.c.person_id,
            assignment.c.context_id == participation.c.context_id,
        ),
    )
    at_work = (
        select(func.count())
        .select_from(current)
        .where(participation.c.round_id == round_id, assignment.c.assigned_at > now - AT_WORK_FOR)
    )
    total, unused = connection.execute(contexts).one()
    return Collected(total, unused, int(connection.execute(at_work).scalar_one()))


def _near_duplicates(connection: Connection, round_id: UUID) -> NearDuplicates:
    example, own = tables.example.c, tables.example_signature.alias("own")
    other = tables.similar_signatures(own.c.bands, "other")
    newest = (
        select(example.example_id)
        .where(example.round_id == round_id)
        .order_by(example.example_id.desc())
        .limit(SAMPLE)
        .subquery()
    )
    resembles = exists().where(other.c.example_id != own.c.example_id, other.c.shared >= LEAST_BANDS)
    statement = select(func.count(), func.count().filter(resembles)).select_from(
        newest.join(own, own.c.example_id == newest.c.example_id)
    )
    sampled, similar = connection.execute(statement).one()
    return NearDuplicates(sampled, similar / sampled if sampled else None)


def list_lost_targets(engine: Engine, round_id: UUID) -> list[LostTarget]:
    """Return the targets that a round lost since they had stopped answering, the newest first. Raises NotFound."""
    get_round(engine, round_id)
    lost = tables.lost_target.c
    chosen = (
        select(*(lost[each.name] for each in fields(LostTarget)))
        .where(lost.round_id == round_id)
        .order_by(lost.lost_at.desc(), lost.target)
        .limit(MOST_LOST)
    )
    with engine.connect() as connection:
        return [LostTarget(**row) for row in connection.execute(chosen).mappings()]
