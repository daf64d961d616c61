"""Projection of events into boards: facts first, then the sums behind boards, in one transaction.

The sums (`tally` per round, segment, author and subject; `round_history` per stretch of time, and the like) change by
differences. For the examples of a batch, their facts are read and the batch is folded into them in memory. The
difference between their contribution now and before is added to the sums. Context efforts (one person's tries on one
context) are handled in the same way. So a batch costs some twenty statements for any size of the round. A board of a
million examples is the sum of its authors' rows. Recounting authors instead would cost an author's whole work on each
of their tries.

Differences drift only if two transactions read the same facts at once. Therefore a batch locks its rounds until it
commits, and workers share the rounds. A configuration changes the sums of every round of its task, and its worker can't
see some of them yet. So a batch with a configuration briefly excludes all others. Locks are taken in one order, so
there are no deadlocks. Each read model has its own locks: a worker that builds one never blocks a worker that updates
another.

A configuration may arrive after examples that it governs. Until then they are counted by the default rule; then their
shares move to its own rule.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from itertools import chain
from typing import Any
from uuid import UUID

from dynabench_common.events.cloud_events import Event
from dynabench_common.work.leader import LockKey
from dynabench_events import EventRecord, Recorded, recorded, unfold
from dynabench_events.task import TaskCreated
from dynabench_events.validation import VotesImported
from sqlalchemy import Connection, Table, text

from leaderboard.adapters import (
    context_effort_store,
    example_store,
    model_store,
    read_model_version,
    round_store,
    sum_store,
    vote_store,
)
from leaderboard.adapters.read_models import ReadModel
from leaderboard.adapters.round_store import ROUND_EVENTS, ConfigurationKey
from leaderboard.adapters.tables import (
    author_history,
    effort,
    example_count,
    fooling_pattern,
    group_author,
    group_tally,
    person_tally,
    person_try,
    person_week,
    round_history,
    survival,
    tally,
)
from leaderboard.domain.changes import Changes
from leaderboard.domain.counting_rule import DEFAULT_RULE, CountingRule
from leaderboard.domain.effort import (
    ContextEffort,
    EffortCounts,
    SurvivalCounts,
    context_try,
    effort_shares,
    survival_shares,
)
from leaderboard.domain.example_counts import ExampleCounts, example_count_shares
from leaderboard.domain.facts import EXAMPLE_EVENTS, Example
from leaderboard.domain.groups import AuthorSums, group_author_shares, group_shares
from leaderboard.domain.history import (
    AuthorHistoryCounts,
    HistoryCounts,
    author_history_shares,
    history_shares,
)
from leaderboard.domain.matrix import PatternCounts, pattern_shares
from leaderboard.domain.people import (
    PersonCounts,
    PersonTryCounts,
    PersonWeekCounts,
    person_shares,
    person_try_shares,
    person_week_shares,
)
from leaderboard.domain.tally import Counted, Tally, counted, tally_shares
from leaderboard.domain.votes import VOTE_EVENTS

TOPICS = (
    "dynabench.task.v1",
    "dynabench.example.v1",
    "dynabench.validation.v1",
    "dynabench.model.v1",
    "dynabench.score.v1",
)
VERSION = 9
"""Version of the rows' contents and columns. Raise it with each change of either: workers build a new read model."""
# Rounds that share a bucket take turns, so the database needs no lock for each of many thousands of rounds.
BUCKETS = 1_024
ALONE = text("SELECT pg_advisory_xact_lock(:key)")
BESIDE_OTHERS = text("SELECT pg_advisory_xact_lock_shared(:key)")
BUCKET = text("SELECT pg_advisory_xact_lock(:rounds, :bucket)")


class BoardProjection:
    """Keeps the tables of one read model, which the connection must see before those of `public`."""

    def __init__(self, read_model: ReadModel | None = None) -> None:
        self._read_model = read_model or ReadModel(VERSION)

    def apply(self, connection: Connection, events: Sequence[Event]) -> None:
        """Apply events within the open transaction, in any order.

        Raises PermanentEventError for an event that can't be used.
        """
        batch: list[Recorded[Any]] = [part for event in events for part in unfold(recorded(event))]
        configures = any(isinstance(event.record, TaskCreated) for event in batch)
        of_rounds = {event.record.round_id for event in batch if type(event.record) in OF_ROUNDS}
        _lock_rounds(connection, of_rounds, alone=configures, read_model=self._read_model.number)
        read_model_version.ensure_own(connection, self._read_model.version, self._read_model.schema)
        sums = _Sums()
        for types, step in STEPS:
            chosen = [event for event in batch if type(event.record) in types]
            if chosen:
                step(connection, chosen, sums)
        sums.save(connection)


class _Sums:
    """Changes of a batch to the stored sums."""

    def __init__(self) -> None:
        self._by_example: list[tuple[Table, Changes[Counted, Any, Any]]] = [
            (tally, Changes(tally_shares, Tally._make)),
            (round_history, Changes(history_shares, HistoryCounts._make)),
            (author_history, Changes(author_history_shares, AuthorHistoryCounts._make)),
            (fooling_pattern, Changes(pattern_shares, PatternCounts._make)),
            (group_tally, Changes(group_shares, Tally._make)),
            (group_author, Changes(group_author_shares, AuthorSums._make)),
            (example_count, Changes(example_count_shares, ExampleCounts._make)),
            (person_tally, Changes(person_shares, PersonCounts._make)),
            (person_try, Changes(person_try_shares, PersonTryCounts._make)),
            (person_week, Changes(person_week_shares, PersonWeekCounts._make)),
        ]
        self._by_context_effort: list[tuple[Table, Changes[ContextEffort, Any, Any]]] = [
            (effort, Changes(effort_shares, EffortCounts._make)),
            (survival, Changes(survival_shares, SurvivalCounts._make)),
        ]

    def replace(self, before: tuple[Example, CountingRule], after: tuple[Example, CountingRule]) -> None:
        """Take what an example added before away and add what it adds now."""
        was, now = counted(*before), counted(*after)
        for _, changes in self._by_example:
            changes.replace(was, now)

    def replace_context_effort(self, before: ContextEffort, after: ContextEffort) -> None:
        """Take what a context effort added before away and add what it adds now."""
        for _, changes in self._by_context_effort:
            changes.replace(before, after)

    def save(self, connection: Connection) -> None:
        """Add the differences to the tables."""
        for table, changes in self._by_example:
            sum_store.add(connection, table, changes.items())
        for table, efforts in self._by_context_effort:
            sum_store.add(connection, table, efforts.items())


def _lock_rounds(connection: Connection, round_ids: Iterable[UUID], *, alone: bool, read_model: int) -> None:
    """Lock these rounds against other writers, with `alone` all rounds, until the transaction ends.

    `read_model` is the read model's number.
    """
    connection.execute(
        ALONE if alone else BESIDE_OTHERS, {"key": (read_model << 32) + LockKey.LEADERBOARD_ALL_ROUNDS}
    )
    if not alone:
        for bucket in sorted({round_id.int % BUCKETS for round_id in round_ids}):
            connection.execute(
                BUCKET, {"rounds": LockKey.LEADERBOARD_ROUND, "bucket": read_model * BUCKETS + bucket}
            )


def _configure(connection: Connection, events: Sequence[Recorded[Any]], sums: _Sums) -> None:
    """Write configurations, and count the examples that they govern by their rules."""
    for event in events:
        key = (event.record.task_id, event.record.configuration_version)
        _count_anew(connection, key, partial(round_store.save_configuration, connection, event), sums)


def look_again(connection: Connection, read_model: ReadModel | None = None) -> int:
    """Count by configurations that an older version of this service could not count by; return how many."""
    if not round_store.understood(connection):
        return 0
    found = read_model or ReadModel(VERSION)
    _lock_rounds(connection, (), alone=True, read_model=found.number)
    read_model_version.ensure_own(connection, found.version, found.schema)
    sums = _Sums()
    keys = round_store.understood(connection)
    for key in keys:
        _count_anew(connection, key, partial(round_store.take_up, connection, key), sums)
    sums.save(connection)
    return len(keys)


def _count_anew(
    connection: Connection, key: ConfigurationKey, change: Callable[[], None], sums: _Sums
) -> None:
    """Change a configuration, and count the examples that it governs by the rule that it has now."""
    before = round_store.rules(connection, [key])[key]
    change()
    after = round_store.rules(connection, [key])[key]
    round_store.revise(connection, key[0])
    if before != after:
        for example in example_store.of_configuration(connection, *key):
            sums.replace((example, before), (example, after))


def _write_models(connection: Connection, events: Sequence[Recorded[Any]], _: _Sums) -> None:
    """Write what events of models and scores say, and mark the boards of their tasks as changed."""
    for event in events:
        model_store.save(connection, event)
    model_store.touch(connection, model_store.newest_by_task(events))


def _touch_boards(connection: Connection, events: Sequence[Recorded[TaskCreated]], _: _Sums) -> None:
    """Mark the boards of models as changed by configurations, which hold weights and prices."""
    model_store.touch(connection, {event.record.slug: event.time for event in events})


def _touch_rounds(connection: Connection, events: Sequence[Recorded[Any]], _: _Sums) -> None:
    """Mark the rounds of the events as changed."""
    round_store.touch(connection, _newest_by_round(events))


def _newest_by_round(events: Iterable[Recorded[Any]]) -> dict[UUID, datetime]:
    """Return when the newest event of each round happened; a task's configuration is of no round."""
    newest: dict[UUID, datetime] = {}
    for event in events:
        if not isinstance(event.record, TaskCreated):
            round_id = event.record.round_id
            newest[round_id] = max(event.time, newest.get(round_id, event.time))
    return newest


def _write_rounds(connection: Connection, events: Sequence[Recorded[Any]], _: _Sums) -> None:
    round_store.save(connection, events)


def _change_examples(connection: Connection, events: Sequence[Recorded[Any]], sums: _Sums) -> None:
    """Fold events into the examples that they are about, and move the sums by the difference."""
    touched = {event.record.example_id for event in events}
    before = example_store.load(connection, touched)
    after = dict(before)
    votes = [event for event in events if type(event.record) in VOTE_EVENTS]
    for event in events:
        if type(event.record) in EXAMPLE_EVENTS:
            example = after[event.record.example_id]
            after[example.example_id] = example.with_event(event.version, event.record)
    for example_id, more in vote_store.take_in(connection, votes).items():
        after[example_id] = after[example_id].with_votes(more)
    changed = [after[example_id] for example_id in sorted(touched) if after[example_id] != before[example_id]]
    rules = round_store.rules(connection, _configurations(changed))
    for now in changed:
        rule = _rule_of(now, rules)
        sums.replace((before[now.example_id], rule), (now, rule))
    example_store.save(connection, before, changed)
    _change_context_efforts(connection, before, changed, sums)


def _change_context_efforts(
    connection: Connection, before: Mapping[UUID, Example], changed: Sequence[Example], sums: _Sums
) -> None:
    """Move the effort of every context effort that a changed example is a part of."""
    parts = [
        part
        for now in changed
        if (part := context_try(now)) is not None and part != context_try(before[now.example_id])
    ]
    known = context_effort_store.load(connection, (part.key for part in parts))
    context_efforts = {key: {part.example_id: part for part in tries} for key, tries in known.items()}
    for part in parts:
        context_efforts.setdefault(part.key, {})[part.example_id] = part
    for key, tries in context_efforts.items():
        sums.replace_context_effort(known.get(key, ()), list(tries.values()))
    context_effort_store.save(connection, parts)


def _configurations(examples: Iterable[Example]) -> Iterator[ConfigurationKey]:
    for example in examples:
        if example.attempt is not None:
            yield example.attempt.task_id, example.attempt.configuration_version


def _rule_of(example: Example, rules: Mapping[ConfigurationKey, CountingRule]) -> CountingRule:
    if example.attempt is None:
        return DEFAULT_RULE
    return rules[example.attempt.task_id, example.attempt.configuration_version]


STEPS: Sequence[
    tuple[Collection[type[EventRecord]], Callable[[Connection, Sequence[Recorded[Any]], _Sums], None]]
] = (
    ({TaskCreated}, _configure),
    ({TaskCreated}, _touch_boards),
    (model_store.FACTS.event_types, _write_models),
    ({*ROUND_EVENTS, *EXAMPLE_EVENTS, *VOTE_EVENTS}, _touch_rounds),
    (ROUND_EVENTS, _write_rounds),
    ({*EXAMPLE_EVENTS, *VOTE_EVENTS}, _change_examples),
)
"""Steps of a batch in their order, each with its events."""

HANDLED: frozenset[type[EventRecord]] = frozenset(
    {VotesImported, *chain.from_iterable(types for types, _ in STEPS)}
)
"""The events that boards follow from, and the one that gathers several of them."""
OF_ROUNDS: frozenset[type[EventRecord]] = frozenset({*ROUND_EVENTS, *EXAMPLE_EVENTS, *VOTE_EVENTS})
"""The events that move sums of rounds."""
