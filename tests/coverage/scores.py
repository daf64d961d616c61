"""Coverage of the intervals of scores on boards, and of the sets of ranks for a whole board.

Generators: an item has an ease from a normal distribution (standard deviation 0.2, chances clipped to 0.02 and 0.98),
drawn per item, or per context where items share contexts (sizes geometric); a model is right by that chance. For
macro F1 gold labels are drawn with given shares and answers by a confusion that keeps the accuracy; its truth is over
the labels that a sample holds, as the metric is. Differences are of two models on the same items. Token F1 is 1
with the model's chance, 0 for a third of the rest, and uniform between for the others. The truth is that of the
endless population, summed numerically. A board has models whose abilities are spread evenly, equal in groups of three,
or all equal; a set that holds every place which a model's true worth allows is right, for all models at once.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from evaluation.domain.intervals import Ends, by_cluster, influence_interval, share_interval
from evaluation.domain.items import Item
from evaluation.domain.metrics import Answered
from evaluation.domain.metrics.macro_f1 import measure, ratios
from evaluation.domain.resampling import paired_difference
from leaderboard.domain.ranking.certainty import certainty, covariance

from tests.coverage.rounds import Numbers

SEED = 20_261_123
SAMPLES, SLOW_SAMPLES, PAIRED_SAMPLES, BOARDS = 2_000, 600, 400, 4_000
ITEMS = (60, 250, 1_000)
RATES = (0.55, 0.75, 0.92)
EASE = 0.2
SHARES = {
    "even labels": (1 / 3, 1 / 3, 1 / 3),
    "a rare label": (0.45, 0.45, 0.10),
    "a very rare label": (0.495, 0.495, 0.01),
    "five labels, one very rare": (0.25, 0.25, 0.25, 0.24, 0.01),
}
ABILITIES: dict[str, Callable[[int], Numbers]] = {
    "spread": lambda models: np.linspace(0.55, 0.80, models),
    "groups of three": lambda models: np.linspace(0.55, 0.80, -(-models // 3)).repeat(3)[:models],
    "all equal": lambda models: np.full(models, 0.7),
}


@dataclass(frozen=True)
class Coverage:
    """Of `given` samples with an interval the percentage that held the truth."""

    name: str
    coverage: float
    given: int


def score_intervals() -> Iterator[Coverage]:
    """Simulate every cell of the intervals of scores."""
    for place, (items, rate) in enumerate(product(ITEMS, RATES)):
        dice = np.random.default_rng([SEED, place])
        kinds: dict[str, Callable[[Any, int, float], tuple[Ends, float]]] = {
            "accuracy, distinct contexts": _plain,
            "accuracy, shared contexts": _clustered,
            "token F1": _token_f1,
        }
        for name, sample in kinds.items():
            yield _coverage(f"{name}, {items} items, {rate:.0%}", partial(sample, dice, items, rate), SAMPLES)
        for name, shares in SHARES.items():
            yield _coverage(
                f"macro F1, {name}, {items} items, {rate:.0%}",
                partial(_macro_f1, dice, items, rate, shares),
                SLOW_SAMPLES,
            )
        for name, shares in SHARES.items():
            yield _coverage(
                f"difference in macro F1, {name}, {items} items, {rate:.0%}",
                partial(_difference, dice, items, rate, shares),
                PAIRED_SAMPLES,
            )


def rank_sets() -> Iterator[Coverage]:
    """Simulate boards; a board counts as held if the sets of all of its models are right."""
    for place, (name, models, items) in enumerate(product(ABILITIES, (5, 20), (60, 100, 600))):
        dice = np.random.default_rng([SEED, 1_000 + place])
        ability = ABILITIES[name](models)
        above = (ability[None, :] > ability[:, None] + 1e-12).sum(axis=1)
        below = (ability[None, :] < ability[:, None] - 1e-12).sum(axis=1)
        held = 0
        for _ in range(BOARDS):
            moved, means = _board(dice, ability, items)
            found = certainty(means, covariance(moved, moved), items - 1).simultaneous
            held += all(
                low <= 1 + better and models - worse <= high
                for (low, high), better, worse in zip(found, above, below, strict=True)
            )
        yield Coverage(f"{name}, {models} models, {items} items", 100 * held / BOARDS, BOARDS)


def _board(dice: np.random.Generator, ability: Numbers, items: int) -> tuple[Numbers, Numbers]:
    ease = dice.normal(0, EASE, items)
    right = (dice.random((len(ability), items)) < np.clip(ability[:, None] + ease, 0.02, 0.98)).astype(float)
    means = right.mean(axis=1)
    return (right - means[:, None]) / items, means


def _coverage(name: str, sample: Callable[[], tuple[Ends, float]], samples: int) -> Coverage:
    given = held = 0
    for _ in range(samples):
        ends, truth = sample()
        if not ends.reason:
            given += 1
            held += ends.low <= 100 * truth <= ends.high
    return Coverage(name, 100 * held / max(given, 1), given)


def _truth(rate: float) -> float:
    """Return the mean chance of a model over all eases."""
    at = np.linspace(-6, 6, 4_001)
    density = np.exp(-at * at / 2)
    return float((np.clip(rate + EASE * at, 0.02, 0.98) * density).sum() / density.sum())


def _chances(dice: np.random.Generator, number: int, rate: float) -> Numbers:
    return np.clip(rate + dice.normal(0, EASE, number), 0.02, 0.98)


def _plain(dice: np.random.Generator, items: int, rate: float) -> tuple[Ends, float]:
    right = (dice.random(items) < _chances(dice, items, rate)).astype(float)
    return share_interval(right, np.arange(items)), _truth(rate)


def _clusters(dice: np.random.Generator, items: int) -> "np.ndarray[Any, np.dtype[np.int64]]":
    """Return the context of each item: sizes geometric with a mean of four, cut at the last item."""
    sizes = dice.geometric(0.25, items)
    return np.repeat(np.arange(items), sizes)[:items]


def _clustered(dice: np.random.Generator, items: int, rate: float) -> tuple[Ends, float]:
    clusters = _clusters(dice, items)
    chances = _chances(dice, items, rate)[clusters]
    return share_interval((dice.random(items) < chances).astype(float), clusters), _truth(rate)


def _token_f1(dice: np.random.Generator, items: int, rate: float) -> tuple[Ends, float]:
    clusters = _clusters(dice, items)
    whole = dice.random(items) < _chances(dice, items, rate)[clusters]
    partly = np.where(dice.random(items) < 1 / 3, 0.0, dice.random(items))
    scores = np.where(whole, 1.0, partly)
    mean = float(scores.mean())
    truth = _truth(rate) + (1 - _truth(rate)) / 3
    return influence_interval(mean, by_cluster((scores - mean) / items, clusters)), truth


def _macro_f1(
    dice: np.random.Generator, items: int, rate: float, shares: tuple[float, ...]
) -> tuple[Ends, float]:
    gold = dice.choice(len(shares), items, p=shares)
    answered = _answered(gold, _answers(dice, gold, rate, len(shares)), len(shares))
    found = measure(answered)
    return (Ends(reason="undefined") if found is None else found.ends), _true_f1(answered, rate, shares)


def _difference(
    dice: np.random.Generator, items: int, rate: float, shares: tuple[float, ...]
) -> tuple[Ends, float]:
    """Return the interval of macro F1's difference between a model and one that is right 5 points less often."""
    labels, less = len(shares), rate - 0.05
    gold = dice.choice(labels, items, p=shares)
    first, second = (_answered(gold, _answers(dice, gold, chance, labels), labels) for chance in (rate, less))
    one, other = ratios(first), ratios(second)
    if one is None or other is None:
        return Ends(reason="undefined"), 0.0
    truth = _true_f1(first, rate, shares) - _true_f1(second, less, shares)
    return paired_difference(one, other, first.clusters).ends, truth


def _answers(
    dice: np.random.Generator, gold: "np.ndarray[Any, np.dtype[np.int64]]", rate: float, labels: int
) -> "np.ndarray[Any, np.dtype[np.int64]]":
    wrong = (gold + dice.integers(1, labels, len(gold))) % labels
    return np.where(dice.random(len(gold)) < rate, gold, wrong)


def _answered(
    gold: "np.ndarray[Any, np.dtype[np.int64]]", answer: "np.ndarray[Any, np.dtype[np.int64]]", labels: int
) -> Answered:
    names = [f"label {label}" for label in range(labels)]
    items = [Item(str(number), {}, {}, (names[label],), str(number)) for number, label in enumerate(gold)]
    return Answered(items, [names[label] for label in answer], [], np.arange(len(gold)), names)


def _true_f1(answered: Answered, rate: float, shares: tuple[float, ...]) -> float:
    """Return the mean over the labels that occur of their F1 among endless items."""
    labels = range(len(shares))
    confusion = np.array(
        [
            [share * (rate if one == other else (1 - rate) / (len(shares) - 1)) for other in labels]
            for one, share in enumerate(shares)
        ]
    )
    known = {gold for item in answered.items for gold in item.golds} | set(answered.answers)
    seen = [name in known for name in answered.labels]
    found = 2 * np.diag(confusion) / (confusion.sum(axis=0) + confusion.sum(axis=1))
    return float(found[seen].mean())
