"""Expected fields and answers of a model, by task."""

from collections.abc import Mapping
from typing import Any

from dynabench_archives.fit import Expected
from dynabench_tasks.configuration.published import read_published


def expected_of(configuration: Mapping[str, Any]) -> Expected:
    """Return what a task's published configuration asks of models. Raises UnknownKind, ConfigurationError."""
    read = read_published(configuration)
    claimed = read.claimed_field
    return Expected(tuple(claimed.answered_by), tuple(read.instance_fields), tuple(read.labels))
