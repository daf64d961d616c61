"""An author's text: as one string, and as digests that equal texts share."""

from collections.abc import Mapping
from dataclasses import dataclass

from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from dynabench_tasks.equal_texts import near_digest_of
from dynabench_tasks.values import Value

from annotation.domain.identifiers import ExampleId, PersonId


@dataclass(frozen=True)
class WrittenExample:
    """The text of an example, as near duplicates are compared."""

    example_id: ExampleId
    author_id: PersonId
    input: Mapping[str, Value]


def written_text(configuration: TaskConfiguration, written: Mapping[str, Value]) -> str:
    """Return what stands in the string fields of an input, one field a line; the claim is left out."""
    texts = configuration.texts({}, written)
    return "\n".join(texts[field.name] for field in configuration.fields.written if field.name in texts)


def text_digest(
    configuration: TaskConfiguration, context: Mapping[str, Value], written: Mapping[str, Value]
) -> bytes:
    """Return a digest that inputs share whose texts are nearly equal, whatever they claim.

    If the text depends on its context, the context is compared too: its fields that targets get, since examples of an
    arm that hides the context store no others; all its fields if targets get none.
    """
    names = (field.name for field in configuration.fields.written)
    asked = set(configuration.instance_fields.values())
    sent = {name: value for name, value in context.items() if name in asked}
    compared_context = sent or context if configuration.depends_on_context else {}
    return near_digest_of({**compared_context, **{name: written[name] for name in names if name in written}})
