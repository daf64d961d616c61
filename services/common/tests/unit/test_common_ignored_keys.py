"""Log lines about configuration keys that a service ignores."""

from uuid import uuid4

from dynabench_common.ignored_keys import note_ignored_keys
from structlog.testing import capture_logs


def test_the_log_names_the_task_its_version_and_the_key() -> None:
    task_id = uuid4()
    with capture_logs() as lines:
        note_ignored_keys(task_id, 3)("validation.rehearsals")
    assert lines == [
        {
            "event": "configuration_key_passed_over",
            "log_level": "info",
            "task_id": str(task_id),
            "configuration_version": 3,
            "key": "validation.rehearsals",
        }
    ]
