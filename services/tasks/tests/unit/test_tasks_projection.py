"""The projected share against hand-worked numbers, at its limits, and in simulation."""

from math import exp, log, sqrt

import numpy as np
import pytest
from dynabench_tasks.statistics.intervals import Amounts, NoInterval, clustered_interval
from dynabench_tasks.statistics.projection import (
    Stratum,
    projected_bounds,
    projected_interval,
    projected_share,
)


def counts(*values: int) -> Amounts:
    return np.array(values, dtype=np.int64)


TRIES = np.full(6, 10)
FOOLED = Stratum(counts(2, 4, 6, 2, 4, 6), counts(2, 2, 3, 1, 2, 2), counts(1, 2, 2, 0, 1, 2))
REST = Stratum(TRIES - FOOLED.tries, np.zeros(6, dtype=np.int64), np.zeros(6, dtype=np.int64))


def test_what_waits_turns_out_as_what_is_checked_did() -> None:
    """24 of 60 fooled, 8 of 12 checked ones are errors: 24 · 8 / 12 / 60; the unchecked rest adds nothing."""
    assert projected_share(TRIES, [FOOLED, REST]) == pytest.approx(24 * 8 / 12 / 60)


def test_a_sample_of_the_rest_adds_to_it() -> None:
    sampled = REST._replace(checked=counts(1, 1, 1, 1, 1, 1), errors=counts(1, 0, 0, 0, 0, 0))
    assert projected_share(TRIES, [FOOLED, sampled]) == pytest.approx((24 * 8 / 12 + 36 * 1 / 6) / 60)


def test_each_annotator_is_left_out_of_all_four_numbers() -> None:
    """The jackknife written out; t(0.975, 5) = 2.570582. Wilson's is narrower here."""
    p = 24 * 8 / 12 / 60
    left = [
        (24 - tries) * (8 - errors) / (12 - checked) / 50
        for tries, checked, errors in zip(*(part.tolist() for part in FOOLED), strict=True)
    ]
    spread = sqrt(5 / 6 * sum((each - p) ** 2 for each in left))
    reach = 2.5705818356 * spread / (p * (1 - p))
    low, high = (1 / (1 + exp(-(log(p / (1 - p)) + sign * reach))) for sign in (-1, 1))
    interval = projected_interval(TRIES, [FOOLED, REST])
    assert interval.low <= low + 1e-9
    assert interval.high >= high - 1e-9
    assert interval == pytest.approx((min(interval.low, low), max(interval.high, high)))


def test_once_all_is_checked_it_is_the_interval_of_the_share() -> None:
    done = FOOLED._replace(checked=FOOLED.tries, errors=FOOLED.tries - 1)
    assert projected_interval(TRIES, [done, REST]) == pytest.approx(clustered_interval(done.errors, TRIES))


def test_the_less_is_checked_the_wider_it_is() -> None:
    """The same share of errors, with a half, a quarter and an eighth of the tries checked."""
    tries, fooled = np.full(8, 40), np.full(8, 16)
    widths = []
    for checked in (8, 4, 2):
        part = Stratum(fooled, np.full(8, checked), np.full(8, checked // 2))
        interval = projected_interval(tries, [part])
        widths.append(interval.high - interval.low)
    assert widths == sorted(widths)
    assert widths[0] > 0


def test_errors_of_too_few_people_project_without_an_interval() -> None:
    few = FOOLED._replace(checked=counts(2, 4, 1, 0, 0, 0), errors=counts(1, 2, 1, 0, 0, 0))
    with pytest.raises(NoInterval, match="3, at least 5 are needed"):
        projected_interval(TRIES, [few, REST])


def test_without_an_error_it_reaches_above_nothing() -> None:
    none = FOOLED._replace(errors=np.zeros(6, dtype=np.int64))
    interval = projected_interval(TRIES, [none, REST])
    assert interval.low == 0
    assert 0 < interval.high < 1


def test_it_holds_what_the_rate_comes_to_when_the_newest_votes_are_missing() -> None:
    """40 annotators of 20 tries; each one's chance to fool and to be confirmed varies; the last 30 % wait.

    The interval of the share so far does not hold it: that is what the projection is for.
    """
    dice, rounds = np.random.default_rng(5), 500
    tries = np.full((rounds, 40), 20)
    fooled = dice.binomial(tries, dice.beta(3, 5, tries.shape))
    waiting = dice.binomial(fooled, 0.3)
    care = dice.beta(6, 3, tries.shape)
    checked = fooled - waiting
    errors = dice.binomial(checked, care)
    final = (errors + dice.binomial(waiting, care)).sum(axis=1) / tries.sum(axis=1)
    bounds = projected_bounds(tries, [Stratum(fooled, checked, errors)])
    assert ((bounds.low <= final) & (final <= bounds.high)).mean() >= 0.92
