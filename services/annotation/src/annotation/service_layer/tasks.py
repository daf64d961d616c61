"""Commands on tasks: create one, put another configuration in force."""

from dataclasses import dataclass

from dynabench_tasks.configuration.changes import Change, changes_between
from dynabench_tasks.configuration.task_configuration import TaskConfiguration

from annotation.domain.identifiers import PersonId, TaskId
from annotation.domain.task import Task
from annotation.service_layer.dependencies import Dependencies


@dataclass(frozen=True)
class CreateTask:
    """Start a task in its first version; `source` is the text of the configuration."""

    configuration: TaskConfiguration
    source: str
    person_id: PersonId


@dataclass(frozen=True)
class ConfigureTask:
    """Put another configuration of a task in force; with `is_rehearsal` only compute the changes."""

    slug: str
    configuration: TaskConfiguration
    source: str
    is_rehearsal: bool = False


@dataclass(frozen=True)
class Reconfiguration:
    """The version that is, or would be, in force, and how it differs from the one before."""

    configuration_version: int
    changes: tuple[Change, ...]


def create_task(command: CreateTask, app: Dependencies) -> None:
    """Create the task. Raises SlugTaken."""
    task = Task.create(
        TaskId(app.make_id()), command.configuration, command.source, command.person_id, app.clock.now()
    )
    with app.unit_of_work() as uow:
        uow.tasks.add(task)
        uow.commit()


def configure_task(command: ConfigureTask, app: Dependencies) -> Reconfiguration:
    """Make the next version. Raises NotFound, LabelInUse, ConfigurationError."""
    with app.unit_of_work() as uow:
        task = uow.tasks.lock(command.slug)
        before = task.configuration
        in_use = uow.tasks.labels_in_use(task.task_id, before.labels)
        targets = uow.rounds.targets_at_work(task.task_id)
        task.configure(command.configuration, command.source, in_use, targets, app.clock.now())
        if not command.is_rehearsal:
            uow.tasks.save(task)
            uow.commit()
    changes = changes_between(before.document(), task.configuration.document())
    return Reconfiguration(task.configuration_version, changes)
