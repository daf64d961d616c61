"""A task configuration's validation rules, in the form that this service uses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dynabench_tasks.configuration.metadata import MetadataField
from dynabench_tasks.configuration.published import read_published
from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from dynabench_tasks.fields import Field, from_text, values_of
from dynabench_tasks.fields.string import StringField
from dynabench_tasks.resolution import (
    Decision,
    Ending,
    Policy,
    Resolution,
    Standing,
    decide,
    ending,
    policy_of,
    resolve,
    standing,
)
from dynabench_tasks.values import Value, to_text
from dynabench_tasks.vote_question import VoteMode, VoteQuestion, blind, vote_question
from dynabench_tasks.votes import VoteAnswer, VoteKind

from validation.domain.identifiers import TaskId
from validation.domain.selection import Selection, Validate

MOST_ENDINGS = 10_000
CORRECTED_TEXT = StringField("corrected", "corrected", 1_000)


@dataclass(frozen=True)
class ValidationRules:
    """The validation rules of one configuration version; `question` is put to its voters."""

    configuration: TaskConfiguration
    question: VoteQuestion
    policy: Policy
    selection: Selection
    _endings: dict[tuple[VoteAnswer, ...], Ending | None] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @property
    def mode(self) -> VoteMode:
        """Return whether people answer blind or judge the claim."""
        return self.question.mode

    @property
    def lease_seconds(self) -> float:
        """Return for how long an example is reserved for one person."""
        return float(self.configuration.validation.lease_seconds)

    def reading_seconds(self, texts: Mapping[str, str]) -> float:
        """Return how long reading these texts takes at least; nothing where the task does not ask."""
        speed = self.configuration.validation.reading_speed
        return sum(map(len, texts.values())) / speed if speed else 0.0

    @property
    def gold_rate(self) -> float:
        """Return the share of known items that the task asks for, 0 where the platform's own schedule holds."""
        return self.configuration.validation.gold_rate

    @property
    def claimed(self) -> Field:
        """Return the field that authors claim."""
        return self.question.claimed

    @property
    def fields(self) -> tuple[Field, ...]:
        """Return the fields of context and input."""
        return (*self.configuration.fields.context, *self.configuration.fields.input)

    def standing(self, answers: Sequence[VoteAnswer]) -> Standing:
        """Return how the votes among the answers stand."""
        return standing(answers, self.question.camps)

    def decide(self, answers: Sequence[VoteAnswer]) -> Decision | None:
        """Return the decision that the answers reach, None while they reach none."""
        return decide(self.policy, answers, self.question.camps)

    def ending(self, answers: Sequence[VoteAnswer]) -> Ending | None:
        """Return the decision that the answers reach and where they reach it, None while they reach none.

        Results are cached, since most examples of a batch have the same answers.
        """
        given = tuple(answers)
        if given not in self._endings:
            if len(self._endings) >= MOST_ENDINGS:
                self._endings.clear()
            self._endings[given] = ending(self.policy, given, self.question.camps)
        return self._endings[given]

    def resolve(self, agreed: Sequence[VoteAnswer], claimed: str) -> Resolution:
        """Return the resolution of agreed answers, given the author's claim."""
        return resolve(agreed, claimed, self.question.confirms)

    def golds(self, agreed: Sequence[VoteAnswer]) -> tuple[str, ...]:
        """Return those of the agreed answers that can stand as the example's gold, as value texts."""
        return tuple(
            answer.option
            for answer in agreed
            if answer.kind is VoteKind.LABEL and self.question.can_be_gold(answer.option)
        )

    def says_the_same(self, one: VoteAnswer, other: VoteAnswer) -> bool:
        """Return whether two votes agree."""
        return self.standing((one, other)).most == 2

    def words(self, answer: VoteAnswer) -> frozenset[str] | None:
        """Return what an answer chose, as conditions of metadata name it; None for `unsure`."""
        match answer.kind:
            case VoteKind.UNSURE:
                return None
            case VoteKind.FLAG:
                return frozenset({VoteKind.FLAG.value})
            case _:
                return frozenset(self.question.field.labels_in(answer.option))

    def metadata_in(self, round_number: int) -> tuple[MetadataField, ...]:
        """Return the metadata fields that votes of a round may be asked for."""
        return tuple(each for each in self.configuration.validate_metadata if round_number >= each.from_round)

    def values(self, texts: Mapping[str, str]) -> dict[str, Value]:
        """Return fields of context or input as values, in the order of the configuration."""
        return values_of({field.name: field.type_name for field in self.fields}, texts)

    def metadata_values(self, texts: Mapping[str, str]) -> dict[str, Value]:
        """Return the metadata of a vote as values."""
        types = {each.field.name: each.field.type_name for each in self.configuration.validate_metadata}
        return values_of(types, texts)

    def read_correction(self, given: object, texts: Mapping[str, str]) -> str:
        """Return what the claim should have been as value text. Raises InputRefused."""
        options = self.configuration.validation.options
        field = blind(self.claimed, options).field if self.claimed.is_voted_blind else CORRECTED_TEXT
        return to_text(field.check(given, texts, "corrected"))

    def claim(self, text: str) -> Value | None:
        """Return a value of the claimed field; None for the empty text, which claims nothing."""
        return from_text(text, self.claimed.type_name) if text else None


@dataclass(frozen=True)
class Task:
    """A task as its newest configuration has it."""

    task_id: TaskId
    slug: str
    configuration_version: int
    configuration: Mapping[str, Any]
    rules: ValidationRules


def read_rules(document: Mapping[str, Any]) -> ValidationRules:
    """Return the validation rules of a published configuration. Raises UnknownKind, ConfigurationError."""
    configuration = read_published(document)
    rules = configuration.validation
    return ValidationRules(
        configuration,
        vote_question(configuration),
        policy_of(rules),
        Selection(Validate(rules.validate), rules.sample, rules.margin_below or 0.0),
    )
