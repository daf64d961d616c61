"""A consumer whose client has stopped its heartbeats is given up."""

from typing import Any

import pytest
from dynabench_common.consumer import HeartbeatStalled, ensure_heartbeat


class Client:
    def __init__(self, age: float, partitions: set[int]) -> None:
        self.age, self.partitions = age, partitions

    def metrics(self) -> dict[str, dict[str, Any]]:
        return {"consumer-coordinator-metrics": {"last-heartbeat-seconds-ago": self.age}}

    def assignment(self) -> set[int]:
        return self.partitions


@pytest.mark.parametrize(("age", "partitions"), [(1.0, {0}), (float("inf"), set()), (14.0, {0, 1})])
def test_a_live_or_waiting_member_goes_on(age: float, partitions: set[int]) -> None:
    ensure_heartbeat(Client(age, partitions))


@pytest.mark.parametrize("age", [16.0, float("inf")])
def test_a_member_without_heartbeats_is_given_up(age: float) -> None:
    with pytest.raises(HeartbeatStalled):
        ensure_heartbeat(Client(age, {0}))
