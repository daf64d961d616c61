"""Stored sums, and a recount of them from the facts alone."""

from collections import Counter, defaultdict
from typing import Any

from leaderboard.adapters import example_store
from leaderboard.adapters.tables import (
    author_history,
    effort,
    example,
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
    vote,
)
from leaderboard.domain.counting_rule import counting_rule
from leaderboard.domain.effort import (
    ContextTry,
    EffortCounts,
    EffortKey,
    SurvivalCounts,
    SurvivalKey,
    context_try,
    effort_shares,
    survival_shares,
)
from leaderboard.domain.example_counts import ExampleCountKey, ExampleCounts, example_count_shares
from leaderboard.domain.groups import (
    AuthorSums,
    GroupAuthorKey,
    GroupKey,
    group_author_shares,
    group_shares,
)
from leaderboard.domain.history import (
    AuthorHistoryCounts,
    AuthorHistoryKey,
    HistoryCounts,
    HistoryKey,
    author_history_shares,
    history_shares,
)
from leaderboard.domain.matrix import PatternCounts, PatternKey, pattern_shares
from leaderboard.domain.people import (
    PersonCounts,
    PersonKey,
    PersonTryCounts,
    PersonTryKey,
    PersonWeekCounts,
    PersonWeekKey,
    person_shares,
    person_try_shares,
    person_week_shares,
)
from leaderboard.domain.tally import Tally, TallyKey, counted, tally_shares
from sqlalchemy import Engine, Table, select

CONTEXT = [{"name": "passage", "type": "string"}]


Sums = dict[tuple[str, Any, str], int]

KEPT: tuple[tuple[Table, Any, type[Any], type[Any]], ...] = (
    (tally, tally_shares, TallyKey, Tally),
    (round_history, history_shares, HistoryKey, HistoryCounts),
    (author_history, author_history_shares, AuthorHistoryKey, AuthorHistoryCounts),
    (fooling_pattern, pattern_shares, PatternKey, PatternCounts),
    (group_tally, group_shares, GroupKey, Tally),
    (group_author, group_author_shares, GroupAuthorKey, AuthorSums),
    (example_count, example_count_shares, ExampleCountKey, ExampleCounts),
    (person_tally, person_shares, PersonKey, PersonCounts),
    (person_try, person_try_shares, PersonTryKey, PersonTryCounts),
    (person_week, person_week_shares, PersonWeekKey, PersonWeekCounts),
)
"""Each table of sums with what an example adds to it, and how its rows are read."""

LABEL = {"name": "label", "type": "multiclass", "labels": ["negative", "neutral", "positive"]}
OF_CONTEXT_EFFORTS: tuple[tuple[Table, Any, type[Any], type[Any]], ...] = (
    (effort, effort_shares, EffortKey, EffortCounts),
    (survival, survival_shares, SurvivalKey, SurvivalCounts),
)
"""The same of those that context efforts add to."""


def recount(engine: Engine, configuration: dict[str, Any]) -> Sums:
    """Count everything from the facts alone."""
    sums: Counter[tuple[str, Any, str]] = Counter()
    rule = counting_rule(
        {
            "context": CONTEXT,
            "input": [LABEL],
            "output": [LABEL],
            **configuration,
        }
    )
    with engine.connect() as connection:
        ids = connection.execute(select(example.c.example_id)).scalars().all()
        examples = example_store.load(connection, ids).values()
        votes = connection.execute(select(vote)).all()
    context_efforts: dict[Any, list[ContextTry]] = defaultdict(list)
    for held in examples:
        assert held.votes == sum(
            row.counted and row.cast_version >= row.withdrawn_version
            for row in votes
            if row.example_id == held.example_id
        )
        if (part := context_try(held)) is not None:
            context_efforts[part.key].append(part)
        _add_up(sums, KEPT, counted(held, rule))
    for tries in context_efforts.values():
        _add_up(sums, OF_CONTEXT_EFFORTS, tries)
    return +sums


def _add_up(sums: Counter[tuple[str, Any, str]], tables: Any, item: Any) -> None:
    for table, shares, _, _ in tables:
        for key, counts in shares(item):
            sums.update({(table.name, key, name): getattr(counts, name) for name in counts._fields})


def kept(engine: Engine) -> Sums:
    sums: Counter[tuple[str, Any, str]] = Counter()
    with engine.connect() as connection:
        for table, _, key_type, counts_type in (*KEPT, *OF_CONTEXT_EFFORTS):
            for row in connection.execute(select(table)):
                key = key_type(*(row._mapping[name] for name in key_type._fields))
                sums.update({(table.name, key, name): row._mapping[name] for name in counts_type._fields})
    return +sums
