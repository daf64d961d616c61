"""Times of the most used pages: one caller, the demo's data, each page warm.

`python -m tests.bench.pages` measures them on the running stack that DYNABENCH_TEST_HOME and PORT_BASE name, where
the demo has been played.
"""

import http.client
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from dynabench_local.layout import Layout, checkout
from dynabench_local.stack import Stack

from tests.bench.load import Sample
from tests.bench.machine_speed import at_its_speed
from tests.bench.processor_time import Cost, ProcessorTime
from tests.figures import Figure, Report, at_most, plain
from tests.own_platform import OwnPlatform, console

REQUESTS = 100
WARM_UP = 10
MEDIAN_MS, P95_MS = 40, 100
TASK = "sentiment"
PRACTISED = f"dynabench_practised=:{TASK}"
"""Cookies of a person who has done the practice: others are redirected there first."""


def figures(platform: OwnPlatform) -> Iterator[Figure]:
    """Play the demo's round, then measure."""
    home = platform.stack.layout.home
    subprocess.run(
        [sys.executable, "scripts/demo.py", "--task", TASK],
        env={**os.environ, "DYNABENCH_HOME": str(home)},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    yield from measured(platform)


def measured(platform: OwnPlatform) -> Iterator[Figure]:
    """Open each page REQUESTS times, one after another."""
    yield plain("pages, requests for each", REQUESTS, "requests")
    cost, processor_time = Cost(), ProcessorTime(platform.stack)
    tokens = {name: platform.access_token(name) for name in ("ada", "olga")}
    for name, (person, path) in main_pages(platform).items():
        processor_time.restart()
        load = _open(platform.url, path, tokens[person])
        cost.add(processor_time, WARM_UP + REQUESTS)
        console.print(f"page {name}: p50 {load.p50:.1f} ms, p95 {load.p95:.1f} ms, {load.failures} failures")
        yield at_most(f"page {name}, p50", load.p50, "ms", MEDIAN_MS)
        yield at_most(f"page {name}, p95", load.p95, "ms", P95_MS)
        yield at_most(f"page {name}, failed", load.failures, "requests", 0)
    yield from cost.figures("page, mean of all", 15)


def main_pages(platform: OwnPlatform) -> dict[str, tuple[str, str]]:
    """Return the pages by name, a round's overview with each of its views; each with its user name and address."""
    newest = platform.owner.annotation.rounds(TASK, limit=200).items
    found = next(each for each in newest if each.is_open)
    owned = f"/tasks/{TASK}/rounds/{found.number}"
    return {
        "tasks": ("ada", "/"),
        "task": ("ada", f"/tasks/{TASK}"),
        "round": ("ada", f"/rounds/{found.round_id}"),
        "create": ("ada", f"/rounds/{found.round_id}/create"),
        "validate": ("ada", f"/rounds/{found.round_id}/validate"),
        "tries": ("ada", f"/rounds/{found.round_id}/tries"),
        "rounds": ("olga", "/rounds"),
        **{
            f"overview, {view}": ("olga", f"{owned}/standing?view={view}")
            for view in ("now", "progress", "votes", "people", "health")
        },
        "owner's queue": ("olga", f"{owned}/work"),
        "datasets": ("ada", "/datasets"),
    }


def _open(url: str, path: str, token: str) -> Sample:
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=60)
    load = Sample()
    for number in range(WARM_UP + REQUESTS):
        began = time.perf_counter()
        connection.request("GET", path, headers={"Cookie": f"dynabench_access={token}; {PRACTISED}"})
        answer = connection.getresponse()
        answer.read()
        took = time.perf_counter() - began
        if number >= WARM_UP and answer.status == http.client.OK:
            load.milliseconds.append(1000 * took)
        elif number >= WARM_UP:
            load.failures += 1
    connection.close()
    return load


def main() -> int:
    """Measure the running stack; return 1 where a bar falls."""
    home, port = Path(os.environ["DYNABENCH_TEST_HOME"]), int(os.environ["PORT_BASE"])
    platform = OwnPlatform(Stack(Layout(checkout(), home, port)))
    report = Report("python -m tests.bench.pages", Path("build/bench-pages.json"))
    report.add(at_its_speed(lambda: measured(platform)))
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
