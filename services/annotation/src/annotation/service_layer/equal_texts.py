"""Equal texts: a fooling text that repeats an earlier one does not count as a fooling of its own."""

from dynabench_tasks.configuration.task_configuration import TaskConfiguration

from annotation.adapters.unit_of_work import UnitOfWork
from annotation.domain.example import Attempt, Example
from annotation.domain.identifiers import ExampleId
from annotation.domain.segment import TextRule
from annotation.domain.written_text import text_digest, written_digest


def find_equal(attempt: Attempt, configuration: TaskConfiguration, uow: UnitOfWork) -> ExampleId | None:
    """Return the example of the task that counts as fooling with nearly the same text and the claim, if any does."""
    return uow.examples.find_fooling_text(
        attempt.task_id,
        text_digest(configuration, attempt.context, attempt.input),
        attempt.claimed,
        lambda context, written: text_digest(configuration, context, written),
    )


def find_equal_of(example: Example, configuration: TaskConfiguration, uow: UnitOfWork) -> ExampleId | None:
    """Return the earlier example that one stands for, which has just been found to fool, by the rule of its segment."""
    attempt = example.attempt
    if uow.rounds.text_rule(example.segment_id) is TextRule.ON_CONTEXT:
        return uow.examples.find_equal_fooling(
            attempt.context_id,
            written_digest(configuration, attempt.input, attempt.claimed),
            lambda written, claimed: written_digest(configuration, written, claimed),
        )
    return find_equal(attempt, configuration, uow)
