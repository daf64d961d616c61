"""Speed of an import: records over HTTP, their votes through validation, to the board."""

import contextlib
import json
import time
from collections.abc import Iterator

from dynabench_client import ProblemError
from dynabench_local.layout import checkout

from tests.bench.processor_time import ProcessorTime
from tests.figures import Figure, at_most, plain
from tests.own_platform import OwnPlatform, console

RECORDS = 10_000
BATCH = 1_000
VOTERS = 200
VOTES = 5
LABELS = ("positive", "negative", "neutral")
PATIENCE_SECONDS = 300
MOST_MILLISECONDS = 7


def figures(platform: OwnPlatform) -> Iterator[Figure]:
    """Import records with five votes each and wait until the board counts every vote."""
    annotation = platform.administrator.annotation
    annotation.create_task((checkout() / "examples" / "dynasent.yaml").read_text())
    started = annotation.start_import("dynasent", "records of a measurement", ["model"])
    processor_time = ProcessorTime(platform.stack)
    began = time.monotonic()
    for start in range(0, RECORDS, BATCH):
        lines = b"".join(_line(number) for number in range(start, start + BATCH))
        annotation.add_records(started.round_id, lines, start + 1)
    stored = time.monotonic() - began
    annotation.set_round_state(started.round_id, "closed")
    resolved = _until(platform, began, started.round_id, "validation")
    counted = _until(platform, began, started.round_id, "leaderboard")
    console.print(
        f"import: {RECORDS} records stored after {stored:.1f} s, their {VOTES * RECORDS} votes decided after "
        f"{resolved:.1f} s, on the board after {counted:.1f} s"
    )
    milliseconds = 1000 * sum(processor_time.spent().values()) / RECORDS
    yield plain("import: records stored", RECORDS / stored, "records/s")
    yield plain("import: records decided by five votes each", RECORDS / resolved, "records/s")
    yield plain("import: records on the board with their votes", RECORDS / counted, "records/s")
    yield at_most("import: processor time of all parts for a record", milliseconds, "ms", MOST_MILLISECONDS)


def _line(number: int) -> bytes:
    votes = [
        {"label": LABELS[(number + (voter == 0)) % 3], "voter": f"voter-{(number + voter) % VOTERS}"}
        for voter in range(VOTES)
    ]
    record = {
        "id": f"record-{number}",
        "context": {},
        "input": {"sentence": f"Visit number {number} was {LABELS[number % 3]} from the soup to the bill."},
        "targets": {"model": LABELS[(number + 1) % 3]},
        "votes": votes,
    }
    return json.dumps(record).encode() + b"\n"


def _until(platform: OwnPlatform, began: float, round_id: str, service: str) -> float:
    """Return the seconds since `began` until the service has all votes."""
    found = (0, 0)
    while time.monotonic() < began + PATIENCE_SECONDS:
        with contextlib.suppress(ProblemError):
            found = _counted(platform, round_id, service)
        if found == (VOTES * RECORDS, RECORDS):
            return time.monotonic() - began
        time.sleep(0.1)
    raise TimeoutError(f"{service} has {found} of {VOTES * RECORDS} votes and {RECORDS} resolutions")


def _counted(platform: OwnPlatform, round_id: str, service: str) -> tuple[int, int]:
    """Return votes and resolved examples. Raises ProblemError until the service knows the round."""
    if service == "validation":
        counts = platform.administrator.validation.counts(round_id)
        return counts.votes, counts.resolved
    board = platform.administrator.leaderboard.round(round_id)
    return board.votes, board.resolved
