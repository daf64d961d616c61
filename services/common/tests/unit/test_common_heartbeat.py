"""The lease of a job is renewed while it is worked on, and its loss is noticed."""

import threading
from typing import Any

import pytest
from dynabench_common.work.jobs import Heartbeat, LeaseLost


def test_a_beat_stores_what_was_shown_last_and_outlives_an_outage() -> None:
    outage = iter([True])
    stored_later = threading.Event()

    def renew(seen: dict[str, Any]) -> None:
        if threading.current_thread().name != "heartbeat":
            return
        if next(outage, False):
            raise OSError("the database is away")
        if seen == {"progress": 0.5}:
            stored_later.set()

    with Heartbeat(renew, 0.03) as beat:
        beat.show(progress=0.5)
        assert stored_later.wait(60)


def test_a_lost_lease_is_reported_to_the_work_and_ends_the_renewals() -> None:
    beats = 0
    first = threading.Event()

    def renew(_seen: dict[str, Any]) -> None:
        nonlocal beats
        beats += 1
        first.set()
        raise LeaseLost

    with Heartbeat(renew, 0.03) as beat:
        assert first.wait(30)
        with pytest.raises(LeaseLost):
            beat.show(progress=0.5)
    assert beats == 2
