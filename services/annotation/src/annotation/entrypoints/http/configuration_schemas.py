"""Bodies and answers of the routes about configurations."""

from dynabench_api.configurations import VersionAnswer, VersionSummary
from dynabench_common.http.schemas import Input
from dynabench_tasks.configuration.changes import changes_between
from dynabench_tasks.configuration.yaml_text import MOST_BYTES
from dynabench_tasks.strict_json import LARGEST
from pydantic import ConfigDict, Field

from annotation.entrypoints.http.schemas import TaskPath
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

    dry_run: bool = Field(default=False, description="If true, store nothing and return the changes")


def version_summary(version: VersionRecord, previous: VersionRecord | None) -> VersionSummary:
    """Return a version of the list; `previous` is the one before it."""
    changes = () if previous is None else changes_between(previous.document, version.document)
    return VersionSummary(
        configuration_version=version.configuration_version,
        created_at=version.created_at,
        changes=changes,
    )


def version_answer(version: VersionRecord) -> VersionAnswer:
    """Return the answer for a version's record."""
    return VersionAnswer(
        configuration_version=version.configuration_version,
        created_at=version.created_at,
        configuration=version.document,
        yaml=version.source,
    )
