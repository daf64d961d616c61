"""Whether a text that fooled says what an earlier one said: then it stands for no fooling of its own."""

from dynabench_tasks.configuration.task_configuration import TaskConfiguration

from annotation.domain.example import Example
from annotation.domain.identifiers import ContextId, ExampleId
from annotation.domain.written_text import written_digest
from annotation.service_layer.ports import UnitOfWork


def find_equal(
    context_id: ContextId, digest: bytes, configuration: TaskConfiguration, uow: UnitOfWork
) -> ExampleId | None:
    """Return the example on the context that fooled with such a text and claim, if there is one that counts."""
    return uow.examples.find_equal_fooling(
        context_id, digest, lambda written, claimed: written_digest(configuration, written, claimed)
    )


def find_equal_of(example: Example, configuration: TaskConfiguration, uow: UnitOfWork) -> ExampleId | None:
    """Return the earlier example that an example, which has just been found to fool, is equal to."""
    attempt = example.attempt
    digest = written_digest(configuration, attempt.input, attempt.claimed)
    return find_equal(attempt.context_id, digest, configuration, uow)
