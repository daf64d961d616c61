"""The effort of fooling: time between tries, and survival of targets."""

from collections import Counter
from uuid import UUID, uuid4

import pytest
from dynabench_tasks.statistics.intervals import wilson_interval
from dynabench_tasks.statistics.rates import Rate
from leaderboard.domain.effort import (
    ContextEffortKey,
    ContextTry,
    EffortCounts,
    SurvivalCounts,
    design_effect,
    effort_shares,
    minutes_per_error,
    survival,
    survival_shares,
    tries_per_fooling,
)
from leaderboard.domain.tally import RULE

KEY = ContextEffortKey(UUID(int=1), UUID(int=2), UUID(int=3))


def tried(number: int, seconds: float, **fooled: bool) -> ContextTry:
    return ContextTry(KEY, uuid4(), number, int(seconds * 1000), {RULE: any(fooled.values()), **fooled})


@pytest.mark.parametrize(
    ("rule", "seconds", "spent"),
    [
        ("the first try takes its seconds, each other one those since the one before", [40, 100, 130], 130),
        ("a break counts as half an hour", [40, 10_000], 40 + 1800),
        ("so does one before the first try", [5_000], 1800),
        ("a smaller number means that the clock was started anew", [300, 20, 50], 300 + 20 + 30),
        ("tries from elsewhere have no time", [0, 0], 0),
    ],
)
def test_time_spent(rule: str, seconds: list[float], spent: float) -> None:
    context_effort = [tried(number, each) for number, each in enumerate(seconds, start=1)]
    for order in (context_effort, context_effort[::-1]):
        total = sum(counts.milliseconds for _, counts in effort_shares(order))
        assert total == spent * 1000, rule


def test_a_targets_time_is_that_of_the_tries_it_answered() -> None:
    context_effort = [tried(1, 60, roberta=False, deberta=False), tried(2, 100, deberta=True)]
    spent: Counter[str] = Counter()
    for key, counts in effort_shares(context_effort):
        spent[key.subject] += counts.milliseconds
    assert spent == {RULE: 100_000, "roberta": 60_000, "deberta": 100_000}


def test_a_try_without_a_verdict_takes_time_that_counts_for_nobody() -> None:
    undecided = ContextTry(KEY, uuid4(), 1, 60_000, {})
    [(_, counts), *_] = effort_shares([undecided, tried(2, 100)])
    assert counts == EffortCounts(40_000, 1)


@pytest.mark.parametrize(
    ("rule", "fooled", "ended"),
    [
        ("the first fooling decides", [False, True, False, True], (2, SurvivalCounts(fooled=1))),
        (
            "an unfooled context effort ends after its last try",
            [False, False, False],
            (3, SurvivalCounts(unfooled=1)),
        ),
        ("one try may be enough", [True], (1, SurvivalCounts(fooled=1))),
    ],
)
def test_how_pursuits_end(rule: str, fooled: list[bool], ended: tuple[int, SurvivalCounts]) -> None:
    context_effort = [tried(number, 10 * number, target=each) for number, each in enumerate(fooled, start=1)]
    found = {key.subject: (key.tries, counts) for key, counts in survival_shares(context_effort[::-1])}
    assert found == {RULE: ended, "target": ended}, rule


def test_the_survival_curve_by_hand() -> None:
    """10 context efforts: 2 fooled at once, 1 given up after 1 try, 3 of 7 fooled at the second, the rest given up."""
    counts = [(2, SurvivalCounts(3, 2)), (1, SurvivalCounts(2, 1)), (3, SurvivalCounts(0, 2))]
    curve = survival(counts)
    assert [(step.tries, step.at_risk) for step in curve] == [(1, 10), (2, 7), (3, 2)]
    assert [step.share for step in curve] == pytest.approx([0.8, 0.8 * 4 / 7, 0.8 * 4 / 7])
    assert survival([]) == []


def test_the_survival_curve_has_the_interval_of_so_many_independent_efforts() -> None:
    """Before anything is given up it is Wilson's of the share fooled; authors who resemble themselves widen it."""
    counts = [(1, SurvivalCounts(20, 0)), (2, SurvivalCounts(0, 80))]
    alone, alike = survival(counts, 1.0)[0], survival(counts, 4.0)[0]
    assert (alone.low, alone.high) == pytest.approx(tuple(wilson_interval(0.8, 100)))
    assert (alike.low, alike.high) == pytest.approx(tuple(wilson_interval(0.8, 25)))
    unfooled = survival([(1, SurvivalCounts(0, 30))], 1.0)[0]
    assert (unfooled.low, unfooled.high) == pytest.approx(tuple(wilson_interval(1.0, 30)))
    assert survival(counts)[0].low is None


def test_the_design_effect_is_how_much_wider_the_rates_interval_is() -> None:
    low, high = wilson_interval(0.3, 200)
    assert design_effect(Rate(0.3, 200, low, high)) == pytest.approx(1)
    assert design_effect(Rate(0.3, 200, 0.3 - (high - low), 0.3 + (high - low))) == pytest.approx(4)
    assert design_effect(Rate(0.3, 200, reason="4 annotators")) is None


def test_tries_per_fooling_is_the_error_rate_upside_down() -> None:
    cost = tries_per_fooling(Rate(0.25, 400, 0.2, 0.5))
    assert (cost.value, cost.low, cost.high, cost.n, cost.reason) == (4.0, 2.0, 5.0, 400, None)


@pytest.mark.parametrize(
    ("mer", "reason"),
    [
        (Rate(0.0, 50, 0.0, 0.1), "nothing has fooled it yet"),
        (Rate(None, 0, reason="no tries yet"), "no tries yet"),
    ],
)
def test_without_fooling_there_is_no_number_of_tries(mer: Rate, reason: str) -> None:
    cost = tries_per_fooling(mer)
    assert (cost.value, cost.low, cost.high, cost.reason) == (None, None, None, reason)


@pytest.mark.parametrize(
    ("effort", "errors", "value", "reason"),
    [
        (EffortCounts(600_000, 20), 5, 2.0, None),
        (EffortCounts(600_000, 20), 0, None, "no confirmed error yet"),
        (EffortCounts(), 5, None, "no times are known: no known author wrote a try here"),
    ],
)
def test_minutes_per_validated_error(
    effort: EffortCounts, errors: int, value: float | None, reason: str | None
) -> None:
    cost = minutes_per_error(effort, errors)
    assert (cost.value, cost.reason) == (value, reason)
