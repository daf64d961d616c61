"""Commands on tasks: create one, put another configuration in force."""

from dataclasses import dataclass

from annotation.domain.configuration.task_configuration import TaskConfiguration
from annotation.domain.identifiers import PersonId, TaskId
from annotation.domain.task import Task
from annotation.service_layer.dependencies import Dependencies


@dataclass(frozen=True)
class CreateTask:
    """Start a task in its first version."""

    configuration: TaskConfiguration
    person_id: PersonId


@dataclass(frozen=True)
class ConfigureTask:
    """Put another configuration of a task in force."""

    slug: str
    configuration: TaskConfiguration


def create_task(command: CreateTask, app: Dependencies) -> None:
    """Create the task. Raises SlugTaken."""
    task = Task.create(TaskId(app.make_id()), command.configuration, command.person_id, app.clock.now())
    with app.unit_of_work() as uow:
        uow.tasks.add(task)
        uow.commit()


def configure_task(command: ConfigureTask, app: Dependencies) -> None:
    """Make the next version. Raises NotFound, LabelInUse, ConfigurationError."""
    with app.unit_of_work() as uow:
        task = uow.tasks.lock(command.slug)
        in_use = uow.tasks.labels_in_use(task.task_id, task.configuration.labels)
        targets = uow.rounds.targets_at_work(task.task_id)
        task.configure(command.configuration, in_use, targets, app.clock.now())
        uow.tasks.save(task)
        uow.commit()
