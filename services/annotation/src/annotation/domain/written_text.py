"""What an author wrote, as one text."""

from collections.abc import Mapping

from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from dynabench_tasks.values import Value


def written_text(configuration: TaskConfiguration, written: Mapping[str, Value]) -> str:
    """Return what stands in the string fields of an input, one field a line; the claim is left out."""
    texts = configuration.texts({}, written)
    return "\n".join(texts[field.name] for field in configuration.fields.written if field.name in texts)
