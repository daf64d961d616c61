"""Configurations that another version published: keys that are ignored and logged, and kinds that are missing."""

from collections.abc import Callable
from uuid import UUID

from dynabench_events.task import TaskCreated
from dynabench_tasks.configuration.problems import ConfigurationError
from dynabench_tasks.configuration.published import missing_kind

from dynabench_common.events.cloud_events import PermanentEventError
from dynabench_common.telemetry.logging import get_logger

log = get_logger(__name__)


def note_ignored_keys(task_id: UUID, configuration_version: int) -> Callable[[str], None]:
    """Return a function that logs the path of a key that was ignored in this configuration.

    Services are deployed in any order, so a key of a later version is no fault. Its log level is `info`.
    """

    def note(path: str) -> None:
        log.info(
            "configuration_key_passed_over",
            task_id=str(task_id),
            configuration_version=configuration_version,
            key=path,
        )

    return note


def missing_kind_in(created: TaskCreated) -> str | None:
    """Return the type, rule or policy that keeps this version from following a new configuration, None if none does.

    Logs the keys that are ignored. Raises PermanentEventError for a configuration that no version would have written.
    """
    try:
        return missing_kind(
            created.configuration, note=note_ignored_keys(created.task_id, created.configuration_version)
        )
    except ConfigurationError as err:
        raise PermanentEventError(f"configuration of task {created.task_id}: {err}") from err
