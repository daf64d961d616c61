"""`make scale`: fill a round with a million tries by ten thousand people, then time pages and routes.

A dataset of as many examples is then written and measured as a release is; the memory that it takes is reported.

Writes build/scale.json. `EXAMPLES` and `PEOPLE` in the environment change the size. A query without an index shows as
a sequential scan of one of the large tables while the pages are read; there must be none.
"""

import os
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg2
from dynabench_client import ProblemError
from dynabench_common.testing import wait_until
from dynabench_local.layout import checkout

from tests.bench import tries
from tests.bench.load import Sample
from tests.bench.machine_speed import at_its_speed
from tests.bench.validators import validators_of
from tests.figures import Figure, Report, at_most, plain
from tests.own_platform import OwnPlatform, console, own_platform
from tests.scale import streaming
from tests.scale.consumption import while_filled
from tests.scale.reads import Reader, addresses

sys.path.insert(0, str(checkout() / "scripts"))
from generate_round import Filled, Wanted, fill

EXAMPLES = int(os.environ.get("EXAMPLES", "1000000"))
PEOPLE = int(os.environ.get("PEOPLE", "10000"))
EXAMPLES_MORE = 20_000
"""Number of further examples, written after the rest was processed, to measure the rate on a full database."""
READS, READS_WHILE_WRITTEN = 30, 10
BAR_MILLISECONDS, BAR_WHILE_WRITTEN_MILLISECONDS = 200, 1_000
WRITERS = 5
FEWEST_ROWS = 10_000
"""Row count under which a sequential scan is quicker."""
LARGE_TABLES = {
    "annotation": ("example", "example_signature", "assignment"),
    "validation": ("example", "example_validation", "vote"),
    "leaderboard": ("example", "answer", "vote", "person_try"),
    "scoring": ("example", "vote"),
}


def arrival(platform: OwnPlatform, filled: Filled, began: float) -> Iterator[Figure]:
    """Wait until every service has processed the round."""
    checks: dict[str, Callable[[], tuple[int, int]]] = {
        "validation": lambda: _of_validation(platform, filled.round_id),
        "leaderboard": lambda: _of_leaderboard(platform, filled.round_id),
    }
    for service, found in checks.items():
        while found() != (EXAMPLES, filled.decided):
            time.sleep(2)
        seconds = time.monotonic() - began
        console.print(f"{service} has all of it after {seconds:.0f} s")
        yield plain(f"{service}: {EXAMPLES:,} tries taken in after", seconds, "s")


def _of_validation(platform: OwnPlatform, round_id: str) -> tuple[int, int]:
    try:
        counts = platform.owner.validation.counts(round_id)
    except ProblemError:
        return 0, 0
    return counts.examples, counts.resolved


def _of_leaderboard(platform: OwnPlatform, round_id: str) -> tuple[int, int]:
    try:
        board = platform.owner.leaderboard.round(round_id)
    except ProblemError:
        return 0, 0
    return board.tries, board.resolved


def pages(platform: OwnPlatform, filled: Filled) -> Iterator[Figure]:
    """Time each read, one after the other, and look for sequential scans meanwhile."""
    reader = Reader(platform, "olga")
    _analyze(platform)
    before = _scans(platform)
    for name, address in addresses(platform, filled.round_id):
        reader.read(address)
        sample = Sample()
        for _ in range(READS):
            took = reader.read(address)
            if took is None:
                sample.failures += 1
            else:
                sample.milliseconds.append(took)
        console.print(f"{name}: p50 {sample.p50:.0f} ms, p95 {sample.p95:.0f} ms, {sample.failures} failures")
        yield at_most(f"{name}, p95", sample.p95, "ms", BAR_MILLISECONDS)
        if sample.failures:
            yield at_most(f"{name}, failed", sample.failures, "reads", 0)
    after = _scans(platform)
    for table in sorted(after):
        if after[table] > before.get(table, 0):
            console.print(f"{table} was read from end to end {after[table] - before.get(table, 0)} times")
    found = sum(after[table] - before.get(table, 0) for table in after)
    yield at_most("sequential scans of large tables", found, "scans", 0)


def pages_while_written(platform: OwnPlatform, filled: Filled) -> Iterator[Figure]:
    """Time each read while people write and vote in the round, so that cached results become invalid."""
    written = _Written(platform, filled.round_id)
    reader = Reader(platform, "olga")
    with written:
        for name, address in addresses(platform, filled.round_id):
            sample = Sample()
            for _ in range(READS_WHILE_WRITTEN):
                written.wait_for_more()
                took = reader.read(address)
                if took is None:
                    sample.failures += 1
                else:
                    sample.milliseconds.append(took)
            console.print(f"{name}, while written: p50 {sample.p50:.0f} ms, p95 {sample.p95:.0f} ms")
            yield at_most(f"{name}, while written, p95", sample.p95, "ms", BAR_WHILE_WRITTEN_MILLISECONDS)
            yield at_most(f"{name}, while written, failed", sample.failures, "reads", 0)
    yield plain("tries and votes meanwhile", written.done, "operations")
    yield at_most("tries and votes meanwhile, failed", written.failed, "operations", 0)


class _Written:
    """Five people who try and five who vote in a round, each once a second, while the block runs."""

    def __init__(self, platform: OwnPlatform, round_id: str) -> None:
        self._actions = [
            *tries.people(platform, "writer", WRITERS, round_id),
            *(voter.next_and_vote for voter in validators_of(platform, round_id, "voter", WRITERS)),
        ]
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self.done = self.failed = 0

    def __enter__(self) -> "_Written":
        self._threads = [threading.Thread(target=self._act, args=(each,)) for each in self._actions]
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def wait_for_more(self) -> None:
        """Return once something has been written since now."""
        before = self.done
        wait_until(lambda: self.done > before, 30, "a try or a vote")

    def _act(self, action: Callable[[int], bool]) -> None:
        number = 0
        while not self._stop.wait(random.uniform(0.5, 1.5)):
            number += 1
            succeeded = action(number)
            with self._lock:
                self.done += succeeded
                self.failed += not succeeded


def _analyze(platform: OwnPlatform) -> None:
    for service in LARGE_TABLES:
        connection = _connect(platform, service)
        connection.autocommit = True
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")
        connection.close()


def _scans(platform: OwnPlatform) -> dict[str, int]:
    found = {}
    for service, tables in LARGE_TABLES.items():
        connection = _connect(platform, service)
        with connection, connection.cursor() as cursor:
            cursor.execute(
                "SELECT relname, seq_scan FROM pg_stat_user_tables WHERE relname = ANY(%s) AND n_live_tup > %s",
                (list(tables), FEWEST_ROWS),
            )
            found.update({f"{service}.{name}": int(scans) for name, scans in cursor.fetchall()})
        connection.close()
    return found


def _connect(platform: OwnPlatform, service: str) -> "psycopg2.extensions.connection":
    url = platform.stack.environment(service)["DATABASE_URL"]
    return psycopg2.connect(url.replace("postgresql+psycopg2", "postgresql"))


def main() -> int:
    """Fill, wait, measure; return 1 if a figure misses its limit."""
    report = Report("make scale", Path("build/scale.json"))
    with own_platform() as platform:
        began = time.monotonic()
        filled = fill(platform.stack, platform.owner, Wanted(EXAMPLES, PEOPLE), console.print)
        report.add(arrival(platform, filled, began))
        more = Wanted(EXAMPLES_MORE, PEOPLE, seed=2)
        report.add(
            at_its_speed(
                lambda: while_filled(
                    platform, lambda: fill(platform.stack, platform.owner, more, console.print)
                )
            )
        )
        report.add(at_its_speed(lambda: pages(platform, filled)))
        report.add(at_its_speed(lambda: pages_while_written(platform, filled)))
    console.print(f"writing and measuring a dataset of {EXAMPLES:,} examples")
    report.add(streaming.figures(EXAMPLES))
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
