"""The expected share of errors once everything is checked, projected from the checks so far.

Tries fall into strata (those that fooled, those that did not); of a stratum with T tries R are checked and E of them
are errors. With D tries in all the projected share is `Σ T · E / R / D`: it assumes that what still waits turns out
as what was checked of the same stratum did. A stratum of which nothing is checked adds nothing. Tries in no stratum
can be no error.

The interval is the union of two, as in `intervals`, here of the projected share:

- the delete-one-person jackknife on the logit scale, each person's tries left out of T, R, E and D;
- Wilson's on the effective number of answers of the tries, errors of unchecked ones counted as expected, times what
  checking a part of them loses: `p(1-p) / (Σ W (q - p)² + Σ W q(1-q) T / R)` with W = T / D and q = (E + ½) / (R + 1)
  (stratified double sampling: W. G. Cochran, "Sampling Techniques", 1977, 12.2).

It is an interval of the rate among such people, so it holds the final share of these very tries more often yet.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dynabench_tasks.statistics.intervals import (
    ANNOTATORS,
    NORMAL_QUANTILE,
    Amounts,
    Bounds,
    Floats,
    Interval,
    effective_answers,
    effective_people,
    ensure_enough,
    reach_on_logit_scale,
    wilson_bounds,
)

CHECKED = ANNOTATORS._replace(answers="tries that votes decided")


class Stratum(NamedTuple):
    """Tries of one kind, those that are checked, and the errors among these; one entry per person."""

    tries: Amounts
    checked: Amounts
    errors: Amounts

    @property
    def waits(self) -> bool:
        """Return whether the stratum has checked and unchecked tries."""
        return 0 < int(self.checked.sum()) < int(self.tries.sum())


def projected_share(tries: Amounts, strata: Sequence[Stratum]) -> float:
    """Return the projected share of `tries`, of which there are some."""
    expected = (
        float(stratum.tries.sum()) * float(stratum.errors.sum()) / float(stratum.checked.sum())
        for stratum in strata
        if stratum.checked.sum()
    )
    return min(1.0, sum(expected) / float(tries.sum()))


def projected_interval(tries: Amounts, strata: Sequence[Stratum]) -> Interval:
    """Return the interval of the projected share of `tries`, one entry per person.

    Raises NoInterval if the tries, or what is checked of a stratum, are worth those of fewer than five people.
    """
    ensure_enough(tries)
    for stratum in strata:
        if stratum.waits:
            ensure_enough(stratum.checked, CHECKED)
    low, high, _ = projected_bounds(tries, strata)
    return Interval(float(low), float(high))


def projected_bounds(tries: Amounts, strata: Sequence[Stratum]) -> Bounds:
    """Return the ends of the intervals, however few people there are, who stand along the last axis."""
    people = tries.astype(np.float64)
    total = np.maximum(people.sum(axis=-1, keepdims=True), 1e-9)
    parts = [_Part.of(stratum) for stratum in strata]
    share = np.minimum(
        1.0, sum(((part.expected.sum(axis=-1) for part in parts)), np.zeros(total.shape[:-1])) / total[..., 0]
    )
    is_end = (share <= 0) | (share >= 1)
    inner = np.where(is_end, 0.5, share)
    left = np.maximum(total - people, 1e-9)
    without_one = sum((part.without_one for part in parts), np.zeros(people.shape)) / left
    jackknife = reach_on_logit_scale(np.minimum(1.0, without_one), people > 0, inner)
    hits = np.minimum(people, sum((part.expected for part in parts), np.zeros(people.shape)))
    effective = effective_people(people)
    known = effective_answers(hits, people) * _information(parts, total[..., 0])
    own = wilson_bounds(share, known, np.float64(NORMAL_QUANTILE))
    low = np.where(is_end, own[0], np.minimum(own[0], jackknife[0]))
    high = np.where(is_end, own[1], np.maximum(own[1], jackknife[1]))
    return Bounds(low, high, effective)


class _Part(NamedTuple):
    """A stratum in sums: T, R and E, the errors that are expected of each person and with each person left out."""

    tries: Floats
    checked: Floats
    errors: Floats
    expected: Floats
    without_one: Floats

    @classmethod
    def of(cls, stratum: Stratum) -> "_Part":
        tries, checked, errors = (amounts.astype(np.float64) for amounts in stratum)
        all_tries, all_checked, all_errors = (
            amounts.sum(axis=-1, keepdims=True) for amounts in (tries, checked, errors)
        )
        share = all_errors / np.where(all_checked > 0, all_checked, 1.0)
        left = all_checked - checked
        share_left = np.where(left > 0, (all_errors - errors) / np.where(left > 0, left, 1.0), share)
        return cls(
            all_tries[..., 0],
            all_checked[..., 0],
            all_errors[..., 0],
            errors + (tries - checked) * share,
            (all_tries - tries) * share_left,
        )


def _information(parts: Sequence[_Part], total: Floats) -> Floats:
    """Return the checked tries' share of the information in all tries; 1 if all of them are checked."""
    zero = np.zeros_like(total)
    weights = [np.where(part.checked > 0, part.tries / total, 0.0) for part in parts]
    rates = [(part.errors + 0.5) / (part.checked + 1) for part in parts]
    share = sum((weight * rate for weight, rate in zip(weights, rates, strict=True)), zero)
    spread, lost = share * (1 - share), zero
    for weight, rate, part in zip(weights, rates, parts, strict=True):
        times = part.tries / np.where(part.checked > 0, part.checked, 1.0)
        lost = lost + weight * rate * (1 - rate) * np.maximum(times - 1, 0.0)
    information: Floats = spread / np.where(spread + lost > 0, spread + lost, 1.0)
    return np.where(spread > 0, information, 1.0)
