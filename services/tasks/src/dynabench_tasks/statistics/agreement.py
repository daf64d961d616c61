"""Coefficients of agreement, from sums over examples.

`P` is the observed agreement: the mean, over examples with at least two votes, of the share of their pairs of votes
that say the same. Each chance-corrected coefficient is `(P - E) / (1 - E)` with its own idea of what chance gives:

- Fleiss' kappa (J. L. Fleiss, "Measuring nominal scale agreement among many raters", 1971): E = Σ p_k², p_k the
  share of option k among all votes. It is defined for equal numbers of votes only.
- Krippendorff's alpha, nominal (K. Krippendorff, "Content Analysis", 1980): pairs are weighed by 1 / (n - 1), so that
  each vote counts the same, and drawn without replacement:
  `1 - (N - 1) (N - Σ a / (n - 1)) / (N² - Σ N_k²)`, N votes on examples with two or more, N_k of them for k.
- Gwet's AC1 (K. L. Gwet, "Computing inter-rater reliability and its variance in the presence of high agreement",
  2008): E = Σ π_k (1 - π_k) / (q - 1), π_k the mean share of option k over all examples that have a vote, q the
  number of options used.

A flag is an option like another. Where all votes chose one option, P is 1, and the three that correct for chance are
undefined, since nothing could have shown disagreement: neither 1 nor not-a-number.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import fsum

from dynabench_tasks.statistics.vote_table import SizeSums, VoteTable

NO_PAIRS = "undefined: no example has two votes"
ONE_OPTION = "undefined: one option used"
UNEQUAL_VOTES = "undefined: examples have unequal numbers of votes"
SPANS = "undefined: votes mark spans, and chance agreement of spans has no agreed definition"


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A coefficient on `n` examples; without a value, `reason` says why."""

    value: float | None
    n: int
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement among people, in four figures."""

    raw: Coefficient
    fleiss_kappa: Coefficient
    krippendorff_alpha: Coefficient
    gwet_ac1: Coefficient


def agreement(table: VoteTable, *, are_spans: bool = False) -> Agreement:
    """Return the four coefficients; of spans, which are no options, the raw one alone."""
    raw = raw_agreement(table)
    if not are_spans:
        return Agreement(raw, fleiss_kappa(table), krippendorff_alpha(table), gwet_ac1(table))
    undefined = Coefficient(None, raw.n, SPANS)
    return Agreement(raw, undefined, undefined, undefined)


def raw_agreement(table: VoteTable) -> Coefficient:
    """Return the mean share of pairs of votes that say the same."""
    pairable = _pairable(table)
    examples = sum(sums.examples for sums in pairable.values())
    if not examples:
        return Coefficient(None, 0, NO_PAIRS)
    return Coefficient(_observed(pairable), examples)


def fleiss_kappa(table: VoteTable) -> Coefficient:
    """Return Fleiss' kappa."""
    pairable = _pairable(table)
    if len(pairable) > 1:
        return Coefficient(None, sum(sums.examples for sums in pairable.values()), UNEQUAL_VOTES)
    votes = _option_votes(pairable.values())
    total = votes.total()
    chance = fsum((count / total) ** 2 for count in votes.values())
    return _corrected(pairable, votes, chance)


def krippendorff_alpha(table: VoteTable) -> Coefficient:
    """Return Krippendorff's alpha for nominal data."""
    pairable = _pairable(table)
    undefined = _why_undefined(pairable, _option_votes(pairable.values()))
    if undefined is not None:
        return undefined
    votes = _option_votes(pairable.values())
    total = votes.total()
    agreeing = fsum(sums.pairs / (size - 1) for size, sums in pairable.items())
    expected = total**2 - sum(count**2 for count in votes.values())
    return Coefficient(1 - (total - 1) * (total - agreeing) / expected, _examples(pairable))


def gwet_ac1(table: VoteTable) -> Coefficient:
    """Return Gwet's first-order agreement coefficient."""
    options = sorted(_option_votes(table.values()))
    rated = _examples(table)
    shares = [
        fsum(sums.options.get(option, 0) / size for size, sums in table.items()) / rated for option in options
    ]
    chance = fsum(share * (1 - share) for share in shares) / max(1, len(options) - 1)
    return _corrected(_pairable(table), _option_votes(table.values()), chance)


def _corrected(pairable: VoteTable, votes: Counter[str], chance: float) -> Coefficient:
    undefined = _why_undefined(pairable, votes)
    if undefined is not None:
        return undefined
    return Coefficient((_observed(pairable) - chance) / (1 - chance), _examples(pairable))


def _why_undefined(pairable: VoteTable, votes: Counter[str]) -> Coefficient | None:
    if not pairable:
        return Coefficient(None, 0, NO_PAIRS)
    if len(votes) < 2:
        return Coefficient(None, _examples(pairable), ONE_OPTION)
    return None


def _observed(pairable: VoteTable) -> float:
    shares = fsum(sums.pairs / (size * (size - 1)) for size, sums in pairable.items())
    return shares / _examples(pairable)


def _pairable(table: VoteTable) -> VoteTable:
    return {size: sums for size, sums in table.items() if size >= 2}


def _examples(table: VoteTable) -> int:
    return sum(sums.examples for sums in table.values())


def _option_votes(sums: Iterable[SizeSums]) -> Counter[str]:
    votes: Counter[str] = Counter()
    for each in sums:
        votes.update(each.options)
    return votes
