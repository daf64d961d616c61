"""Variants of texts with the same meaning. Each module here registers rules; a new rule is a new module.

A rule gets a text and a random generator seeded by the item and the rule alone, so that everybody gets the same
variants. It returns the text unchanged if it finds nothing to change. Words in `kept` carry the label, and no rule
changes them. Raise `VERSION` with each change of a rule's variants.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pkgutil import extend_path
from random import Random

from dynabench_tasks.registry import Registry, import_modules_of
from dynabench_tasks.values import Value

from evaluation.domain.items import Item, Request

VERSION = 1
FAIRNESS, ROBUSTNESS = "fairness", "robustness"
MOST_OF_ITEM = {FAIRNESS: 2, ROBUSTNESS: 2}
"""Maximum number of rules drawn for an item, of those that change its texts."""

Change = Callable[[str, Random, frozenset[str]], str]


@dataclass(frozen=True)
class VariantRule:
    """A way to change a text.

    `changes_context` tells whether the context must change too, as for names.
    """

    name: str
    kind: str
    summary: str
    change: Change
    changes_context: bool = False


VARIANT_RULES: Registry[VariantRule] = Registry()


def kept_words(item: Item, labels: Sequence[str]) -> frozenset[str]:
    """Return the words that carry the label, in lower case: the labels' own, and those of the golds."""
    texts = [*labels, *(_gold_text(gold) for gold in item.golds)]
    return frozenset(word for text in texts for word in text.lower().split())


def variants(number: int, item: Item, labels: Sequence[str], names: Sequence[str]) -> Iterator[Request]:
    """Yield the variants of an item; `names` are those of its fields that hold text."""
    kept = kept_words(item, labels)
    for kind, most in MOST_OF_ITEM.items():
        rules = [VARIANT_RULES[name] for name in VARIANT_RULES.names if VARIANT_RULES[name].kind == kind]
        chance(f"{VERSION}:{kind}:{item.item_id}").shuffle(rules)
        found = 0
        for rule in rules:
            changed = _changed(number, item, rule, kept, names)
            if changed is not None:
                yield changed
                found += 1
            if found == most:
                break


def _changed(
    number: int, item: Item, rule: VariantRule, kept: frozenset[str], names: Sequence[str]
) -> Request | None:
    seed = f"{VERSION}:{rule.name}:{item.item_id}"
    written = _applied(item.input, rule, seed, kept, names)
    context = _applied(item.context, rule, seed, kept, names) if rule.changes_context else item.context
    same = _without_spaces(written, names) == _without_spaces(item.input, names) and _without_spaces(
        context, names
    ) == _without_spaces(item.context, names)
    return None if same else Request(number, f"{rule.kind}:{rule.name}", context, written)


def _applied(
    values: Mapping[str, Value], rule: VariantRule, seed: str, kept: frozenset[str], names: Sequence[str]
) -> Mapping[str, Value]:
    return {
        name: rule.change(value, chance(seed), kept) if name in names and isinstance(value, str) else value
        for name, value in values.items()
    }


def _without_spaces(values: Mapping[str, Value], names: Sequence[str]) -> list[str]:
    """Return the texts with single spaces; a change of spaces alone makes no variant."""
    return [" ".join(str(value).split()) for name, value in values.items() if name in names]


def chance(seed: str) -> Random:
    """Return a source of chance that gives the same for the same seed."""
    return Random(seed)  # noqa: S311


def _gold_text(gold: Value) -> str:
    if isinstance(gold, Mapping):
        return str(gold.get("text", ""))
    return gold if isinstance(gold, str) else " ".join(gold)


__path__ = extend_path(__path__, __name__)
import_modules_of(__name__, __path__)
