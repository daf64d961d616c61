"""Events into boards: facts first, then the sums that boards are read from, in one transaction.

The sums (`tally` per round, segment, author and subject; `round_history` per stretch of time, and the like) are moved
by differences. For the examples that a batch touches, their facts are read, the batch is folded into them in memory,
and what they add now less what they added before goes to the sums; so it is with the pursuits that their tries belong
to, one person's work on one context. So a batch costs some twenty statements whatever the size of the round, and the
board of a million examples is the sum of its authors' rows. Recounting touched authors instead would cost an author's
whole work on each of their tries. Differences drift only if two transactions read the same facts at once; therefore a
batch holds its rounds until it commits (`write_locks`), and workers share the rounds.

A configuration that arrives after examples it governs moves those examples' shares from the default rule to its
own; until then they stand counted by the default.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, get_args
from uuid import UUID

from dynabench_common.events import Event
from sqlalchemy import Connection, Table

from leaderboard.adapters import (
    example_store,
    pursuit_store,
    read_model_version,
    round_store,
    sum_store,
    vote_store,
    write_locks,
)
from leaderboard.adapters.event_codec import AboutExample, AboutVote, AboutWithdrawnVotes, Statement, read
from leaderboard.adapters.round_store import ConfigurationKey
from leaderboard.adapters.tables import (
    author_history,
    census,
    effort,
    fooling_pattern,
    group_author,
    group_tally,
    round_history,
    survival,
    tally,
)
from leaderboard.domain.census import CensusCounts, census_shares
from leaderboard.domain.changes import Changes
from leaderboard.domain.counting_rule import DEFAULT_RULE, CountingRule
from leaderboard.domain.effort import (
    EffortCounts,
    Pursuit,
    SurvivalCounts,
    effort_shares,
    pursuit_try,
    survival_shares,
)
from leaderboard.domain.facts import Example
from leaderboard.domain.groups import AuthorSums, group_author_shares, group_shares
from leaderboard.domain.history import (
    AuthorHistoryCounts,
    HistoryCounts,
    author_history_shares,
    history_shares,
)
from leaderboard.domain.matrix import PatternCounts, pattern_shares
from leaderboard.domain.round_facts import RoundFact, SegmentBegun, TaskConfigured
from leaderboard.domain.tally import Counted, Tally, counted, tally_shares

VERSION = 2
"""Raise it whenever rows would come out otherwise than those that stand: a worker then builds them anew."""


class BoardProjection:
    """Keeps every read model of the leaderboard."""

    def apply(self, connection: Connection, events: Sequence[Event]) -> None:
        """Apply events within the open transaction, in any order.

        Raises PermanentEventError for an event that states nothing usable.
        """
        statements = [read(event) for event in events]
        configures = any(isinstance(statement, TaskConfigured) for statement in statements)
        newest = _newest_by_round(statements, events)
        write_locks.hold(connection, newest, alone=configures)
        read_model_version.ensure_not_newer(connection, VERSION)
        sums = _Sums()
        for statement in statements:
            if isinstance(statement, TaskConfigured):
                _configure(connection, statement, sums)
        round_store.touch(connection, newest)
        for statement in statements:
            if isinstance(statement, get_args(RoundFact)):
                round_store.save_round_fact(connection, statement)
            elif isinstance(statement, SegmentBegun):
                round_store.save_segment(connection, statement)
        _tell_examples(connection, statements, sums)
        sums.save(connection)


class _Sums:
    """What a batch changes in the kept sums."""

    def __init__(self) -> None:
        self._by_example: list[tuple[Table, Changes[Counted, Any, Any]]] = [
            (tally, Changes(tally_shares, Tally._make)),
            (round_history, Changes(history_shares, HistoryCounts._make)),
            (author_history, Changes(author_history_shares, AuthorHistoryCounts._make)),
            (fooling_pattern, Changes(pattern_shares, PatternCounts._make)),
            (group_tally, Changes(group_shares, Tally._make)),
            (group_author, Changes(group_author_shares, AuthorSums._make)),
            (census, Changes(census_shares, CensusCounts._make)),
        ]
        self._by_pursuit: list[tuple[Table, Changes[Pursuit, Any, Any]]] = [
            (effort, Changes(effort_shares, EffortCounts._make)),
            (survival, Changes(survival_shares, SurvivalCounts._make)),
        ]

    def replace(self, before: tuple[Example, CountingRule], after: tuple[Example, CountingRule]) -> None:
        """Take what an example added before away and add what it adds now."""
        was, now = counted(*before), counted(*after)
        for _, changes in self._by_example:
            changes.replace(was, now)

    def replace_pursuit(self, before: Pursuit, after: Pursuit) -> None:
        """Take what a pursuit added before away and add what it adds now."""
        for _, changes in self._by_pursuit:
            changes.replace(before, after)

    def save(self, connection: Connection) -> None:
        """Add the differences to the tables."""
        for table, changes in self._by_example:
            sum_store.add(connection, table, changes.items())
        for table, pursued in self._by_pursuit:
            sum_store.add(connection, table, pursued.items())


def _newest_by_round(statements: Sequence[Statement], events: Sequence[Event]) -> dict[UUID, datetime]:
    newest: dict[UUID, datetime] = {}
    for statement, event in zip(statements, events, strict=True):
        if not isinstance(statement, TaskConfigured):
            held = newest.get(statement.round_id)
            newest[statement.round_id] = event.time if held is None else max(held, event.time)
    return newest


def _configure(connection: Connection, configured: TaskConfigured, sums: _Sums) -> None:
    key = (configured.task_id, configured.configuration_version)
    before = round_store.rules(connection, [key])[key]
    round_store.save_configuration(connection, configured)
    after = round_store.rules(connection, [key])[key]
    round_store.revise(connection, configured.task_id)
    if before != after:
        for held in example_store.of_configuration(connection, *key):
            sums.replace((held, before), (held, after))


def _tell_examples(connection: Connection, statements: Sequence[Statement], sums: _Sums) -> None:
    told = [statement for statement in statements if isinstance(statement, AboutExample)]
    votes = [statement for statement in statements if isinstance(statement, AboutVote | AboutWithdrawnVotes)]
    touched = {fact.example_id for fact in told} | {vote.example_id for vote in votes}
    if not touched:
        return
    before = example_store.load(connection, touched)
    after = dict(before)
    for statement in told:
        after[statement.example_id] = after[statement.example_id].told(statement.fact)
    for example_id, more in vote_store.tell(connection, votes).items():
        after[example_id] = after[example_id].with_votes(more)
    changed = [after[example_id] for example_id in sorted(touched) if after[example_id] != before[example_id]]
    rules = round_store.rules(connection, _configurations(changed))
    for now in changed:
        rule = _rule_of(now, rules)
        sums.replace((before[now.example_id], rule), (now, rule))
    example_store.save(connection, before, changed)
    _tell_pursuits(connection, before, changed, sums)


def _tell_pursuits(
    connection: Connection, before: Mapping[UUID, Example], changed: Sequence[Example], sums: _Sums
) -> None:
    """Move the effort of every pursuit that a changed example is a part of."""
    parts = [
        part
        for now in changed
        if (part := pursuit_try(now)) is not None and part != pursuit_try(before[now.example_id])
    ]
    held = pursuit_store.load(connection, (part.key for part in parts))
    pursuits = {key: {part.example_id: part for part in tries} for key, tries in held.items()}
    for part in parts:
        pursuits.setdefault(part.key, {})[part.example_id] = part
    for key, tries in pursuits.items():
        sums.replace_pursuit(held.get(key, ()), list(tries.values()))
    pursuit_store.save(connection, parts)


def _configurations(examples: Iterable[Example]) -> Iterator[ConfigurationKey]:
    for held in examples:
        if held.attempt is not None:
            yield held.attempt.task_id, held.attempt.configuration_version


def _rule_of(held: Example, rules: Mapping[ConfigurationKey, CountingRule]) -> CountingRule:
    if held.attempt is None:
        return DEFAULT_RULE
    return rules[held.attempt.task_id, held.attempt.configuration_version]
