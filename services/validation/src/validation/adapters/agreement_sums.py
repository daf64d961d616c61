"""The stored sums of agreement, updated by differences.

A transaction that changes an example's votes, resolution or facts also records the change. The worker counts recorded
changes one batch after the other. It adds each example's current share and subtracts the share that it counted last.
Sums kept this way equal a recount, whatever the order and the sizes of the batches were.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache
from itertools import product
from typing import Any
from uuid import UUID

from dynabench_common.database.bulk import as_document, insert_rows, upsert_rows
from dynabench_common.work.leader import LockKey
from sqlalchemy import Connection, Table, and_, delete, func, select, tuple_
from sqlalchemy.dialects.postgresql import Insert, insert

from validation.adapters.agreement_shares import Share, VoterCounts, counted_shares, current_shares
from validation.adapters.agreement_tables import (
    agreement_change,
    agreement_share,
    agreement_sum,
    agreement_voter,
    round_evidence,
)
from validation.domain.groups import Group
from validation.domain.statistics.vote_sums import SumKey

BATCH = 1_000

KEEP = upsert_rows(agreement_share)
NOTE = insert_rows(agreement_change, ("round_id", "example_id"))
GroupKey = tuple[UUID, Group]
GroupsKey = tuple[UUID, tuple[Group, ...]]
NO_VOTES = VoterCounts(0, 0, 0)


def note_changes(connection: Connection, changed: Iterable[tuple[UUID, UUID]]) -> None:
    """Leave word that what these examples, given with their rounds, add to the sums may have changed."""
    rows = [{"round_id": round_id, "example_id": example_id} for round_id, example_id in changed]
    if rows:
        connection.execute(NOTE, as_document(rows))


class Differences:
    """Pending additions to the sums of each group.

    Examples in the same groups are added up first: they are many, and each has several groups.
    """

    def __init__(self) -> None:
        self._sums: dict[GroupsKey, Counter[SumKey]] = defaultdict(Counter)
        self._voters: dict[GroupsKey, dict[UUID, VoterCounts]] = defaultdict(dict)

    def add(self, share: Share, sign: int) -> None:
        """Add what an example adds, or take it away with `sign` -1."""
        key = share.round_id, share.groups
        sums, voters = self._sums[key], self._voters[key]
        for measured, amount in share.sums:
            sums[measured] += sign * amount
        for voter_id, counts in share.voters:
            voters[voter_id] = voters.get(voter_id, NO_VOTES).plus(counts, sign)

    def sums(self) -> Counter[tuple[GroupKey, SumKey]]:
        """Return what each group's sums change by."""
        changed: Counter[tuple[GroupKey, SumKey]] = Counter()
        for (round_id, groups), sums in self._sums.items():
            for group, (measured, amount) in product(groups, sums.items()):
                changed[(round_id, group), measured] += amount
        return changed

    def voters(self) -> dict[tuple[GroupKey, UUID], VoterCounts]:
        """Return what each group's counts of voters change by."""
        changed: dict[tuple[GroupKey, UUID], VoterCounts] = {}
        for (round_id, groups), voters in self._voters.items():
            for group, (voter_id, counts) in product(groups, voters.items()):
                key = (round_id, group), voter_id
                changed[key] = changed.get(key, NO_VOTES).plus(counts)
        return changed

    @property
    def rounds(self) -> set[UUID]:
        """Return the rounds with examples that changed, though what they add may even out over a round."""
        return {round_id for round_id, _ in self._sums}


def differences(
    counted: dict[UUID, Share], current: dict[UUID, Share], example_ids: Sequence[UUID]
) -> Differences:
    """Return what the sums lack of the examples."""
    found = Differences()
    for example_id in example_ids:
        before, after = counted.get(example_id), current.get(example_id)
        if before != after:
            if before is not None:
                found.add(before, -1)
            if after is not None:
                found.add(after, 1)
    return found


def count_changes(connection: Connection, now: datetime) -> int:
    """Count a batch of noted changes, and return how many there were.

    The lock lets one process count at a time. Votes are read after the change rows are deleted. So a vote in between
    leaves a change row for the next batch.
    """
    connection.execute(select(func.pg_advisory_xact_lock(LockKey.VALIDATION_AGREEMENT)))
    oldest = select(agreement_change.c.change_id).order_by(agreement_change.c.change_id).limit(BATCH)
    taken = delete(agreement_change).where(agreement_change.c.change_id.in_(oldest))
    noted = connection.execute(taken.returning(agreement_change.c.example_id)).scalars().all()
    example_ids = sorted(set(noted))
    if example_ids:
        counted, current = counted_shares(connection, example_ids), current_shares(connection, example_ids)
        found = differences(counted, current, example_ids)
        _keep_shares(connection, counted, current)
        _add_sums(connection, found)
        _add_voters(connection, found)
        _tell_of_changes(connection, found.rounds, now)
    return len(noted)


def _keep_shares(connection: Connection, counted: dict[UUID, Share], current: dict[UUID, Share]) -> None:
    gone = sorted(counted.keys() - current.keys())
    if gone:
        connection.execute(delete(agreement_share).where(agreement_share.c.example_id.in_(gone)))
    fresh = [
        share.row(example_id) for example_id, share in current.items() if counted.get(example_id) != share
    ]
    if fresh:
        connection.execute(KEEP, as_document(fresh))


def _add_sums(connection: Connection, found: Differences) -> None:
    rows = [
        {**_group(key), "measure": measured.measure.value, "size": measured.size, "option": measured.option}
        | {"amount": amount}
        for (key, measured), amount in found.sums().items()
        if amount
    ]
    _add(connection, agreement_sum, rows, ("amount",))


def _add_voters(connection: Connection, found: Differences) -> None:
    rows = [
        {**_group(key), "voter_id": voter_id, **counts._asdict()}
        for (key, voter_id), counts in found.voters().items()
        if any(counts)
    ]
    _add(connection, agreement_voter, rows, VoterCounts._fields)


def _group(key: GroupKey) -> dict[str, Any]:
    round_id, group = key
    return {"round_id": round_id, "group_kind": group.kind.value, "group_name": group.name}


def _add(
    connection: Connection, table: Table, rows: Sequence[dict[str, Any]], amounts: Sequence[str]
) -> None:
    """Add to sums, and drop the rows of which nothing is left: a recount would not have them."""
    if not rows:
        return
    keys = list(table.primary_key)
    connection.execute(_adding(table, tuple(amounts)), as_document(rows))
    shrunk = [tuple(row[key.name] for key in keys) for row in rows if min(row[name] for name in amounts) < 0]
    if shrunk:
        is_empty = and_(*(table.c[name] == 0 for name in amounts))
        connection.execute(delete(table).where(tuple_(*keys).in_(shrunk), is_empty))


@cache
def _adding(table: Table, amounts: tuple[str, ...]) -> Insert:
    statement = insert_rows(table)
    added = {name: table.c[name] + statement.excluded[name] for name in amounts}
    return statement.on_conflict_do_update(index_elements=list(table.primary_key), set_=added)


def _tell_of_changes(connection: Connection, rounds: Iterable[UUID], now: datetime) -> None:
    """Mark the rounds whose evidence is no longer that of their votes."""
    rows = [{"round_id": round_id, "changed_at": now} for round_id in sorted(rounds)]
    if rows:
        statement = insert(round_evidence)
        changed = {"changed_at": statement.excluded.changed_at}
        upsert = statement.on_conflict_do_update(index_elements=["round_id"], set_=changed)
        connection.execute(upsert.returning(round_evidence.c.round_id), rows)
