"""The figures of a model card. Standard library only; worked examples are tests."""

from collections.abc import Collection, Sequence
from math import sqrt

Z_95 = 1.959963984540054
ECE_BINS = 15


def wilson_interval(successes: int, n: int) -> tuple[float, float]:
    """95 % score interval of a share (Wilson 1927), for examples that are independent of each other."""
    share, z2 = successes / n, Z_95**2
    centre = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = Z_95 * sqrt(share * (1 - share) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    return centre - half, centre + half


def mean_interval(values: Sequence[float]) -> tuple[float, float]:
    """95 % interval of a mean by the normal approximation, for many values that are independent of each other."""
    n = len(values)
    mean = sum(values) / n
    half = Z_95 * sqrt(sum((value - mean) ** 2 for value in values) / (n - 1) / n)
    return mean - half, mean + half


def micro_f1(gold: Sequence[Collection[str]], predicted: Sequence[Collection[str]]) -> float:
    """F1 over all labels of all examples together."""
    both = sum(len(set(truth) & set(guess)) for truth, guess in zip(gold, predicted, strict=True))
    return 2 * both / sum(map(len, (*gold, *predicted)))


def macro_f1(gold: Sequence[str], predicted: Sequence[str]) -> float:
    """Mean F1 over the labels that occur in gold or predictions."""
    labels = sorted({*gold, *predicted})
    return sum(_f1(label, gold, predicted) for label in labels) / len(labels)


def recall(label: str, gold: Sequence[str], predicted: Sequence[str]) -> float:
    """Share of the examples of `label` that were recognised."""
    hits = [guess == label for guess, truth in zip(predicted, gold, strict=True) if truth == label]
    return sum(hits) / len(hits)


def expected_calibration_error(confidences: Sequence[float], correct: Sequence[bool]) -> float:
    """Mean distance of confidence and accuracy over equal-width bins, weighted by size (Guo et al. 2017)."""
    bins: dict[int, list[tuple[float, bool]]] = {}
    for confidence, hit in zip(confidences, correct, strict=True):
        bins.setdefault(min(int(confidence * ECE_BINS), ECE_BINS - 1), []).append((confidence, hit))
    gaps = (abs(sum(confidence - hit for confidence, hit in members)) for members in bins.values())
    return sum(gaps) / len(confidences)


def _f1(label: str, gold: Sequence[str], predicted: Sequence[str]) -> float:
    pairs = list(zip(gold, predicted, strict=True))
    both = sum(truth == guess == label for truth, guess in pairs)
    either = sum((truth == label) + (guess == label) for truth, guess in pairs)
    return 2 * both / either if either else 0.0
