"""Public examples: validated errors that anybody may read, and the filters of their lists."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from dynabench_tasks.configuration.task_configuration import TaskConfiguration

from scoring.dataset.rows import ExampleRow


class Order(StrEnum):
    """Orders of a list of public examples."""

    NEWEST = "newest"
    BEST = "best"


@dataclass(frozen=True)
class Wanted:
    """A part of the public examples; with `target`, those that this target got wrong. `hidden` tasks have none."""

    task: str | None = None
    round_id: UUID | None = None
    dataset_id: UUID | None = None
    target: str = ""
    order: Order = Order.NEWEST
    hidden: frozenset[str] = frozenset()


@dataclass(frozen=True)
class PublicExample:
    """A public example as `row`, in its task and round; `dataset_id` is the dataset that holds it.

    `configuration` is the task's newest, `rules` those of the version that the example was written under.
    """

    row: ExampleRow
    configuration: Mapping[str, Any]
    rules: TaskConfiguration
    configuration_version: int
    task_slug: str
    task_title: str
    round_id: UUID
    round_number: int
    round_title: str
    dataset_id: UUID | None
    resolved_at: datetime
    errors_of: frozenset[str]
    shows_context: bool
