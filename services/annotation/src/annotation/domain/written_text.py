"""What an author wrote, as one text."""

from collections.abc import Mapping

from dynabench_common.values import Value

from annotation.domain.configuration.task_configuration import TaskConfiguration


def written_text(configuration: TaskConfiguration, written: Mapping[str, Value]) -> str:
    """Return what stands in the string fields of an input, one field a line; the claim is left out."""
    texts = configuration.texts({}, written)
    return "\n".join(texts[field.name] for field in configuration.fields.written if field.name in texts)
