"""Repeated calls about validated errors at a release: their selection, and the test for a repeated answer.

An error repeats if the target gives the same wrong answer again. A different wrong answer also shows that it is not
stable. Hidden examples are in no release, so there are no calls about them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from dynabench_tasks.fields import AnswerUnreadable, values_of
from dynabench_tasks.values import to_text

from scoring.dataset.rows import TIMES_ASKED
from scoring.domain.facts import ExampleFacts
from scoring.domain.round_facts import RoundFacts
from scoring.domain.validated_errors import validated_errors

TIMES = TIMES_ASKED

Key = tuple[UUID, str]
"""An example and a target that it is a validated error of."""
Repeats = Mapping[Key, int | None]
"""Number of repeated wrong answers, of `TIMES`; None if the target could not be asked."""


@dataclass(frozen=True)
class Predictions:
    """Answers of a target to some instances, in their order, and the model that gave them."""

    answers: Sequence[Mapping[str, Any]]
    model_digest: str


@dataclass(frozen=True)
class ErrorToRepeat:
    """A validated error of one target: what it was asked, and the wrong answer that it gave, as a value text."""

    example_id: UUID
    target: str
    answer: str
    instance: Mapping[str, str]
    texts: Mapping[str, str]
    configuration: TaskConfiguration

    @property
    def key(self) -> Key:
        """Return what results are kept under."""
        return self.example_id, self.target

    def is_repeated_by(self, prediction: Mapping[str, Any]) -> bool:
        """Return whether a prediction is the same wrong answer again."""
        try:
            found = self.configuration.claimed_field.read_answer(prediction, self.texts)
        except AnswerUnreadable:
            return False
        return to_text(found) == self.answer


def errors_of(round_facts: RoundFacts, examples: Iterable[ExampleFacts]) -> Iterator[ErrorToRepeat]:
    """Yield the validated errors of each target, example by example."""
    for example in examples:
        configuration = round_facts.rules_of(example.configuration_version).configuration
        if configuration is None or example.is_hidden:
            continue
        for answer in validated_errors(example, configuration).of_targets:
            yield _error(example, answer.target, answer.value, configuration)


def _error(
    example: ExampleFacts, target: str, answer: str, configuration: TaskConfiguration
) -> ErrorToRepeat:
    types = {
        field.name: field.type_name for field in (*configuration.fields.context, *configuration.fields.input)
    }
    context, written = values_of(types, example.context), values_of(types, example.input)
    return ErrorToRepeat(
        example.example_id,
        target,
        answer,
        configuration.instance(context, written),
        configuration.texts(context, written),
        configuration,
    )
