"""Items with their golds, and the requests for items and their variants."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from dynabench_tasks.values import Value

ORIGINAL = ""
CANARY = "canary"
"""The kind of a request with a made-up word: it is asked as others are, and counts nowhere."""


@dataclass(frozen=True, slots=True)
class Item:
    """An example to be answered.

    Every one of `golds` is right. Items of one `cluster` share their context, so a model's results on them are
    correlated. An item of a diagnostic suite belongs to a `test` of a `capability`. With `same_as`, its answer must
    equal that item's answer, or be one of `may_become`. An item without golds and without `same_as` only serves as a
    reference for others.
    """

    item_id: str
    context: Mapping[str, Value]
    input: Mapping[str, Value]
    golds: tuple[Value, ...]
    cluster: str
    tags: tuple[str, ...] = ()
    test: str = ""
    capability: str = ""
    same_as: str = ""
    may_become: tuple[Value, ...] = ()

    @property
    def is_judged(self) -> bool:
        """Return whether an answer to it can be right or wrong."""
        return bool(self.golds or self.same_as)


class Request(NamedTuple):
    """One text to be answered: item number `item` itself, or a variant of it by `rule`, "kind:rule"."""

    item: int
    rule: str
    context: Mapping[str, Value]
    input: Mapping[str, Value]


def is_canary(rule: str) -> bool:
    """Return whether a request by this rule has a made-up word."""
    return rule.startswith(f"{CANARY}:")


def item_document(item: Item) -> dict[str, Any]:
    """Return the item as the object of its line; what only suites have is left out where it is empty."""
    of_suite = {
        "test": item.test,
        "capability": item.capability,
        "same_as": item.same_as,
        "may_become": list(item.may_become),
    }
    return {
        "id": item.item_id,
        "context": dict(item.context),
        "input": dict(item.input),
        "golds": list(item.golds),
        "cluster": item.cluster,
        "tags": list(item.tags),
        **{name: value for name, value in of_suite.items() if value},
    }


def read_item(line: Mapping[str, Any]) -> Item:
    """Return the item of an object that `item_document` made."""
    return Item(
        line["id"],
        line["context"],
        line["input"],
        tuple(line["golds"]),
        line["cluster"],
        tuple(line["tags"]),
        line.get("test", ""),
        line.get("capability", ""),
        line.get("same_as", ""),
        tuple(line.get("may_become", ())),
    )
