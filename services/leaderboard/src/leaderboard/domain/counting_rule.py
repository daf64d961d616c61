"""What a version of a task's configuration says about counting."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dynabench_tasks.gold import GoldPolicy
from dynabench_tasks.verdict import Ensemble

from leaderboard.domain.wrong_when import WrongWhen, read_wrong_when
from leaderboard.domain.wrong_when.exact_match import ExactMatch

DIFFERS: WrongWhen = ExactMatch()
ANY_TARGET = Ensemble()


class UnusableConfiguration(ValueError):
    """A configuration that can't be counted by; the message names the key."""


@dataclass(frozen=True, slots=True)
class CountingRule:
    """The parts of a configuration that change a count. The default stands until the real one is known.

    `claim_type` is the type of the field that is claimed, or empty; claims of labels are counted by label.
    """

    gold: GoldPolicy = GoldPolicy.AUTHOR_CONFIRMED
    ensemble: Ensemble = ANY_TARGET
    wrong_when: WrongWhen = DIFFERS
    validates_all: bool = False
    claim_type: str = ""


DEFAULT_RULE = CountingRule()


def counting_rule(configuration: Mapping[str, Any]) -> CountingRule:
    """Read the rule out of a whole configuration.

    `wrong_when` is looked at under majority gold only: elsewhere the stored verdict already holds its result,
    so a task with a rule unknown here is counted all the same. Raises UnusableConfiguration, UnknownWrongWhen.
    """
    validation = _block(configuration, "validation")
    try:
        gold = GoldPolicy(validation.get("gold", GoldPolicy.AUTHOR_CONFIRMED))
    except ValueError as err:
        raise UnusableConfiguration(f"validation.gold: {err}") from err
    return CountingRule(
        gold,
        _ensemble(configuration.get("ensemble", "any")),
        _wrong_when(configuration) if gold is GoldPolicy.MAJORITY else DIFFERS,
        validation.get("validate") == "all",
        _claim_type(configuration),
    )


def _claim_type(configuration: Mapping[str, Any]) -> str:
    """Return the type of the output that is an input too: the author's claim."""
    outputs = _types(configuration, "output")
    claimed = [str(outputs[name]) for name in _types(configuration, "input") if name in outputs]
    return claimed[0] if claimed else ""


def _types(configuration: Mapping[str, Any], key: str) -> dict[str, str]:
    fields = configuration.get(key) or ()
    if not isinstance(fields, Sequence) or not all(isinstance(field, Mapping) for field in fields):
        raise UnusableConfiguration(f"{key}: must be a list of fields")
    return {field.get("name", ""): field.get("type", "") for field in fields}


def _wrong_when(configuration: Mapping[str, Any]) -> WrongWhen:
    stated = configuration.get("wrong_when") or "exact_match"
    if not isinstance(stated, str | Mapping):
        raise UnusableConfiguration("wrong_when: must be a rule's name, or a block that names one")
    return read_wrong_when(stated, _types(configuration, "output"))


def _ensemble(value: object) -> Ensemble:
    match value:
        case "any":
            return ANY_TARGET
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
