"""Reads of the open work of a task's owner: SQL to plain records."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from dynabench_common.database.bulk import as_ids, is_among
from dynabench_tasks.resolution import Resolution
from dynabench_tasks.rounds import RoundState
from dynabench_tasks.votes import VoteAnswer, VoteKind
from sqlalchemy import (
    ColumnElement,
    Connection,
    DateTime,
    Engine,
    Row,
    Select,
    and_,
    bindparam,
    case,
    exists,
    func,
    select,
    tuple_,
    union_all,
)

from validation.adapters.agreement_tables import posterior
from validation.adapters.example_search import DISAGREES
from validation.adapters.tables import (
    configuration_of_example,
    example,
    example_question,
    example_validation,
    is_appealed,
    is_pending,
    is_undecided,
    round_,
    round_count,
    task_configuration,
    vote,
)
from validation.domain.errors import RoundUnknown
from validation.domain.identifiers import RoundId
from validation.domain.owner_work import LOW_POSTERIOR, Disagreement, WorkKind
from validation.domain.rules import ValidationRules, read_rules
from validation.queries.validators import open_pause_appeals
from validation.queries.votes import Record, ensure_known, leases_out

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
    WorkKind.QUESTION: and_(
        state.retracted.is_(False), exists().where(example_question.c.example_id == state.example_id)
    ),
    WorkKind.LOW_POSTERIOR: is_doubtful,
}
SINCE = {WorkKind.APPEALED: state.appealed_at, WorkKind.QUESTION: example_question.c.asked_at}
_its_round = round_.alias("its_round")
is_released = exists().where(
    _its_round.c.round_id == state.round_id, _its_round.c.state == RoundState.RELEASED
)
agreed_option = case((state.resolution == Resolution.FLAGGED, VoteKind.FLAG.value), else_=state.agreed_option)


@dataclass(frozen=True)
class WorkFilter:
    """Conditions on waiting examples; None matches anything.

    `claimed` and `agreed` are value texts; an agreed flag goes by `flag`.
    """

    kind: WorkKind | None = None
    claimed: str | None = None
    agreed: str | None = None
    disagreement: Disagreement | None = None


def work_counts(engine: Engine, round_id: RoundId, now: datetime) -> Record:
    """Count what waits for the owner of a round, its validators' appeals among it, and for voters.

    Raises RoundUnknown.
    """
    with engine.connect() as connection:
        found = _counted(connection, [round_id], now)
        if not found:
            raise RoundUnknown(round_id)
        (counts,) = found
        return {**counts, "pause_appeals": open_pause_appeals(connection, counts["task_id"])}


def work_counts_of_rounds(engine: Engine, round_ids: Iterable[RoundId], now: datetime) -> list[Record]:
    """Count which examples of rounds wait, for their owner and for voters; rounds not known here are left out."""
    with engine.connect() as connection:
        return _counted(connection, round_ids, now)


def _counted(connection: Connection, round_ids: Iterable[RoundId], now: datetime) -> list[Record]:
    rows = connection.execute(WORK_COUNTS, {**as_ids(round_ids), "now": now})
    return [dict(row._mapping) for row in rows]


def work(
    engine: Engine, round_id: RoundId, wanted: WorkFilter, limit: int, after: Position | None
) -> list[Record]:
    """Return at most so many examples that wait for the owner, the longest waiting first. Raises RoundUnknown."""
    with engine.connect() as connection:
        ensure_known(connection, round_id)
        waiting = connection.execute(_keys(round_id, wanted, after).limit(limit))
        return list(_items(connection, {row.example_id: row.oldest_at for row in waiting}))


def _of_kind(kind: WorkKind, round_id: RoundId | ColumnElement[UUID]) -> Select[Any]:
    """Select the examples that wait for one reason, and since when, by an index on that reason.

    Once a round is released nothing of it can be decided any more, so nothing waits.
    """
    since = SINCE.get(kind, state.resolved_at)
    statement = select(state.example_id, since.label("since"))
    if kind is WorkKind.LOW_POSTERIOR:
        statement = statement.join(posterior, posterior.c.example_id == state.example_id).where(
            posterior.c.round_id == round_id
        )
    if kind is WorkKind.QUESTION:
        statement = statement.join(example_question, example_question.c.example_id == state.example_id).where(
            example_question.c.round_id == round_id
        )
        return statement.where(state.retracted.is_(False), ~is_released)
    return statement.where(state.round_id == round_id, CONDITIONS[kind], ~is_released)


def _work_counts() -> Select[Any]:
    """Select all counts of examples at once, for each of the rounds: a page lists many of them.

    Which appeals against pauses are open follows from the rules; another query reads them.
    """
    of_round = round_.c.round_id
    kinds = {
        kind.value: _of_kind(kind, of_round).with_only_columns(func.count(), maintain_column_froms=True)
        for kind in WorkKind
    }
    pending = select(func.coalesce(func.sum(round_count.c.examples), 0)).where(
        round_count.c.round_id == of_round, round_count.c.pending
    )
    oldest = select(func.min(state.created_at)).where(state.round_id == of_round, is_pending)
    leases = leases_out(of_round, bindparam("now", type_=DateTime(timezone=True)))
    each = {**kinds, "pending": pending, "oldest_pending_at": oldest, "leases_out": leases}
    columns = (statement.correlate(round_).scalar_subquery().label(name) for name, statement in each.items())
    return select(of_round, round_.c.task_id, *columns).where(is_among(of_round))


WORK_COUNTS = _work_counts()


def _keys(round_id: RoundId, wanted: WorkFilter, after: Position | None) -> Select[UUID, datetime]:
    """Select which examples wait, and since when for their oldest reason."""
    kinds = tuple(WorkKind) if wanted.kind is None else (wanted.kind,)
    reasons = union_all(*(_of_kind(kind, round_id) for kind in kinds)).subquery()
    oldest_at = func.min(reasons.c.since)
    keys = (
        select(reasons.c.example_id, oldest_at.label("oldest_at"))
        .join(example_validation, state.example_id == reasons.c.example_id)
        .group_by(reasons.c.example_id)
    )
    if wanted.claimed is not None:
        keys = keys.join(example, example.c.example_id == reasons.c.example_id)
        keys = keys.where(example.c.claimed == wanted.claimed)
    if wanted.agreed is not None:
        keys = keys.where(agreed_option == wanted.agreed)
    if wanted.disagreement is not None:
        keys = keys.where(DISAGREES[wanted.disagreement])
    if after is not None:
        keys = keys.having(tuple_(oldest_at, reasons.c.example_id) > after)
    return keys.order_by(oldest_at, reasons.c.example_id)


def _items(connection: Connection, oldest_at: Mapping[UUID, datetime]) -> Iterator[Record]:
    rows = {row.example_id: row for row in connection.execute(_details(oldest_at))}
    votes = votes_of(connection, oldest_at)
    rules: dict[tuple[UUID, int], ValidationRules] = {}
    for example_id in oldest_at:
        row = rows[example_id]
        version = row.task_id, row.configuration_version
        if version not in rules:
            rules[version] = read_rules(row.configuration)
        record = _record(row, votes.get(example_id, []), rules[version])
        yield {**record, "oldest_at": oldest_at[example_id]}


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


def votes_of(connection: Connection, example_ids: Iterable[UUID]) -> dict[UUID, list[VoteAnswer]]:
    """Return the votes that count on examples, in the order in which they came, without examples that have none."""
    statement = (
        select(vote.c.example_id, vote.c.kind, vote.c.option)
        .where(vote.c.example_id.in_(example_ids), vote.c.counted)
        .order_by(vote.c.version)
    )
    votes: dict[UUID, list[VoteAnswer]] = {}
    for row in connection.execute(statement):
        votes.setdefault(row.example_id, []).append(VoteAnswer(VoteKind(row.kind), row.option))
    return votes


def tally(answers: Iterable[VoteAnswer]) -> list[Record]:
    """Return the number of votes for each answer, the most frequent first; a flag is named `flag`."""
    names = (VoteKind.FLAG.value if answer.kind is VoteKind.FLAG else answer.option for answer in answers)
    return [{"option": option, "count": count} for option, count in Counter(names).most_common()]


def _record(row: Row[Any], answers: Sequence[VoteAnswer], rules: ValidationRules) -> Record:
    return {
        "example_id": row.example_id,
        "context": rules.values(row.context),
        "input": rules.values(row.input),
        "claimed": rules.claim(row.claimed),
        "resolution": row.resolution,
        "kinds": [kind for kind in WorkKind if row._mapping[kind.value]],
        "votes": tally(answers),
        "posterior": None if row.p is None else {"label": row.label, "p": row.p},
        "appealed_at": row.appealed_at,
    }
