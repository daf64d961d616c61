"""Measurements in plain words, with warnings.

A warning is a pattern that lets a model do well without doing the task, or that makes a score on the dataset less
meaningful. The thresholds are rules of thumb, chosen so that balanced data of many people get no warning.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dynabench_client.results.datasets import Association, Distribution, Measurements

from web.kit import isolation
from web.kit.language import _, ngettext
from web.kit.numbers import count, decimal, interval, percent

UNEVEN = 4 / 3
"""A label is too common from this multiple of an even share."""
LONG_TAIL = 5.0
"""The longest text is an outlier from this multiple of the median."""
SATURATED = 0.1
"""People repeat words if the last examples add fewer new words than this share of the first examples' new words."""
MANY_DUPLICATES = 0.05
MUCH_OVERLAP = 0.5
FEW_WROTE_MOST = 0.5
STRONG_BITS = 1.0
"""A word gives a label away if it comes at least twice as often as by chance, at the lower end of its interval."""
MOST_NAMED = 3
FEW_EXAMPLES = 100
"""With fewer examples, chance alone changes shares by ten points or more."""


@dataclass(frozen=True)
class Finding:
    """Finding of a measurement; a warning matters for any use of the data."""

    words: str
    is_warning: bool = False


def findings_of(found: Measurements, name: str, inputs: str) -> list[Finding]:
    """Return the findings of one part; `inputs` is the task's word for people's texts."""
    return _SAYING[name](found, inputs)


def _label_balance(found: Measurements, _inputs: str) -> list[Finding]:
    labels = shown_labels(found)
    total = sum(labels.values())
    commonest = max(labels, key=lambda label: labels[label])
    share = labels[commonest] / total
    uneven = len(labels) > 1 and share >= min(1.0, UNEVEN / len(labels))
    said = [
        Finding(
            _(
                "Always answering “%(label)s” is right for %(share)s of %(examples)s. Compare accuracies with that "
                "share, or use macro F1.",
                label=isolation.name(commonest),
                share=percent(share),
                examples=_examples(total),
            )
            if uneven
            else _(
                "The most common label, “%(label)s”, has %(share)s of %(examples)s: no label stands out.",
                label=isolation.name(commonest),
                share=percent(share),
                examples=_examples(total),
            ),
            uneven,
        )
    ]
    if total < FEW_EXAMPLES:
        few = ngettext(
            "Only %(shown)s\u00a0example: chance may change these shares a lot.",
            "Only %(shown)s\u00a0examples: chance may change these shares a lot.",
            total,
            shown=count(total),
        )
        said.append(Finding(few, True))
    unused = [_("“%(name)s”", name=isolation.name(label)) for label, number in labels.items() if not number]
    if unused:
        words = _(
            "No example has %(labels)s: nothing can be learned or measured there.",
            labels=isolation.names(unused),
        )
        said.append(Finding(words, True))
    return said


def shown_labels(found: Measurements) -> dict[str, int]:
    """Return the number of examples by label: agreed labels, or claimed ones before any agreement."""
    balance = found.label_balance
    return balance.gold if any(balance.gold.values()) else balance.claimed


def _lengths(found: Measurements, _inputs: str) -> list[Finding]:
    return [each for name, lengths in found.lengths.items() for each in _length(name, lengths.words)]


def _length(name: str, spread: Distribution) -> list[Finding]:
    if spread.p50 is None or spread.p95 is None:
        return []
    said = [
        Finding(
            ngettext(
                "%(field)s: half have at most %(shown)s\u00a0word, one in twenty more than %(most)s.",
                "%(field)s: half have at most %(shown)s\u00a0words, one in twenty more than %(most)s.",
                int(spread.p50),
                field=name,
                shown=count(int(spread.p50)),
                most=count(spread.p95),
            )
        )
    ]
    if spread.max is not None and spread.p50 and spread.max >= LONG_TAIL * spread.p50:
        said.append(
            Finding(
                _(
                    "%(field)s: the longest has %(number)s words. A model that cuts long texts misses part of it.",
                    field=name,
                    number=count(spread.max),
                ),
                True,
            )
        )
    return said


def _vocabulary(found: Measurements, _inputs: str) -> list[Finding]:
    words = found.vocabulary
    said = [
        Finding(
            _(
                "%(different)s in %(words)s. The share falls with more text: compare it only with data of similar "
                "size.",
                different=_different_words(words.types),
                words=_words(words.tokens),
            )
        )
    ]
    growth = [point.new for point in words.new_per_1000]
    if len(growth) > 1 and growth[-1] < SATURATED * growth[0]:
        said.append(
            Finding(
                _(
                    "The first thousand examples brought %(first)s new words, the last thousand %(last)s: people "
                    "repeat words.",
                    first=count(growth[0]),
                    last=count(growth[-1]),
                ),
                True,
            )
        )
    return said


def _examples(number: int) -> str:
    return ngettext("%(shown)s\u00a0example", "%(shown)s\u00a0examples", number, shown=count(number))


def _words(number: int) -> str:
    return ngettext("%(shown)s\u00a0word", "%(shown)s\u00a0words", number, shown=count(number))


def _different_words(number: int) -> str:
    return ngettext(
        "%(shown)s\u00a0different word", "%(shown)s\u00a0different words", number, shown=count(number)
    )


def _near_duplicates(found: Measurements, _inputs: str) -> list[Finding]:
    pairs, share = found.near_duplicates.pairs, found.near_duplicates.share or 0.0
    if not pairs:
        return [Finding(_("No two texts are almost the same."))]
    says = ngettext(
        "%(shown)s\u00a0pair of texts is almost the same. It is in %(share)s of %(examples)s.",
        "%(shown)s\u00a0pairs of texts are almost the same. They are in %(share)s of %(examples)s.",
        pairs,
        shown=count(pairs),
        share=percent(share),
        examples=_examples(found.examples),
    )
    if share < MANY_DUPLICATES:
        return [Finding(says)]
    warning = _("A model that knows one text knows the other, so scores count it twice.")
    return [Finding(f"{says} {warning}", True)]


def _overlap(found: Measurements, inputs: str) -> list[Finding]:
    mean = found.overlap.mean or 0.0
    says = _(
        "On average, %(share)s of the words of the %(input)s appear in its context (%(examples)s).",
        share=percent(mean),
        input=inputs,
        examples=_examples(found.overlap.n),
    )
    if mean < MUCH_OVERLAP:
        return [Finding(says)]
    warning = _("A model that only counts shared words may seem to understand.")
    return [Finding(f"{says} {warning}", True)]


def _authors(found: Measurements, _inputs: str) -> list[Finding]:
    authors = found.authors
    share, people = authors.top5_share or 0.0, _people(authors.people)
    examples = _examples(found.examples if authors.examples is None else authors.examples)
    if authors.people > 5 and share >= FEW_WROTE_MOST:
        words = _(
            "Five of %(people)s wrote %(share)s of %(examples)s. A model can learn their style instead of the task. "
            "Only splits with other authors show this.",
            people=people,
            share=percent(share),
            examples=examples,
        )
        return [Finding(words, True)]
    if authors.people <= 5:
        words = _(
            "Only %(people)s wrote these %(examples)s: scores may reflect their style.",
            people=people,
            examples=examples,
        )
        return [Finding(words, True)]
    words = _(
        "The five busiest of %(people)s wrote %(share)s of %(examples)s.",
        people=people,
        share=percent(share),
        examples=examples,
    )
    return [Finding(words)]


def _people(number: int) -> str:
    return ngettext("%(shown)s\u00a0person", "%(shown)s\u00a0people", number, shown=count(number))


def by_label(found: Measurements) -> dict[str, list[Association]]:
    """Return the words of each label in the service's order: positive associations, then negative ones."""
    labels: dict[str, list[Association]] = {}
    for each in found.associations:
        labels.setdefault(each.label, []).append(each)
    return labels


def _associations(found: Measurements, _inputs: str) -> list[Finding]:
    said = []
    for label, words in by_label(found).items():
        strong = [each for each in words if each.low is not None and each.low >= STRONG_BITS]
        if strong:
            said.append(Finding(_gives_away(label, strong), True))
    none = _("No word clearly appears with a label twice as often as by chance.")
    return said or [Finding(none)]


def _gives_away(label: str, strong: Sequence[Association]) -> str:
    named: str = isolation.names(
        _(
            "“%(word)s” %(number)s times",
            word=isolation.text(each.token),
            number=decimal(2 ** (each.pmi or 0.0)),
        )
        for each in strong[:MOST_NAMED]
    )
    if len(strong) > MOST_NAMED:
        named = _("%(words)s and %(number)s more", words=named, number=len(strong) - MOST_NAMED)
    return _(
        "Some words give “%(label)s” away. They appear with it more often than by chance: %(words)s.",
        label=isolation.name(label),
        words=named,
    )


def _input_only_baseline(found: Measurements, inputs: str) -> list[Finding]:
    baseline = found.input_only_baseline
    band = interval(baseline.low, baseline.high)
    accuracy = percent(baseline.accuracy) + (f" ({band})" if band else "")
    said = {"accuracy": accuracy, "majority": percent(baseline.majority), "input": inputs}
    floor = baseline.accuracy if baseline.low is None else baseline.low
    if floor is not None and baseline.majority is not None and floor > baseline.majority:
        words = _(
            "Without the context, a model is right in %(accuracy)s. Always answering the most common label is right "
            "in %(majority)s. So the %(input)s alone gives much away.",
            **said,
        )
        return [Finding(words, True)]
    words = _(
        "Without the context, a model is right in %(accuracy)s. Always answering the most common label is right in "
        "%(majority)s. So this model finds nothing that the %(input)s alone gives away.",
        **said,
    )
    return [Finding(words)]


_SAYING: dict[str, Callable[[Measurements, str], list[Finding]]] = {
    "label_balance": _label_balance,
    "lengths": _lengths,
    "vocabulary": _vocabulary,
    "near_duplicates": _near_duplicates,
    "overlap": _overlap,
    "authors": _authors,
    "associations": _associations,
    "input_only_baseline": _input_only_baseline,
}
