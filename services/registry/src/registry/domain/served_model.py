"""A model to serve: its declaration, its origin and its pool."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from dynabench_archives.model_servers import Archive, Pool

from registry.domain.declarations import ON_DEMAND, Declared, DeclaredExplainer, Start

IDLE_SECONDS = 900.0
MOST_IN_FLIGHT = 16
MOST_CHARACTERS = 5_000
SECONDS_TO_ANSWER = 10
SECONDS_TO_EXPLAIN = 60


class Origin(StrEnum):
    """The origin of a model: the models file of the installation, or a person."""

    FILE = "file"
    SUBMISSION = "submission"


@dataclass(frozen=True)
class ServedModel:
    """A model that should be served. `archive` is why there is none where that is a text.

    `updated_at` is when somebody last wrote so.
    """

    declared: Declared
    archive: Archive | str
    origin: Origin
    pool: Pool
    submission_id: UUID | None = None
    updated_at: datetime | None = field(default=None, compare=False)

    @property
    def name(self) -> str:
        """Return its name at the gateway."""
        return self.declared.name


def submitted_model(
    name: str,
    version: str,
    task: str,
    description: Mapping[str, Any],
    archive: Archive,
    pool: Pool,
) -> Declared:
    """Return how a submitted model is served: on demand, with explanations where the platform's handler runs.

    `description` has `task_type`, `fields` and `labels`.
    """
    start = Start(ON_DEMAND, IDLE_SECONDS)
    explain = DeclaredExplainer(
        workers=1,
        start=start,
        max_in_flight=2,
        max_characters=2_000,
        response_timeout_seconds=SECONDS_TO_EXPLAIN,
    )
    return Declared(
        name=name,
        version=version,
        archive=archive.file,
        task=task,
        task_type=str(description["task_type"]),
        fields=tuple(description["fields"]),
        labels=tuple(description["labels"]),
        workers=1,
        start=start,
        batch_size=1,
        max_batch_delay_milliseconds=1,
        response_timeout_seconds=SECONDS_TO_ANSWER,
        max_in_flight=MOST_IN_FLIGHT,
        max_characters=MOST_CHARACTERS,
        explain=explain if pool is Pool.SHARED else None,
    )


def write_declaration(declared: Declared) -> dict[str, Any]:
    """Return the equivalent entry of `models.yaml`."""
    explain = declared.explain
    return {
        "name": declared.name,
        "version": declared.version,
        "archive": declared.archive,
        "task": declared.task,
        "task_type": declared.task_type,
        "fields": list(declared.fields),
        "labels": list(declared.labels),
        "workers": declared.workers,
        "start": declared.start.name,
        "idle_seconds": int(declared.start.idle_seconds),
        "batch_size": declared.batch_size,
        "max_batch_delay_ms": declared.max_batch_delay_milliseconds,
        "response_timeout_s": declared.response_timeout_seconds,
        "max_in_flight": declared.max_in_flight,
        "max_characters": declared.max_characters,
        "explain": None
        if explain is None
        else {
            "workers": explain.workers,
            "start": explain.start.name,
            "idle_seconds": int(explain.start.idle_seconds),
            "max_in_flight": explain.max_in_flight,
            "max_characters": explain.max_characters,
            "response_timeout_s": explain.response_timeout_seconds,
        },
    }


def write_archive(archive: Archive | str) -> dict[str, Any]:
    """Return an archive as it is stored, or the problem why there is none."""
    return {"problem": archive} if isinstance(archive, str) else asdict(archive)


def read_archive(stored: Mapping[str, Any]) -> Archive | str:
    """Return what `write_archive` wrote."""
    problem = stored.get("problem")
    return Archive(**stored) if problem is None else str(problem)
