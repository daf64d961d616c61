"""Log lines for unknown keys in task configurations: the service ignores each key and logs it once."""

from collections.abc import Callable
from uuid import UUID

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
