"""What a person reads when there is nothing to validate."""

from datetime import UTC, datetime, timedelta

import pytest
from validation.service_layer.lease_next import explain
from validation.service_layer.ports import Waiting

NOW = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
SOON = NOW + timedelta(seconds=7.2)
LATE = NOW + timedelta(seconds=290)


@pytest.mark.parametrize(
    ("waiting", "words", "seconds"),
    [
        (Waiting(0, 0, 0, None), "Nothing waits", 60),
        (Waiting(3, 3, 0, None), "your own", 60),
        (Waiting(3, 1, 2, None), "answered or skipped", 60),
        (Waiting(3, 1, 1, SOON), "Other people", 8),
        (Waiting(3, 1, 1, LATE), "Other people", 30),
        (Waiting(3, 1, 1, None), "Other people", 1),
    ],
)
def test_reason_and_time(waiting: Waiting, words: str, seconds: int) -> None:
    nothing = explain(waiting, NOW)
    assert words in nothing.reason
    assert nothing.retry_after_seconds == seconds
