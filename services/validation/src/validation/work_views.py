"""Reads of what waits for a task's owner: SQL to plain records."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from dynabench_tasks.resolution import Resolution
from dynabench_tasks.votes import Answer, VoteKind
from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Row,
    Select,
    and_,
    case,
    func,
    select,
    tuple_,
    union_all,
)

from validation.adapters.agreement_tables import posterior
from validation.adapters.round_counts import round_sums
from validation.adapters.tables import (
    configuration_of_example,
    example,
    example_validation,
    is_appealed,
    is_pending,
    is_undecided,
    task_configuration,
    vote,
)
from validation.domain.identifiers import RoundId
from validation.domain.owner_work import LOW_POSTERIOR, Disagreement, WorkKind, disagreements
from validation.domain.rules import ValidationRules, read_rules
from validation.views import Record, count_leases_out, ensure_known

SCAN = 1_000
"""How many examples are looked through at a time for those whose votes disagree as asked for."""
Position = tuple[datetime, UUID]

state = example_validation.c
is_doubtful = and_(
    state.retracted.is_(False),
    state.adjudicated_at.is_(None),
    state.resolution.in_([Resolution.CORRECT, Resolution.INCORRECT, Resolution.NO_CLAIM]),
    posterior.c.p < LOW_POSTERIOR,
)
"""Matches the examples that people decided and the statistics of their votes do not trust."""
CONDITIONS: Mapping[WorkKind, ColumnElement[bool]] = {
    WorkKind.DISPUTED: and_(is_undecided, state.resolution == Resolution.DISPUTED),
    WorkKind.FLAGGED: and_(is_undecided, state.resolution == Resolution.FLAGGED),
    WorkKind.APPEALED: is_appealed,
    WorkKind.LOW_POSTERIOR: is_doubtful,
}
agreed_option = case((state.resolution == Resolution.FLAGGED, VoteKind.FLAG.value), else_=state.agreed_option)


@dataclass(frozen=True)
class WorkFilter:
    """Which of the waiting examples are asked for; None where anything will do.

    `claimed` and `agreed` are value texts; an agreed flag goes by `flag`.
    """

    kind: WorkKind | None = None
    claimed: str | None = None
    agreed: str | None = None
    disagreement: Disagreement | None = None


def work_counts(engine: Engine, round_id: RoundId, now: datetime) -> Record:
    """Count what waits for the owner of a round, and for voters. Raises RoundUnknown."""
    with engine.connect() as connection:
        ensure_known(connection, round_id)
        waiting = {
            kind.value: connection.execute(
                select(func.count()).select_from(_of_kind(kind, round_id).subquery())
            ).scalar_one()
            for kind in WorkKind
        }
        pending = sum(row.examples for row in round_sums(connection, round_id) if row.pending)
        oldest = connection.execute(
            select(func.min(state.created_at)).where(state.round_id == round_id, is_pending)
        ).scalar_one()
        leases_out = count_leases_out(connection, round_id, now)
    return {**waiting, "pending": int(pending), "oldest_pending_at": oldest, "leases_out": leases_out}


def work(
    engine: Engine, round_id: RoundId, wanted: WorkFilter, limit: int, after: Position | None
) -> list[Record]:
    """Return at most so many examples that wait for the owner, the longest waiting first. Raises RoundUnknown."""
    found: list[Record] = []
    with engine.connect() as connection:
        ensure_known(connection, round_id)
        size = limit if wanted.disagreement is None else SCAN
        keys = _keys(round_id, wanted, after).execution_options(yield_per=size)
        with connection.execute(keys) as waiting:
            for chunk in waiting.partitions():
                found += _items(connection, dict(chunk), wanted)
                if len(found) >= limit:
                    break
    return found[:limit]


def _of_kind(kind: WorkKind, round_id: RoundId) -> Select[Any]:
    """Select the examples that wait for one reason, and since when, by an index on that reason."""
    since = state.appealed_at if kind is WorkKind.APPEALED else state.resolved_at
    statement = select(state.example_id, since.label("since"))
    if kind is WorkKind.LOW_POSTERIOR:
        statement = statement.join(posterior, posterior.c.example_id == state.example_id).where(
            posterior.c.round_id == round_id
        )
    return statement.where(state.round_id == round_id, CONDITIONS[kind])


def _keys(round_id: RoundId, wanted: WorkFilter, after: Position | None) -> Select[UUID, datetime]:
    """Select which examples wait, and since when for their oldest reason."""
    kinds = tuple(WorkKind) if wanted.kind is None else (wanted.kind,)
    reasons = union_all(*(_of_kind(kind, round_id) for kind in kinds)).subquery()
    oldest_at = func.min(reasons.c.since)
    keys = select(reasons.c.example_id, oldest_at).group_by(reasons.c.example_id)
    if wanted.claimed is not None:
        keys = keys.join(example, example.c.example_id == reasons.c.example_id)
        keys = keys.where(example.c.claimed == wanted.claimed)
    if wanted.agreed is not None:
        keys = keys.join(example_validation, state.example_id == reasons.c.example_id)
        keys = keys.where(agreed_option == wanted.agreed)
    if after is not None:
        keys = keys.having(tuple_(oldest_at, reasons.c.example_id) > after)
    return keys.order_by(oldest_at, reasons.c.example_id)


def _items(
    connection: Connection, oldest_at: Mapping[UUID, datetime], wanted: WorkFilter
) -> Iterator[Record]:
    """Return the examples, without those that disagree otherwise: how votes do is for the rules to say, not for SQL."""
    rows = {row.example_id: row for row in connection.execute(_details(oldest_at))}
    votes = _votes(connection, oldest_at)
    rules: dict[tuple[UUID, int], ValidationRules] = {}
    for example_id in oldest_at:
        row = rows[example_id]
        version = row.task_id, row.configuration_version
        if version not in rules:
            rules[version] = read_rules(row.configuration)
        answers = votes.get(example_id, [])
        between = disagreements(answers, row.claimed, rules[version])
        if wanted.disagreement is None or wanted.disagreement in between:
            yield {**_record(row, answers, rules[version]), "oldest_at": oldest_at[example_id]}


def _details(example_ids: Iterable[UUID]) -> Select[Any]:
    return (
        select(state.example_id, state.resolution, state.appealed_at)
        .add_columns(*(condition.label(kind.value) for kind, condition in CONDITIONS.items()))
        .add_columns(example.c.context, example.c.input, example.c.claimed, posterior.c.label, posterior.c.p)
        .add_columns(example.c.task_id, example.c.configuration_version, task_configuration.c.configuration)
        .join(example, example.c.example_id == state.example_id)
        .join(task_configuration, configuration_of_example)
        .join(posterior, posterior.c.example_id == state.example_id, isouter=True)
        .where(state.example_id.in_(example_ids))
    )


def _votes(connection: Connection, example_ids: Iterable[UUID]) -> dict[UUID, list[Answer]]:
    statement = (
        select(vote.c.example_id, vote.c.kind, vote.c.option)
        .where(vote.c.example_id.in_(example_ids), vote.c.counted)
        .order_by(vote.c.version)
    )
    votes: dict[UUID, list[Answer]] = {}
    for row in connection.execute(statement):
        votes.setdefault(row.example_id, []).append(Answer(VoteKind(row.kind), row.option))
    return votes


def _record(row: Row[Any], answers: Sequence[Answer], rules: ValidationRules) -> Record:
    names = [VoteKind.FLAG.value if answer.kind is VoteKind.FLAG else answer.option for answer in answers]
    return {
        "example_id": row.example_id,
        "context": rules.values(row.context),
        "input": rules.values(row.input),
        "claimed": rules.claim(row.claimed),
        "resolution": row.resolution,
        "kinds": [kind for kind in WorkKind if row._mapping[kind.value]],
        "votes": [{"option": option, "count": count} for option, count in Counter(names).most_common()],
        "posterior": None if row.p is None else {"label": row.label, "p": row.p},
        "appealed_at": row.appealed_at,
    }
