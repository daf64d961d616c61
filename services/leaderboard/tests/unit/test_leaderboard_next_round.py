"""Advice on the next round: each criterion alone, and the conclusion from all."""

import pytest
from dynabench_api.words import Advice, Says
from dynabench_tasks.statistics.rates import Rate
from leaderboard.domain.next_round import Evidence, advice, evidence
from leaderboard.domain.tally import Tally
from leaderboard.domain.time_series import Period, Trend

NOW, NOT_YET, UNKNOWN = Says.NOW, Says.NOT_YET, Says.UNKNOWN


def counts(errors: int = 50, pending: int = 0, resolved: int = 100, correct: int = 70) -> Tally:
    return Tally(
        tries=400,
        decided=400,
        fooled=100,
        pending=pending,
        fooled_resolved=resolved,
        fooled_correct=correct,
        stratum_fooled_resolved=resolved,
        stratum_fooled_errors=errors,
    )


def period(decided: int, share: float, high: float | None) -> Period:
    rate = Rate(share, decided, share / 2, high, None if high else "no interval: 1 annotator")
    return Period(decided, rate, rate)


def trend(now: float, high: float | None = None, decided: int = 200) -> Trend:
    return Trend(period(600, 0.4, 0.5), period(decided, now, high))


def says(
    name: str, found: Tally, trend: Trend | None = None, goal: int | None = None, reason: str | None = None
) -> Says:
    [said] = [each.says for each in evidence(found, trend, goal, reason) if each.name == name]
    return said


@pytest.mark.parametrize(
    ("errors", "goal", "expected"), [(50, 50, NOW), (49, 50, NOT_YET), (49, None, UNKNOWN)]
)
def test_the_goal_is_reached_or_not(errors: int, goal: int | None, expected: Says) -> None:
    assert says("goal", counts(errors), goal=goal) is expected


@pytest.mark.parametrize("name", ["saturation", "yield"])
@pytest.mark.parametrize(
    ("rule", "trend", "expected"),
    [
        ("the whole interval lies under the rate before", trend(0.2, 0.35), NOW),
        ("the interval reaches up to it", trend(0.2, 0.45), NOT_YET),
        ("the rate has risen", trend(0.6, 0.7), NOT_YET),
        ("there are too few tries", trend(0.2, 0.35, decided=99), UNKNOWN),
        ("there is no interval", trend(0.2), UNKNOWN),
        ("there is nothing to compare", None, UNKNOWN),
    ],
)
def test_a_rate_has_fallen_or_not(name: str, rule: str, trend: Trend | None, expected: Says) -> None:
    assert says(name, counts(), trend) is expected, rule


def test_the_yield_can_not_be_told_while_many_wait() -> None:
    assert says("yield", counts(pending=50), trend(0.2, 0.35)) is UNKNOWN
    assert says("saturation", counts(pending=50), trend(0.2, 0.35)) is NOW


def test_a_round_without_error_rates_says_why() -> None:
    found = evidence(counts(), trend(0.2, 0.35), None, "no rate: harvested")
    assert [each.text for each in found if each.name in {"saturation", "yield"}] == ["no rate: harvested"] * 2


@pytest.mark.parametrize(
    ("correct", "resolved", "expected"),
    [(10, 20, NOW), (9, 20, NOT_YET), (19, 19, UNKNOWN), (0, 0, UNKNOWN)],
)
def test_enough_is_right(correct: int, resolved: int, expected: Says) -> None:
    assert says("validity", counts(correct=correct, resolved=resolved)) is expected


@pytest.mark.parametrize(
    ("pending", "resolved", "expected"),
    [(0, 100, NOW), (10, 90, NOW), (11, 89, NOT_YET), (5, 0, NOT_YET), (0, 0, UNKNOWN)],
)
def test_little_waits(pending: int, resolved: int, expected: Says) -> None:
    assert says("pending", counts(pending=pending, resolved=resolved)) is expected


@pytest.mark.parametrize(
    ("goal", "near", "saturation", "falls", "validity", "pending", "expected"),
    [
        (NOW, 1.2, UNKNOWN, UNKNOWN, NOW, NOW, Advice.NOW),
        (UNKNOWN, None, NOW, NOW, NOW, NOW, Advice.NOW),
        (NOT_YET, 0.3, NOW, NOW, NOW, NOW, Advice.NOW),
        (NOW, 1.2, UNKNOWN, UNKNOWN, NOW, NOT_YET, Advice.SOON),
        (NOW, 1.2, NOW, NOW, NOT_YET, NOW, Advice.SOON),
        (NOW, 1.2, NOW, NOW, UNKNOWN, NOW, Advice.SOON),
        (NOT_YET, 0.3, NOW, NOT_YET, NOW, NOW, Advice.SOON),
        (NOT_YET, 0.8, NOT_YET, NOT_YET, NOW, NOW, Advice.SOON),
        (NOT_YET, 0.79, NOT_YET, NOT_YET, NOW, NOW, Advice.NOT_YET),
        (UNKNOWN, None, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, Advice.NOT_YET),
    ],
)
def test_what_the_evidence_comes_to(
    goal: Says,
    near: float | None,
    saturation: Says,
    falls: Says,
    validity: Says,
    pending: Says,
    expected: Advice,
) -> None:
    found = [
        Evidence("goal", goal, "", near),
        Evidence("saturation", saturation, ""),
        Evidence("yield", falls, ""),
        Evidence("validity", validity, ""),
        Evidence("pending", pending, ""),
    ]
    assert advice(found) is expected
