"""Bodies and answers of the routes about configurations."""

from dynabench_api.configurations import VersionAnswer, VersionSummary
from dynabench_common.http.schemas import Input
from dynabench_tasks.configuration.changes import Change, changes_between
from dynabench_tasks.configuration.yaml_text import MOST_BYTES, write_yaml
from dynabench_tasks.strict_json import LARGEST
from pydantic import ConfigDict, Field

from annotation.entrypoints.http.schemas import TaskPath, visible_configuration
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


def version_summary(slug: str, version: VersionRecord, previous: VersionRecord | None) -> VersionSummary:
    """Return a version of a task's list; `previous` is the one before it."""
    changes: tuple[Change, ...] = ()
    if previous is not None:
        before, after = (visible_configuration(slug, each.document) for each in (previous, version))
        changes = changes_between(before, after)
    return VersionSummary(
        configuration_version=version.configuration_version,
        created_at=version.created_at,
        changes=changes,
    )


def version_answer(slug: str, version: VersionRecord) -> VersionAnswer:
    """Return the answer for a version's record; a document without its quizzes has a text of its own."""
    visible = visible_configuration(slug, version.document)
    return VersionAnswer(
        configuration_version=version.configuration_version,
        created_at=version.created_at,
        configuration=visible,
        yaml=version.source if visible == version.document else write_yaml(visible),
    )
