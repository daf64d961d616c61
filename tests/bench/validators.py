"""How long fifty validators wait for the next example of a queue of twenty thousand.

Reading and voting takes people several seconds; three are fast. Once a second is shown as well: that is more than
two cores carry together with the callers.
"""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from dynabench_common.testing import wait_until

from tests.bench.load import JsonPost, run
from tests.figures import Figure, at_most, plain
from tests.own_platform import OwnPlatform, console

VALIDATORS = 50
QUEUE = 20_000
BATCH = 1_000
SECONDS = 20.0
PAUSE, HASTY_PAUSE = 3.0, 1.0
LABELS = ("positive", "negative", "neutral")


def figures(platform: OwnPlatform) -> Iterator[Figure]:
    """Import records without votes, and let people vote on them."""
    started = platform.administrator.annotation.start_import("dynasent", "a queue", ["model"])
    for start in range(0, QUEUE, BATCH):
        lines = b"".join(_line(number) for number in range(start, start + BATCH))
        platform.administrator.annotation.add_records(started.round_id, lines, start + 1)
    platform.administrator.annotation.set_round_state(started.round_id, "closed")
    wait_until(lambda: platform.pending(started.round_id) == QUEUE, 120, "the queue's arrival in validation")
    people = []
    for number in range(VALIDATORS):
        platform.newcomer(f"validator-{number}")
        token = platform.access_token(f"validator-{number}")
        people.append(_Validator(platform.url, started.round_id, token))
    load, hasty = (
        run(people, SECONDS, pause, between=lambda position: people[position].vote())
        for pause in (PAUSE, HASTY_PAUSE)
    )
    most = max(Counter(example for person in people for example in person.voted).values())
    console.print(f"queue: p50 {load.p50:.0f} ms, p95 {load.p95:.0f} ms, {load.failures} failures")
    yield plain(f"next example, {VALIDATORS} validators every 3 s, p50", load.p50, "ms")
    yield at_most(f"next example, {VALIDATORS} validators every 3 s, p95", load.p95, "ms", 150)
    yield plain(f"next example, {VALIDATORS} validators once a second, p95", hasty.p95, "ms")
    yield plain("next example, failed", load.failures + hasty.failures, "calls")
    yield at_most("votes on one example", most, "votes", 5)


def _line(number: int) -> bytes:
    text = f"Dinner number {number} came {number % 90} minutes late and nobody minded much."
    record = {
        "id": f"waiting-{number}",
        "context": {},
        "input": {"sentence": text},
        "targets": {"model": LABELS[number % 3]},
    }
    return json.dumps(record).encode() + b"\n"


class _Validator:
    """A person who fetches an example, which is measured, and votes on it, which is not."""

    def __init__(self, url: str, round_id: str, token: str) -> None:
        self._base, self._token = f"{url}/api/validation/v1", token
        self._fetch = JsonPost(f"{self._base}/rounds/{round_id}/leases", token)
        self._held: dict[str, Any] | None = None
        self.voted: list[str] = []

    def __call__(self, _number: int) -> bool:
        self._held = self._fetch.answer({})
        return self._held is not None and self._held["lease_id"] is not None

    def vote(self) -> None:
        """Vote on what is held, if anything is."""
        if self._held is None or self._held["lease_id"] is None:
            return
        vote = JsonPost(f"{self._base}/leases/{self._held['lease_id']}/votes", self._token)
        answer = vote.answer({"kind": "label", "value": "neutral"})
        if answer is not None and answer["counted"]:
            self.voted.append(self._held["example"]["example_id"])
