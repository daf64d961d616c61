"""A consumer whose client has stopped its heartbeats is given up."""

from typing import Any

import pytest
from dynabench_common.consumer import HEARTBEAT_CHECK_SECONDS, HeartbeatStalled, HeartbeatWatch

LATER = HEARTBEAT_CHECK_SECONDS + 1
NEVER = float("inf")


class Client:
    age = 1.0
    partitions = frozenset({0})

    def metrics(self) -> dict[str, dict[str, Any]]:
        return {"consumer-coordinator-metrics": {"last-heartbeat-seconds-ago": self.age}}

    def assignment(self) -> frozenset[int]:
        return self.partitions


def looks(client: Client, *ages: float) -> None:
    watch = HeartbeatWatch(0.0)
    for number, age in enumerate(ages, start=1):
        client.age = age
        watch.look(client, number * LATER)


@pytest.mark.parametrize("ages", [(1.0, 14.0, 2.0), (NEVER, 0.5, NEVER), (40.0, 1.0)])
def test_a_live_member_goes_on_also_if_it_was_silent_while_its_group_settled(ages: tuple[float, ...]) -> None:
    looks(Client(), *ages)


def test_a_member_without_partitions_is_given_more_time_but_not_for_ever() -> None:
    waiting = Client()
    waiting.partitions = frozenset()
    looks(waiting, NEVER, NEVER, 1.0, NEVER, NEVER)
    with pytest.raises(HeartbeatStalled):
        looks(waiting, NEVER, NEVER, NEVER)


@pytest.mark.parametrize("ages", [(16.0, 31.0), (NEVER, NEVER), (1.0, 16.0, 32.0)])
def test_a_member_that_stays_without_heartbeats_is_given_up(ages: tuple[float, ...]) -> None:
    with pytest.raises(HeartbeatStalled):
        looks(Client(), *ages)


def test_it_is_looked_at_now_and_then_alone() -> None:
    watch, silent = HeartbeatWatch(0.0), Client()
    silent.age = NEVER
    for now in (1.0, LATER, LATER + 1, 2 * LATER - 2):
        watch.look(silent, now)
    with pytest.raises(HeartbeatStalled):
        watch.look(silent, 2 * LATER)
