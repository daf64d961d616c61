"""Validation rules of task configurations, read once for each version, since a version never changes."""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from validation.adapters.tables import task_configuration
from validation.domain.rules import ValidationRules, read_rules

configuration_columns = (
    task_configuration.c.task_id,
    task_configuration.c.configuration_version,
    task_configuration.c.configuration,
)


@dataclass(frozen=True)
class _Published:
    task_id: UUID
    configuration_version: int
    document: dict[str, Any] = field(compare=False)


def rules_in(row: Row[Any]) -> ValidationRules:
    """Return the rules in a row's `configuration_columns`. Raises UnknownKind, ConfigurationError."""
    return _rules(_Published(row.task_id, row.configuration_version, row.configuration))


@lru_cache(maxsize=256)
def _rules(published: _Published) -> ValidationRules:
    return read_rules(published.document)
