"""Waiting times of fifty validators for the next example of a queue of twenty thousand.

Reading and voting takes people several seconds; three are fast. One vote a second is measured as well: two cores can't
serve that together with the callers.
"""

import contextlib
import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from dynabench_client import ProblemError
from dynabench_common.testing import wait_until
from dynabench_local.layout import checkout

from tests.bench.load import JsonPost, run
from tests.figures import Figure, at_most, plain
from tests.own_platform import OwnPlatform, console
from tests.scenarios import let_votes_count_at_once

VALIDATORS = 50
QUEUE = 20_000
BATCH = 1_000
SECONDS = 20.0
PAUSE, HASTY_PAUSE = 3.0, 1.0
LABELS = ("positive", "negative", "neutral")


def figures(platform: OwnPlatform) -> Iterator[Figure]:
    """Import records without votes, and let people vote on them."""
    people = validators_of(platform, import_queue(platform, "a queue", QUEUE), "validator", VALIDATORS)
    load, hasty = (
        run(people, SECONDS, pause, between=lambda position: people[position].vote())
        for pause in (PAUSE, HASTY_PAUSE)
    )
    most = max(Counter(example for person in people for example in person.voted).values())
    console.print(f"queue: p50 {load.p50:.0f} ms, p95 {load.p95:.0f} ms, {load.failures} failures")
    yield plain(f"next example, {VALIDATORS} validators every 3 s, p50", load.p50, "ms")
    yield at_most(f"next example, {VALIDATORS} validators every 3 s, p95", load.p95, "ms", 150)
    yield plain(f"next example, {VALIDATORS} validators once a second, p95", hasty.p95, "ms")
    yield at_most("next example, failed", load.failures + hasty.failures, "calls", 0)
    yield at_most("votes on one example", most, "votes", 5)


def import_queue(platform: OwnPlatform, title: str, records: int) -> str:
    """Import records without votes, a multiple of BATCH; return the round once all of them wait for validators."""
    annotation = platform.administrator.annotation
    with contextlib.suppress(ProblemError):
        annotation.create_task((checkout() / "examples" / "dynasent.yaml").read_text())
    let_votes_count_at_once(platform.administrator, ["dynasent"])
    started = annotation.start_import("dynasent", title, ["model"])
    for start in range(0, records, BATCH):
        lines = b"".join(_line(number) for number in range(start, start + BATCH))
        annotation.add_records(started.round_id, lines, start + 1)
    annotation.set_round_state(started.round_id, "closed")
    wait_until(
        lambda: platform.pending(started.round_id) == records, 120, "the queue's arrival in validation"
    )
    return started.round_id


def validators_of(platform: OwnPlatform, round_id: str, name: str, number: int) -> "list[Validator]":
    """Return so many new validators of the round."""
    names = [f"{name}-{each}" for each in range(number)]
    for each in names:
        platform.new_annotator(each)
    return [Validator(platform.url, round_id, platform.access_token(each)) for each in names]


def _line(number: int) -> bytes:
    text = f"Dinner number {number} came {number % 90} minutes late and nobody minded much."
    record = {
        "id": f"waiting-{number}",
        "context": {},
        "input": {"sentence": text},
        "targets": {"model": LABELS[number % 3]},
    }
    return json.dumps(record).encode() + b"\n"


class Validator:
    """A person who fetches an example and votes on it, over one connection."""

    def __init__(self, url: str, round_id: str, token: str) -> None:
        self._leases = JsonPost(f"{url}/api/validation/v1/rounds/{round_id}/leases", token)
        self._held: dict[str, Any] | None = None
        self.voted: list[str] = []

    def __call__(self, _number: int) -> bool:
        self._held = self._leases.answer({})
        return self._held is not None and self._held["lease_id"] is not None

    def vote(self) -> bool:
        """Vote on the leased example; return whether that succeeded."""
        if self._held is None or self._held["lease_id"] is None:
            return False
        path = f"/api/validation/v1/leases/{self._held['lease_id']}/votes"
        answer = self._leases.answer({"kind": "label", "value": "neutral"}, path)
        if answer is not None and answer["counted"]:
            self.voted.append(self._held["example"]["example_id"])
        return answer is not None

    def next_and_vote(self, number: int) -> bool:
        """Fetch an example and vote on it; return whether both succeeded."""
        return self(number) and self.vote()
