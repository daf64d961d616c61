"""Reads of agreement: the stored sums, plus the changes that the worker has not counted yet.

A round's figures cost the same whether it has a thousand examples or a million. A read takes some hundred sums a group,
and at most `MOST_CHANGES` examples that changed since the worker counted last, usually none. So a vote, a retraction or
an adjudication shows at once. If more changes wait, as after an import of a million votes, the rest is left to the
worker. The answer's `behind` says how many there are.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import numpy as np
from dynabench_tasks.statistics.agreement import agreement
from dynabench_tasks.statistics.intervals import Amounts
from dynabench_tasks.statistics.rates import Rate
from sqlalchemy import Connection, Engine, func, select
from sqlalchemy.dialects.postgresql import aggregate_order_by

from validation.adapters.agreement_shares import counted_shares, current_shares
from validation.adapters.agreement_sums import NO_VOTES, Differences, differences
from validation.adapters.agreement_tables import agreement_change, agreement_sum, agreement_voter
from validation.adapters.tables import round_
from validation.domain.agreement import rate_of_voters
from validation.domain.errors import RoundUnknown
from validation.domain.groups import NOBODY, WHOLE_ROUND, Group, GroupKind
from validation.domain.identifiers import RoundId
from validation.domain.statistics.vote_sums import Basis, Measure, SumKey, Sums, vote_table

MOST_CHANGES = 5_000
HALVES = 2

Record = dict[str, Any]


@dataclass
class _Figures:
    """Sums and numbers of known voters by group, from one moment of the database."""

    sums: dict[Group, Counter[SumKey]] = field(default_factory=lambda: defaultdict(Counter))
    voters: Counter[Group] = field(default_factory=Counter)
    behind: int = 0


def round_agreement(engine: Engine, round_id: RoundId, by: GroupKind | None) -> Record:
    """Return how far people agree in a round, and in its groups of a kind. Raises RoundUnknown."""
    kinds = [GroupKind.ROUND] if by is None else [GroupKind.ROUND, by]
    with _snapshot(engine) as connection:
        _ensure_known(connection, round_id)
        figures = _read(connection, round_id, kinds)
    basis = _basis(figures.sums[WHOLE_ROUND])
    groups = sorted(group for group, sums in figures.sums.items() if group.kind is by and any(sums.values()))
    return {
        "round_id": round_id,
        **_record(figures, WHOLE_ROUND, basis),
        "behind": figures.behind,
        "groups": [{"name": group.name, **_record(figures, group, basis)} for group in groups],
    }


def human_estimate(engine: Engine, round_id: RoundId) -> Record:
    """Return how often a validator agrees with the others, the own vote left out. Raises RoundUnknown."""
    with _snapshot(engine) as connection:
        _ensure_known(connection, round_id)
        found, _ = _changes(connection, round_id)
        sums = _sums(connection, round_id, [GroupKind.ROUND], found)[WHOLE_ROUND]
        counts, are_known = _compared(connection, round_id, found)
    nothing = "there are no votes to compare yet"
    rate = rate_of_voters(counts[1] / HALVES, counts[0] / HALVES, nothing, are_known=are_known)
    return {
        "agreement": rate,
        "n_votes": rate.n,
        "n_examples": sums[SumKey(Measure.COMPARED)],
        "reason": _estimate_reason(rate, _basis(sums)),
    }


def _estimate_reason(rate: Rate, basis: Basis) -> str | None:
    if rate.value is not None and basis is Basis.FIRST_TWO_VOTES:
        return "adaptive: only the first two votes are compared, which agree less often than a majority would"
    return rate.reason


def _snapshot(engine: Engine) -> Connection:
    return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True).connect()


def _ensure_known(connection: Connection, round_id: RoundId) -> None:
    if connection.execute(select(1).where(round_.c.round_id == round_id)).one_or_none() is None:
        raise RoundUnknown(round_id)


def _basis(sums: Sums) -> Basis:
    """Return the basis of a round: where one example's voting was adaptive, the first two votes of all."""
    return Basis.FIRST_TWO_VOTES if sums.get(SumKey(Measure.ADAPTIVE)) else Basis.ALL_VOTES


def _read(connection: Connection, round_id: RoundId, kinds: list[GroupKind]) -> _Figures:
    found, behind = _changes(connection, round_id)
    voters = _voters(connection, round_id, kinds, found)
    return _Figures(_sums(connection, round_id, kinds, found), voters, behind)


def _changes(connection: Connection, round_id: RoundId) -> tuple[Differences, int]:
    """Return what the sums lack, and how many notes of changes are left to the worker."""
    of_round = agreement_change.c.round_id == round_id
    oldest = select(agreement_change.c.example_id).where(of_round).order_by(agreement_change.c.change_id)
    noted = connection.execute(oldest.limit(MOST_CHANGES)).scalars().all()
    example_ids = sorted(set(noted))
    found = differences(
        counted_shares(connection, example_ids), current_shares(connection, example_ids), example_ids
    )
    if len(noted) < MOST_CHANGES:
        return found, 0
    waiting = select(func.count()).select_from(agreement_change).where(of_round)
    return found, connection.execute(waiting).scalar_one() - len(noted)


def _sums(
    connection: Connection, round_id: RoundId, kinds: list[GroupKind], found: Differences
) -> dict[Group, Counter[SumKey]]:
    table = agreement_sum.c
    statement = select(agreement_sum).where(table.round_id == round_id, table.group_kind.in_(kinds))
    sums: dict[Group, Counter[SumKey]] = defaultdict(Counter)
    for row in connection.execute(statement):
        group = Group(GroupKind(row.group_kind), row.group_name)
        sums[group][SumKey(Measure(row.measure), row.size, row.option)] = row.amount
    for ((_, group), measured), amount in found.sums().items():
        if group.kind in kinds:
            sums[group][measured] += amount
    return sums


def _voters(
    connection: Connection, round_id: RoundId, kinds: list[GroupKind], found: Differences
) -> Counter[Group]:
    """Count the known voters of each group."""
    table = agreement_voter.c
    of_groups = (table.round_id == round_id, table.group_kind.in_(kinds), table.voter_id != NOBODY)
    statement = (
        select(table.group_kind, table.group_name, func.count().label("voters"))
        .where(*of_groups, table.votes > 0)
        .group_by(table.group_kind, table.group_name)
    )
    voters: Counter[Group] = Counter()
    for row in connection.execute(statement):
        voters[Group(GroupKind(row.group_kind), row.group_name)] = row.voters
    changed = {
        (group, voter_id): counts.votes
        for ((_, group), voter_id), counts in found.voters().items()
        if group.kind in kinds and voter_id != NOBODY and counts.votes
    }
    people = sorted({voter_id for _, voter_id in changed})
    before: dict[tuple[Group, UUID], int] = {}
    for row in connection.execute(select(agreement_voter).where(*of_groups, table.voter_id.in_(people))):
        before[Group(GroupKind(row.group_kind), row.group_name), row.voter_id] = row.votes
    for (group, voter_id), more in changed.items():
        held = before.get((group, voter_id), 0)
        voters[group] += (held + more > 0) - (held > 0)
    return voters


def _compared(connection: Connection, round_id: RoundId, found: Differences) -> tuple[Amounts, bool]:
    """Return each voter's votes comparable with others', and those that agreed, in halves.

    Also return whether all these voters are known. The database gathers the numbers, since reading 10,000 rows costs
    more in Python. The numbers are in the order of voters, so that their sums are reproducible.
    """
    changed = {
        voter_id: more for ((_, group), voter_id), more in found.voters().items() if group == WHOLE_ROUND
    }
    table = agreement_voter.c
    of_round = table.round_id == round_id, table.group_kind == GroupKind.ROUND.value
    names = (table.compared, table.same)
    gathered = (func.array_agg(aggregate_order_by(name, table.voter_id)) for name in names)
    is_changed = table.voter_id.in_(changed)
    kept = connection.execute(select(*gathered).where(*of_round, ~is_changed)).one()
    before = connection.execute(select(table.voter_id, *names).where(*of_round, is_changed))
    sums = {voter_id: (more.compared, more.same) for voter_id, more in changed.items()}
    for voter_id, compared, same in before:
        sums[voter_id] = sums[voter_id][0] + compared, sums[voter_id][1] + same
    own = np.array([sums[voter_id] for voter_id in sorted(sums)], dtype=np.float64).reshape(-1, 2).T
    counts = np.hstack([np.array([values or () for values in kept], dtype=np.float64), own])
    unknown = select(func.sum(table.compared)).where(*of_round, table.voter_id == NOBODY)
    of_unknown = connection.execute(unknown).scalar_one() or 0
    return counts, not of_unknown + changed.get(NOBODY, NO_VOTES).compared


def _record(figures: _Figures, group: Group, basis: Basis) -> Record:
    sums = figures.sums[group]
    found = agreement(vote_table(sums, basis), are_spans=sums[SumKey(Measure.MARKED)] > 0)
    sizes = {key.size: amount for key, amount in sums.items() if key.measure is Measure.EXAMPLES}
    options = {key.option for key, amount in sums.items() if key.measure is Measure.OPTION and amount}
    return {
        "examples": sum(sizes.values()),
        "votes": sum(size * amount for size, amount in sizes.items()),
        "voters": figures.voters[group] or None,
        "options": sorted(options),
        "basis": basis.value,
        "raw": found.raw,
        "fleiss_kappa": found.fleiss_kappa,
        "krippendorff_alpha": found.krippendorff_alpha,
        "gwet_ac1": found.gwet_ac1,
        "vote_histogram": {
            str(key.size): amount for key, amount in _of(sums, Measure.LARGEST_CAMP) if amount
        },
        "votes_equal_gold": sums[SumKey(Measure.EQUAL_GOLD)],
        "gold": {key.option: amount for key, amount in _of(sums, Measure.GOLD) if amount},
    }


def _of(sums: Sums, measure: Measure) -> list[tuple[SumKey, int]]:
    return sorted((key, amount) for key, amount in sums.items() if key.measure is measure)
