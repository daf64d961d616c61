"""Badges and boards of people, from facts alone."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

import pytest
from dynabench_tasks.statistics.intervals import wilson_interval
from leaderboard.domain.badge_rules import BADGES
from leaderboard.domain.badges import (
    LedRound,
    PersonFacts,
    PersonTry,
    Publication,
    WonWeek,
    badges,
    next_badges,
)
from leaderboard.domain.leads_of_rounds import Contender, led_since
from leaderboard.domain.people import PersonCounts
from leaderboard.domain.user_board import ranked

TASK, OTHER, ROUND, ADA, BOB = (UUID(int=number) for number in range(1, 6))
START = datetime(2026, 3, 2, 9, tzinfo=UTC)


def tries(letters: str, task_id: UUID = TASK, apart: timedelta = timedelta(minutes=1)) -> list[PersonTry]:
    """Return tries: K kept fooling, E a validated error, N not fooled, R retracted, U without a verdict."""
    return [
        PersonTry(
            task_id,
            ROUND,
            UUID(int=1_000 + number),
            START + number * apart,
            letter != "U",
            letter == "R",
            letter in "KE",
            letter == "E",
        )
        for number, letter in enumerate(letters)
    ]


def names(facts: PersonFacts) -> set[str]:
    return {badge.name for badge in badges(facts)}


@pytest.mark.parametrize(
    ("rule", "letters", "earned"),
    [
        ("nothing earns nothing", "", set()),
        ("the first example counts whatever its verdict", "N", {"first_example"}),
        ("one that was taken back is none", "R", set()),
        ("ten examples", "N" * 10, {"first_example", "ten_examples"}),
        ("a validated error", "E", {"first_example", "first_validated_fooling"}),
        ("five in a row that fooled", "KKKKK", {"first_example", "fooling_streak_5"}),
        ("one that did not fool ends a row", "KKKNKK", {"first_example"}),
        ("and so does one that was taken back", "KKKRKK", {"first_example"}),
        ("one without a verdict does not", "KKUKKK", {"first_example", "fooling_streak_5"}),
    ],
)
def test_what_tries_earn(rule: str, letters: str, earned: set[str]) -> None:
    assert names(PersonFacts(tries=tries(letters))) == earned, rule


def test_rows_of_fooling_and_contributions_are_by_task() -> None:
    facts = PersonFacts(tries=[*tries("KKK"), *tries("KK", OTHER)])
    assert names(facts) == {"first_example"}
    facts = PersonFacts(tries=[*tries("KN" * 50), *tries("KN" * 49, OTHER)])
    found = [badge for badge in badges(facts) if badge.name == "contributor_bronze"]
    assert [badge.mark.task_id for badge in found] == [TASK]
    assert found[0].mark.example_id == UUID(int=1_098)


def test_days_in_a_row_are_those_of_utc_with_tries_or_votes() -> None:
    day = START.date()
    facts = PersonFacts(tries=tries("NN", apart=timedelta(days=2)), voted_on=[day + timedelta(days=1)])
    streaks = {badge.name: badge.mark.on for badge in badges(facts) if "day_streak" in badge.name}
    assert streaks == {
        "day_streak_2": day + timedelta(days=1),
        "day_streak_3": day + timedelta(days=2),
    }
    apart = PersonFacts(tries=tries("NNNN", apart=timedelta(days=2)))
    assert not [name for name in names(apart) if "day_streak" in name]


@pytest.mark.parametrize(
    ("rule", "opened", "in_both", "earned"),
    [
        ("both tasks", {TASK: START, OTHER: START}, True, True),
        ("one of two", {TASK: START, OTHER: START}, False, False),
        ("the only task that there is", {TASK: START}, False, False),
        (
            "a task that opened later takes nothing away",
            {TASK: START, OTHER: START, BOB: START + timedelta(days=9)},
            True,
            True,
        ),
    ],
)
def test_every_task(rule: str, opened: dict[UUID, datetime], in_both: bool, earned: bool) -> None:
    facts = PersonFacts(tries=[*tries("N"), *(tries("N", OTHER) if in_both else [])], opened=opened)
    assert ("every_task" in names(facts)) is earned, rule


def test_models_weeks_and_rounds() -> None:
    facts = PersonFacts(
        publications=[Publication(OTHER, START + timedelta(days=1)), Publication(TASK, START)],
        opened={TASK: START, OTHER: START},
        won=[WonWeek(TASK, "2026-W10"), WonWeek(TASK, "2026-W11")],
        led=[LedRound(TASK, ROUND, START)],
    )
    found = {badge.name: badge.mark for badge in badges(facts)}
    assert set(found) == {
        "model_builder", "serial_model_builder", "model_multitasker", "weekly_winner", "state_of_the_art"
    }  # fmt: skip
    assert found["model_builder"].on == date(2026, 3, 2)
    weeks = [badge.mark for badge in badges(facts) if badge.name == "weekly_winner"]
    assert [(mark.week, mark.on) for mark in weeks] == [
        ("2026-W11", date(2026, 3, 15)),
        ("2026-W10", date(2026, 3, 8)),
    ]


def test_the_next_badges_say_how_far() -> None:
    found = next_badges(PersonFacts(tries=tries("KKNE"), opened={TASK: START, OTHER: START}))
    shown = {each.name: (each.reached, each.needed, each.task_id) for each in found}
    assert shown == {
        "ten_examples": (4, 10, None),
        "first_vote": (0, 1, None),
        "contributor_bronze": (3, 50, TASK),
        "fooling_streak_5": (2, 5, TASK),
        "day_streak_2": (1, 2, None),
        "every_task": (1, 2, None),
        "model_builder": (0, 1, None),
        "model_multitasker": (0, 2, None),
    }


def test_names_of_badges_are_unique() -> None:
    assert len({rule.name for rule in BADGES}) == len(BADGES)


@pytest.mark.parametrize(
    ("rule", "contenders", "led"),
    [
        ("alone there is nothing to lead", [(ADA, 80, 0)], None),
        ("better than what was there", [(None, 70, 0), (ADA, 80, 1)], 1),
        ("as good is enough", [(None, 80, 0), (ADA, 80, 1)], 1),
        ("worse is not", [(None, 81, 0), (ADA, 80, 1)], None),
        ("being overtaken takes nothing away", [(None, 70, 0), (ADA, 80, 1), (BOB, 90, 2)], 1),
        ("the first was there alone", [(ADA, 80, 0), (BOB, 70, 1)], None),
    ],
)
def test_who_leads(rule: str, contenders: Sequence[tuple[UUID | None, float, int]], led: int | None) -> None:
    known = [Contender(who, value, START + timedelta(days=day)) for who, value, day in contenders]
    assert led_since(known, ADA) == (None if led is None else START + timedelta(days=led)), rule


def test_fewer_tries_are_the_higher_bound() -> None:
    """The order of whole numbers is that of the lower bounds, so the index keeps the order of the rule."""
    for errors in (1, 2, 3, 10, 57, 400):
        bounds = [wilson_interval(errors / decided, decided).low for decided in range(errors, errors + 600)]
        assert bounds == sorted(bounds, reverse=True)
        assert len(set(bounds)) == len(bounds)


def test_equals_share_a_rank() -> None:
    counts = [(3, 9), (3, 9), (3, 10), (1, 4), (0, 1), (0, 70)]
    found = [
        (UUID(int=number), PersonCounts(decided, decided, errors=errors))
        for number, (errors, decided) in enumerate(counts)
    ]
    assert [row.rank for row in ranked(1, found, 1)] == [1, 1, 3, 4, 5, 5]
    assert [row.rank for row in ranked(1, found[1:], 2)] == [1, 3, 4, 5, 5]
