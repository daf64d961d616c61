"""The part of a task's configuration that rules validation.

The configuration was checked when its owner published it; reading it again here only has to notice what this
service can't work with, and to fill in the defaults of what was left out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from dynabench_tasks.resolution import (
    Adaptive,
    Decision,
    Fixed,
    Policy,
    Resolution,
    Standing,
    decide,
    resolve,
    standing,
)
from dynabench_tasks.values import Value, from_text
from dynabench_tasks.votes import Answer, VoteKind

from validation.domain.answer_types import AnswerType
from validation.domain.answer_types.judgement import Judgement
from validation.domain.answer_types.multiclass import Multiclass
from validation.domain.answer_types.multilabel import Multilabel
from validation.domain.answer_types.span import Span
from validation.domain.errors import ValueRefused
from validation.domain.field_values import read_string
from validation.domain.metadata import MetadataField, read_metadata_field
from validation.domain.selection import Selection, Validate

DEFAULT_LEASE_SECONDS = 300.0
MARKED_TYPES = ("multiclass", "multilabel", "span")
MOST_CORRECTED = 1_000
DEFAULT_POLICY = Adaptive(agree=2, max_votes=3)


class UnusableConfiguration(Exception):
    """The configuration has no validation rules that this service can follow; the message says why."""


class VoteMode(StrEnum):
    """Whether validators answer blind, or judge what the author claims."""

    LABEL = "label"
    JUDGEMENT = "judgement"


@dataclass(frozen=True)
class ValidationRules:
    """How the examples of one configuration version are validated.

    `claim_type` is the type of the claimed field `claim_name`, `field_types` those of the fields of context and input
    by name. `gold_rate` is 0 where the platform's own schedule of known items holds. `correction_type` reads what a
    claim should have been; None if that is a text.
    """

    mode: VoteMode
    answer_type: AnswerType
    claim_type: str
    field_types: Mapping[str, str]
    policy: Policy
    selection: Selection
    lease_seconds: float
    metadata: tuple[MetadataField, ...] = ()
    claim_name: str = ""
    gold_rate: float = 0.0
    correction_type: AnswerType | None = None

    def standing(self, answers: Sequence[Answer]) -> Standing:
        """Return how the votes among the answers stand."""
        return standing(answers, self.answer_type.camps)

    def decide(self, answers: Sequence[Answer]) -> Decision | None:
        """Return the decision that the answers reach, None while they reach none."""
        return decide(self.policy, answers, self.answer_type.camps)

    def resolve(self, agreed: Sequence[Answer], claimed: str) -> Resolution:
        """Return the resolution of agreed answers beside the author's claim."""
        return resolve(agreed, claimed, self.answer_type.confirms)

    def golds(self, agreed: Sequence[Answer]) -> tuple[str, ...]:
        """Return those of the agreed answers that can stand as the example's gold, as value texts."""
        return tuple(
            answer.option
            for answer in agreed
            if answer.kind is VoteKind.LABEL and self.answer_type.can_be_gold(answer.option)
        )

    def says_the_same(self, one: Answer, other: Answer) -> bool:
        """Tell whether two votes agree."""
        return self.standing((one, other)).most == 2

    def words(self, answer: Answer) -> frozenset[str] | None:
        """Return what an answer chose, as conditions of metadata name it; None for `unsure`."""
        match answer.kind:
            case VoteKind.UNSURE:
                return None
            case VoteKind.FLAG:
                return frozenset({VoteKind.FLAG.value})
            case _:
                return self.answer_type.words(answer.option)

    def metadata_in(self, round_number: int) -> tuple[MetadataField, ...]:
        """Return the metadata fields that votes of a round may be asked for."""
        return tuple(field for field in self.metadata if field.is_asked_in(round_number))

    def values(self, texts: Mapping[str, str]) -> dict[str, Value]:
        """Return fields of context or input as values, in the order of the configuration."""
        names = [
            *(name for name in self.field_types if name in texts),
            *sorted(texts.keys() - self.field_types.keys()),
        ]
        return {name: from_text(texts[name], self.field_types.get(name, "string")) for name in names}

    def metadata_values(self, texts: Mapping[str, str]) -> dict[str, Value]:
        """Return what was said beside a vote as values."""
        types = {field.name: field.type_name for field in self.metadata}
        return {name: from_text(text, types.get(name, "string")) for name, text in texts.items()}

    def read_correction(self, given: object, texts: Mapping[str, str]) -> str:
        """Return what the claim should have been as value text. Raises ValueRefused."""
        if self.correction_type is None:
            return read_string(given, MOST_CORRECTED, "corrected")
        try:
            return self.correction_type.read(given, texts)
        except ValueRefused as err:
            raise ValueRefused("corrected", err.reason, err.remedy) from err

    def claim(self, text: str) -> Value | None:
        """Return a value of the claimed field; None for the empty text, which claims nothing."""
        return from_text(text, self.claim_type) if text else None


def read_rules(configuration: Mapping[str, Any]) -> ValidationRules:
    """Return the validation rules of a whole task configuration.

    Raises UnusableConfiguration.
    """
    try:
        return _read(configuration, configuration.get("validation") or {})
    except (AttributeError, KeyError, TypeError, ValueError) as err:
        raise UnusableConfiguration(f"validation rules can't be read: {err!r}") from err


def _read(configuration: Mapping[str, Any], block: Mapping[str, Any]) -> ValidationRules:
    mode = VoteMode(block.get("vote", VoteMode.LABEL))
    inputs = configuration["input"]
    claimed = _claimed(inputs, configuration["output"])
    metadata = (configuration.get("metadata") or {}).get("validate") or ()
    return ValidationRules(
        mode=mode,
        answer_type=Judgement() if mode is VoteMode.JUDGEMENT else _answer_type(claimed, block),
        correction_type=_answer_type(claimed, block) if claimed["type"] in MARKED_TYPES else None,
        claim_type=str(claimed["type"]),
        field_types={field["name"]: field["type"] for field in (*configuration.get("context", ()), *inputs)},
        policy=_policy(block.get("policy")),
        selection=_selection(block),
        lease_seconds=float(block.get("lease_seconds", DEFAULT_LEASE_SECONDS)),
        metadata=tuple(read_metadata_field(field) for field in metadata),
        claim_name=str(claimed["name"]),
        gold_rate=float(block.get("gold_rate") or 0.0),
    )


def _claimed(inputs: Sequence[Mapping[str, Any]], outputs: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return the field that stands in both: what the author claims and the targets answer."""
    written = {field["name"] for field in inputs}
    for field in outputs:
        if field["name"] in written:
            return field
    raise ValueError("no field stands in both input and output")


def _answer_type(claimed: Mapping[str, Any], block: Mapping[str, Any]) -> AnswerType:
    match claimed["type"]:
        case "multiclass":
            return Multiclass(*_options(claimed, block))
        case "multilabel":
            return Multilabel(*_options(claimed, block))
        case "span":
            return Span(str(claimed["of"]))
        case other:
            raise ValueError(f"people can't vote on a {other} blind, only judge it")


def _options(claimed: Mapping[str, Any], block: Mapping[str, Any]) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return what may be chosen, and the labels of the task among it."""
    labels = tuple(str(label) for label in claimed["labels"])
    options = tuple(str(option) for option in block.get("options") or labels)
    if len(set(options)) != len(options) or len(options) < 2:
        raise ValueError("validators need at least two different options")
    return options, frozenset(labels)


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
