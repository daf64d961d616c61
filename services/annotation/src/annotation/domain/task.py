"""A task: a name with a sequence of configuration versions."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from dynabench_events.history import Aggregate
from dynabench_events.task import TaskCreated
from dynabench_tasks.configuration.problems import ConfigurationError
from dynabench_tasks.configuration.task_configuration import TaskConfiguration

from annotation.domain.identifiers import PersonId, TaskId


@dataclass(eq=False)
class LabelInUse(Exception):
    """A new configuration drops a label that examples claim."""

    label: str


@dataclass(kw_only=True)
class Task(Aggregate):
    """The task with its configuration in force; earlier versions are stored separately.

    `source` is the text that the configuration in force was read from, comments and all.
    """

    task_id: TaskId
    configuration: TaskConfiguration
    source: str
    configuration_version: int
    created_by: PersonId
    created_at: datetime

    @property
    def slug(self) -> str:
        """Return the name by which addresses carry the task."""
        return self.configuration.slug

    @classmethod
    def create(
        cls,
        task_id: TaskId,
        configuration: TaskConfiguration,
        source: str,
        created_by: PersonId,
        now: datetime,
    ) -> "Task":
        """Return a new task in its first version."""
        task = cls(
            task_id=task_id,
            configuration=configuration,
            source=source,
            configuration_version=0,
            created_by=created_by,
            created_at=now,
        )
        task._put_in_force(configuration, now)
        return task

    def configure(
        self,
        configuration: TaskConfiguration,
        source: str,
        labels_in_use: Collection[str],
        targets_at_work: int | None,
        now: datetime,
    ) -> None:
        """Put the next version in force; an equal configuration only replaces the source text, without a version.

        `targets_at_work` is the smallest number of targets of a round in progress, None without one. Such a round
        continues under the new version, so its targets must still be able to decide a verdict. Raises
        ConfigurationError for another slug or for a change that a round in progress can't follow. Raises LabelInUse
        for a dropped label that examples claim.
        """
        if configuration.slug != self.slug:
            raise ConfigurationError("slug", f"is {configuration.slug!r}", f"Keep {self.slug!r}.")
        for label in labels_in_use:
            if label not in configuration.labels:
                raise LabelInUse(label)
        if targets_at_work is not None:
            self._ensure_can_be_followed(configuration, targets_at_work)
        self.source = source
        if configuration != self.configuration:
            self._put_in_force(configuration, now)

    def _ensure_can_be_followed(self, configuration: TaskConfiguration, targets: int) -> None:
        remedy = "Close the rounds in progress first."
        needed = configuration.ensemble.threshold(targets)
        if needed > targets:
            reason = f"needs {needed} wrong models, but a round in progress has {targets}"
            raise ConfigurationError("ensemble", reason, remedy)
        before, after = self.configuration, configuration
        same_answers = (
            set(before.labels) == set(after.labels)
            and before.claimed_field.type_name == after.claimed_field.type_name
        )
        if not same_answers:
            raise ConfigurationError("output", "changes the answers of models in a round in progress", remedy)
        if set(before.instance_fields) != set(after.instance_fields):
            raise ConfigurationError("instance", "changes the input of models in a round in progress", remedy)

    def _put_in_force(self, configuration: TaskConfiguration, now: datetime) -> None:
        self.configuration = configuration
        self.configuration_version += 1
        self.record(
            TaskCreated(
                task_id=self.task_id,
                slug=configuration.slug,
                title=configuration.title,
                configuration_version=self.configuration_version,
                configuration=configuration.document(),
                created_at=now,
            )
        )
