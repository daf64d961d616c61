"""Bodies and answers of the routes about configurations."""

from datetime import datetime
from typing import Any, Self

from dynabench_common.schemas import Input
from dynabench_tasks.configuration.changes import changes_between
from dynabench_tasks.configuration.yaml_text import MOST_BYTES
from dynabench_tasks.strict_json import LARGEST
from pydantic import BaseModel, ConfigDict, Field, RootModel

from annotation.entrypoints.http.schemas import ResponseBody, TaskAnswer, TaskPath
from annotation.queries.tasks import VersionRecord


class VersionPath(TaskPath):
    """A version of a task's configuration in an address."""

    configuration_version: int = Field(ge=1, le=LARGEST)


class ConfigurationBody(Input):
    """A task configuration."""

    model_config = ConfigDict(extra="forbid", str_max_length=2 * MOST_BYTES)

    configuration: str = Field(description="YAML text, at most 256 kB")


class NewConfigurationBody(ConfigurationBody):
    """A configuration to put in force."""

    dry_run: bool = Field(default=False, description="Store nothing, only say what would change")


class ProblemAnswer(ResponseBody):
    """What is wrong and where; line and column count from 1, null where the whole text is meant."""

    path: str
    line: int | None
    column: int | None
    reason: str
    remedy: str


class CheckAnswer(BaseModel):
    """Whether a configuration can be used, and it with all defaults filled in if so."""

    valid: bool
    problems: list[ProblemAnswer]
    configuration: dict[str, Any] | None


class ChangeAnswer(ResponseBody):
    """One place that differs: null stands before what is new and after what is gone."""

    path: str
    before: Any
    after: Any


class RehearsalAnswer(ResponseBody):
    """What a configuration would change, and the number that its version would have."""

    configuration_version: int
    changes: list[ChangeAnswer]


class ConfiguredAnswer(RootModel[TaskAnswer | RehearsalAnswer]):
    """The task with its new configuration, or for a dry run what it would change."""


class VersionSummary(BaseModel):
    """A version in a list, with what it changed; the first one changed nothing."""

    configuration_version: int
    created_at: datetime
    changes: list[ChangeAnswer]


class VersionsAnswer(BaseModel):
    """A page of versions, newest first."""

    items: list[VersionSummary]
    next_cursor: str | None

    @staticmethod
    def item(version: VersionRecord, previous: VersionRecord | None) -> VersionSummary:
        """Return a version of the list; `previous` is the one before it."""
        changes = () if previous is None else changes_between(previous.document, version.document)
        return VersionSummary(
            configuration_version=version.configuration_version,
            created_at=version.created_at,
            changes=[ChangeAnswer.model_validate(change) for change in changes],
        )


class VersionAnswer(BaseModel):
    """One version: the document with defaults filled in, and the YAML as its owner wrote it."""

    configuration_version: int
    created_at: datetime
    configuration: dict[str, Any]
    yaml: str

    @classmethod
    def of(cls, version: VersionRecord) -> Self:
        """Return the answer for a version's record."""
        return cls(
            configuration_version=version.configuration_version,
            created_at=version.created_at,
            configuration=version.document,
            yaml=version.source,
        )
