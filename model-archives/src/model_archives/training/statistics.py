"""The figures of a model card. Standard library only; worked examples are tests."""

import re
import string
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Sequence
from math import exp, log, sqrt

Z_95 = 1.959963984540054
EXPECTED_CORRELATION, EXPECTED_FROM = 0.1, 4
ECE_BINS = 15
ARTICLES = re.compile(r"\b(a|an|the)\b")
PUNCTUATION = str.maketrans("", "", string.punctuation)


def wilson_interval(successes: float, n: float) -> tuple[float, float]:
    """95 % score interval of a share (Wilson 1927), for examples that are independent of each other."""
    share, z2 = successes / n, Z_95**2
    centre = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = Z_95 * sqrt(share * (1 - share) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    return centre - half, centre + half


def clustered_interval(outcomes: Sequence[bool], clusters: Sequence[Hashable]) -> tuple[float, float]:
    """95 % interval of a share of outcomes that resemble one another within clusters, such as a template's cases.

    The platform's own rule (`dynabench_tasks.statistics.intervals`, which this package can't import), with the normal
    quantile: the union of the delete-one-cluster jackknife on the logit scale and of Wilson's on the effective n.
    """
    hits: dict[Hashable, int] = {}
    sizes: dict[Hashable, int] = {}
    for outcome, cluster in zip(outcomes, clusters, strict=True):
        hits[cluster] = hits.get(cluster, 0) + outcome
        sizes[cluster] = sizes.get(cluster, 0) + 1
    pairs = [(hits[cluster], size) for cluster, size in sizes.items()]
    n, share = len(outcomes), sum(outcomes) / len(outcomes)
    effective = n / (1 + _correlation(pairs) * (sum(size**2 for _, size in pairs) / n - 1))
    low, high = wilson_interval(share * effective, effective)
    if share in {0.0, 1.0}:
        return max(0.0, low), min(1.0, high)
    without = ((sum(outcomes) - hit) / (n - size) for hit, size in pairs)
    spread = sqrt((len(pairs) - 1) / len(pairs) * sum((each - share) ** 2 for each in without))
    centre, reach = log(share / (1 - share)), Z_95 * spread / (share * (1 - share))
    return min(low, _expit(centre - reach)), max(high, _expit(centre + reach))


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


def exact_match(answer: str, golds: Iterable[str]) -> bool:
    """Return whether the answer is one of the golds, but for case, punctuation, articles and spaces, as SQuAD does."""
    return any(_words(answer) == _words(gold) for gold in golds)


def token_f1(answer: str, golds: Iterable[str]) -> float:
    """F1 over bags of words, the best over the golds (SQuAD: Rajpurkar et al. 2016)."""
    return max(_overlap(_words(answer), _words(gold)) for gold in golds)


def _correlation(pairs: Sequence[tuple[int, int]]) -> float:
    """Similarity of outcomes of one cluster, from mean squares of (hits, size), drawn towards the expected one."""
    n, clusters = sum(size for _, size in pairs), len(pairs)
    share = sum(hit for hit, _ in pairs) / n
    between = sum(size * (hit / size - share) ** 2 for hit, size in pairs) / max(1, clusters - 1)
    within = sum(hit * (1 - hit / size) for hit, size in pairs) / max(1, n - clusters)
    size = (n - sum(size**2 for _, size in pairs) / n) / max(1, clusters - 1)
    spread = between + (size - 1) * within
    seen, weight = ((between - within) / spread, clusters - 1) if spread > 0 else (0.0, 0)
    return (min(0.95, max(0.0, seen)) * weight + EXPECTED_CORRELATION * EXPECTED_FROM) / (
        weight + EXPECTED_FROM
    )


def _expit(value: float) -> float:
    return 1 / (1 + exp(-value))


def _f1(label: str, gold: Sequence[str], predicted: Sequence[str]) -> float:
    pairs = list(zip(gold, predicted, strict=True))
    both = sum(truth == guess == label for truth, guess in pairs)
    either = sum((truth == label) + (guess == label) for truth, guess in pairs)
    return 2 * both / either if either else 0.0


def _overlap(answer: list[str], gold: list[str]) -> float:
    if not answer or not gold:
        return float(answer == gold)
    common = (Counter(answer) & Counter(gold)).total()
    return 2 * common / (len(answer) + len(gold))


def _words(text: str) -> list[str]:
    return ARTICLES.sub(" ", text.lower().translate(PUNCTUATION)).split()
