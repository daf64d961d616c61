"""Events into boards: facts first, then the sums that boards are read from, in one transaction.

The sums (`tally` per round, segment, author and subject; `history` per ten seconds, and the like) are moved by
differences. For the examples that a batch touches, their facts are read, the batch is folded into them in memory, and
what they add now less what they added before goes to the sums. So a batch costs a dozen statements whatever the size
of the round, and a board of a million examples is the sum of its authors' rows. Recounting touched authors instead
would cost an author's whole work on each of their tries. Differences drift only if two transactions read the same
facts at once; therefore there is one writer at a time, by an advisory lock held until commit: a second worker takes
over partitions, it does not add speed. One writer has several times the throughput asked for.

A configuration that arrives after examples it governs moves those examples' shares from the default rule to its
own; until then they stand counted by the default.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from dynabench_common.events import Event
from sqlalchemy import Connection, text

from leaderboard.adapters import example_store, round_store, sum_store
from leaderboard.adapters.event_codec import AboutExample, AboutVote, Statement, read
from leaderboard.adapters.round_store import ConfigurationKey
from leaderboard.adapters.tables import condition_tally, fooling_pattern, history, tally
from leaderboard.domain.changes import Changes
from leaderboard.domain.conditions import ConditionCounts, ConditionKey, condition_shares
from leaderboard.domain.counting_rule import DEFAULT_RULE, CountingRule
from leaderboard.domain.facts import Example
from leaderboard.domain.history import HistoryCounts, HistoryKey, history_shares
from leaderboard.domain.matrix import PatternCounts, PatternKey, pattern_shares
from leaderboard.domain.round_facts import RoundDrafted, RoundMoved, SegmentBegun, TaskConfigured
from leaderboard.domain.tally import Tally, TallyKey, shares

WRITER_LOCK = text("SELECT pg_advisory_xact_lock(4720)")


class BoardProjection:
    """Keeps every read model of the leaderboard."""

    def apply(self, connection: Connection, events: Sequence[Event]) -> None:
        """Apply events within the open transaction, in any order.

        Raises PermanentEventError for an event that states nothing usable.
        """
        statements = [read(event) for event in events]
        connection.execute(WRITER_LOCK)
        sums = _Sums()
        for statement in statements:
            if isinstance(statement, TaskConfigured):
                _configure(connection, statement, sums)
        round_store.touch(connection, _newest_by_round(statements, events))
        for statement in statements:
            if isinstance(statement, RoundDrafted | RoundMoved):
                round_store.save_round_fact(connection, statement)
            elif isinstance(statement, SegmentBegun):
                round_store.save_segment(connection, statement)
        _tell_examples(connection, statements, sums)
        sums.save(connection)


class _Sums:
    """What a batch changes in the kept sums."""

    def __init__(self) -> None:
        self._tallies: Changes[TallyKey, Tally] = Changes(shares, Tally._make)
        self._history: Changes[HistoryKey, HistoryCounts] = Changes(history_shares, HistoryCounts._make)
        self._patterns: Changes[PatternKey, PatternCounts] = Changes(pattern_shares, PatternCounts._make)
        self._conditions: Changes[ConditionKey, ConditionCounts] = Changes(
            condition_shares, ConditionCounts._make
        )

    def replace(self, before: tuple[Example, CountingRule], after: tuple[Example, CountingRule]) -> None:
        """Take what an example added before away and add what it adds now."""
        for changes in (self._tallies, self._history, self._patterns, self._conditions):
            changes.add(*before, sign=-1)
            changes.add(*after)

    def save(self, connection: Connection) -> None:
        """Add the differences to the tables."""
        sum_store.add(connection, tally, self._tallies.items())
        sum_store.add(connection, history, self._history.items())
        sum_store.add(connection, fooling_pattern, self._patterns.items())
        sum_store.add(connection, condition_tally, self._conditions.items())


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
    votes = [statement for statement in statements if isinstance(statement, AboutVote)]
    touched = {fact.example_id for fact in told} | {vote.example_id for vote in votes}
    if not touched:
        return
    before = example_store.load(connection, touched)
    after = dict(before)
    for statement in told:
        after[statement.example_id] = after[statement.example_id].told(statement.fact)
    new_votes = example_store.save_votes(connection, votes)
    for vote in votes:
        if vote.vote_id in new_votes and vote.counted:
            new_votes.discard(vote.vote_id)
            after[vote.example_id] = after[vote.example_id].with_votes(1)
    changed = [after[example_id] for example_id in sorted(touched) if after[example_id] != before[example_id]]
    rules = round_store.rules(connection, _configurations(changed))
    for now in changed:
        rule = _rule_of(now, rules)
        sums.replace((before[now.example_id], rule), (now, rule))
    example_store.save(connection, before, changed)


def _configurations(examples: Iterable[Example]) -> Iterator[ConfigurationKey]:
    for held in examples:
        if held.attempt is not None:
            yield held.attempt.task_id, held.attempt.configuration_version


def _rule_of(held: Example, rules: Mapping[ConfigurationKey, CountingRule]) -> CountingRule:
    if held.attempt is None:
        return DEFAULT_RULE
    return rules[held.attempt.task_id, held.attempt.configuration_version]
