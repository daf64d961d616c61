"""What a version of a task's configuration says about counting."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from leaderboard.domain.wrong_when import WrongWhen, wrong_when

DIFFERS = wrong_when({"exact_match": {}})


class Gold(StrEnum):
    """Which label the answers are held against once votes are in."""

    AUTHOR_CONFIRMED = "author_confirmed"
    MAJORITY = "majority"


class UnusableConfiguration(ValueError):
    """A configuration that can't be counted by; the message names the key."""


@dataclass(frozen=True, slots=True)
class Ensemble:
    """How many of n targets must be wrong. `at_least` None means all of them."""

    at_least: int | None = 1

    def is_fooled(self, wrong: int, targets: int) -> bool:
        """Tell whether `wrong` wrong answers of `targets` targets fool the ensemble."""
        return targets > 0 and wrong >= (targets if self.at_least is None else self.at_least)


@dataclass(frozen=True, slots=True)
class CountingRule:
    """The parts of a configuration that change a count. The default stands until the real one is known."""

    gold: Gold = Gold.AUTHOR_CONFIRMED
    ensemble: Ensemble = Ensemble()
    is_wrong: WrongWhen = DIFFERS
    validates_all: bool = False


DEFAULT_RULE = CountingRule()


def counting_rule(configuration: Mapping[str, Any]) -> CountingRule:
    """Read the rule out of a whole configuration.

    `wrong_when` is looked at under majority gold only: elsewhere the stored verdict already holds its result,
    so a task with a rule unknown here is counted all the same. Raises UnusableConfiguration, UnknownWrongWhen.
    """
    validation = _block(configuration, "validation")
    try:
        gold = Gold(validation.get("gold", Gold.AUTHOR_CONFIRMED))
    except ValueError as err:
        raise UnusableConfiguration(f"validation.gold: {err}") from err
    is_wrong = DIFFERS
    if gold is Gold.MAJORITY:
        is_wrong = wrong_when(_block(configuration, "wrong_when") or {"exact_match": {}})
    return CountingRule(
        gold, _ensemble(configuration.get("ensemble", "any")), is_wrong, validation.get("validate") == "all"
    )


def _ensemble(value: object) -> Ensemble:
    match value:
        case "any":
            return Ensemble()
        case "all":
            return Ensemble(None)
        case {"at_least": int(least)} if least >= 1:
            return Ensemble(least)
        case _:
            raise UnusableConfiguration(f"ensemble: {value!r} is none of any, all, at_least")


def _block(configuration: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    block = configuration.get(key) or {}
    if not isinstance(block, Mapping):
        raise UnusableConfiguration(f"{key}: must be a block of keys")
    return block
