"""`make coverage`: simulate rounds, count how often the intervals hold the truth, write build/coverage.json.

The generator is that of people who differ in skill and in effort. Of each round's A annotators, each draws

- effort: the number of tries, geometric with mean 16 (at least 1);
- skill: the chance that a try fools, Beta(a, b), so the number of fooling tries is beta-binomial. Three settings:
  Beta(2, 4), mean 1/3; Beta(1, 3), mean 1/4, very unequal; Beta(4, 4), mean 1/2, less unequal;
- care: the chance that votes confirm a fooling try, Beta(6, 3), mean 2/3.

Skill, care and effort are independent of one another. The truth is what a round of endlessly many such annotators would
show: for MER the mean skill, for vMER the mean skill times the mean care, for validity the mean care weighted by skill,
which is the mean care again. A round without an interval of its validity, since fewer than five annotators fooled
at all, is left out there.

Figures are the coverage in percent of nominal 95 % intervals over 5, 10, 20 and 60 annotators; 92 to 97 are asked for.
10,000 rounds per figure put the standard error at 0.25 points. The seed is fixed: equal code, equal figures. Beside
them, without a bar, stands what Wilson's interval of independent tries would cover.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from dynabench_tasks.statistics.intervals import Amounts, NoInterval, clustered_interval, wilson_interval

from tests.figures import Figure, plain, publish

ROUNDS = 10_000
ANNOTATORS = (5, 10, 20, 60)
MEAN_TRIES = 16
SKILLS = {"mean 1/3": (2.0, 4.0), "mean 1/4, very unequal": (1.0, 3.0), "mean 1/2, less unequal": (4.0, 4.0)}
CARE = (6.0, 3.0)
LOWEST, HIGHEST = 92.0, 97.0
SEED = 20_260_302


class Tally:
    """How often the intervals of one share held its truth."""

    def __init__(self, truth: float) -> None:
        self._truth = truth
        self._held = self._held_by_wilson = self._given = 0

    def add(self, hits: Amounts, tries: Amounts) -> None:
        """Count one round."""
        try:
            interval = clustered_interval(hits, tries)
        except NoInterval:
            return
        total = int(tries.sum())
        plain_one = wilson_interval(int(hits.sum()) / total, total)
        self._given += 1
        self._held += interval.low <= self._truth <= interval.high
        self._held_by_wilson += plain_one.low <= self._truth <= plain_one.high

    @property
    def coverage(self) -> float:
        """Return the percentage of rounds whose interval held the truth."""
        return 100 * self._held / self._given

    @property
    def coverage_by_wilson(self) -> float:
        """Return the same of Wilson's interval."""
        return 100 * self._held_by_wilson / self._given


def figures(setting: str, annotators: int) -> Iterator[Figure]:
    """Simulate the rounds of one setting."""
    a, b = SKILLS[setting]
    skill, care = a / (a + b), CARE[0] / sum(CARE)
    rng = np.random.default_rng([SEED, annotators, list(SKILLS).index(setting)])
    tallies = {"MER": Tally(skill), "vMER": Tally(skill * care), "validity": Tally(care)}
    for _ in range(ROUNDS):
        tries = rng.geometric(1 / MEAN_TRIES, annotators)
        fooled = rng.binomial(tries, rng.beta(a, b, annotators))
        confirmed = rng.binomial(fooled, rng.beta(*CARE, annotators))
        tallies["MER"].add(fooled, tries)
        tallies["vMER"].add(confirmed, tries)
        tallies["validity"].add(confirmed, fooled)
    for rate, tally in tallies.items():
        name, coverage = f"{rate}, {annotators} annotators, skill {setting}", tally.coverage
        bar, holds = f"{LOWEST:g}-{HIGHEST:g}", LOWEST <= coverage <= HIGHEST
        yield Figure(name, round(coverage, 3), "%", bar, holds)
        if rate == "MER":
            yield plain(f"{name}: Wilson", tally.coverage_by_wilson, "%")


def main() -> int:
    """Simulate every setting; 1 if a figure is out of its bar."""
    found = [
        figure for annotators in ANNOTATORS for setting in SKILLS for figure in figures(setting, annotators)
    ]
    publish(found, Path("build/coverage.json"), "make coverage")
    return int(any(figure.holds is False for figure in found))


if __name__ == "__main__":
    sys.exit(main())
