"""The part of a task's configuration that rules validation.

The configuration was checked when its owner published it; reading it again here only has to notice what this
service can't work with, and to fill in the defaults of what was left out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from validation.domain.resolution import (
    JUDGED_CORRECT,
    JUDGED_INCORRECT,
    Adaptive,
    Answer,
    Fixed,
    Policy,
    VoteKind,
)
from validation.domain.selection import Selection, Validate

DEFAULT_LEASE_SECONDS = 300.0
DEFAULT_POLICY = Adaptive(agree=2, max_votes=3)


class UnusableConfiguration(Exception):
    """The configuration has no validation rules that this service can follow; the message says why."""


class VoteMode(StrEnum):
    """Whether validators choose a label blind, or judge the author's label."""

    LABEL = "label"
    JUDGEMENT = "judgement"

    @property
    def kind(self) -> VoteKind:
        """Return the kind of an ordinary vote in this mode."""
        return VoteKind.LABEL if self is VoteMode.LABEL else VoteKind.JUDGEMENT


@dataclass(frozen=True)
class ValidationRules:
    """How the examples of one configuration version are validated."""

    mode: VoteMode
    options: tuple[str, ...]
    task_labels: frozenset[str]
    policy: Policy
    selection: Selection
    lease_seconds: float

    def is_task_label(self, agreed: Answer | None) -> bool:
        """Tell whether the agreed answer can stand as the example's gold label."""
        return agreed is not None and agreed.kind is VoteKind.LABEL and agreed.option in self.task_labels


def read_rules(configuration: Mapping[str, Any]) -> ValidationRules:
    """Return the validation rules of a whole task configuration.

    Raises UnusableConfiguration.
    """
    try:
        return _read(configuration, configuration.get("validation", {}))
    except (AttributeError, KeyError, TypeError, ValueError) as err:
        raise UnusableConfiguration(f"validation rules can't be read: {err!r}") from err


def _read(configuration: Mapping[str, Any], block: Mapping[str, Any]) -> ValidationRules:
    mode = VoteMode(block.get("vote", VoteMode.LABEL))
    labels = _labels(configuration.get("output", ()))
    options = (
        (JUDGED_CORRECT, JUDGED_INCORRECT)
        if mode is VoteMode.JUDGEMENT
        else tuple(str(option) for option in block.get("options", labels))
    )
    if len(set(options)) != len(options) or len(options) < 2:
        raise ValueError("validators need at least two different options")
    return ValidationRules(
        mode=mode,
        options=options,
        task_labels=frozenset(labels),
        policy=_policy(block.get("policy")),
        selection=_selection(block),
        lease_seconds=float(block.get("lease_seconds", DEFAULT_LEASE_SECONDS)),
    )


def _labels(fields: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    for field in fields:
        if field.get("type") == "multiclass":
            return tuple(str(label) for label in field["labels"])
    return ()


def _policy(block: Mapping[str, Mapping[str, int]] | None) -> Policy:
    match block:
        case None:
            return DEFAULT_POLICY
        case {"adaptive": {"agree": int(agree), "max_votes": int(votes)}} if 1 <= agree <= votes:
            return Adaptive(agree, votes)
        case {"fixed": {"votes": int(votes), "agree": int(agree)}} if 1 <= agree <= votes:
            return Fixed(votes, agree)
        case _:
            raise ValueError(f"policy {block!r} is neither adaptive nor fixed with 1 <= agree <= votes")


def _selection(block: Mapping[str, Any]) -> Selection:
    validate = block.get("validate", Validate.FOOLING.value)
    sample = float(block.get("sample", 0.0))
    if isinstance(validate, Mapping):
        return Selection(Validate.UNCERTAIN, sample, float(validate["uncertain"]["margin_below"]))
    return Selection(Validate(validate), sample)
