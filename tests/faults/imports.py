"""Kill the importer, the service it talks to and the validation worker in the middle of an import, and resume it."""

import contextlib
import json
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from dynabench_client import ProblemError, UnreachableError
from dynabench_local.layout import checkout

from tests.figures import Figure, at_most, plain
from tests.own_platform import OwnPlatform, console

RECORDS = 8_000
VOTES = 5
SOURCE = "an interrupted import"
PATIENCE_SECONDS = 180
LABELS = ("positive", "negative", "neutral")


def figures(platform: OwnPlatform) -> Iterator[Figure]:
    """Interrupt an import in three ways; each record and each vote must exist once in the end."""
    platform.administrator.annotation.create_task((checkout() / "examples" / "dynasent.yaml").read_text())
    with tempfile.TemporaryDirectory() as folder:
        importer = _Importer(platform, Path(folder))
        running = importer.start()
        stored = importer.wait_for_records(RECORDS // 8)
        running.kill()
        running.wait()
        console.print(f"importer killed after {stored} of {RECORDS} records")
        yield plain("import: records stored when the importer was killed", stored, "records")
        running = importer.start()
        importer.wait_for_records(RECORDS // 2)
        _kill(platform, "annotation-http")
        _kill(platform, "validation-worker")
        status = running.wait(PATIENCE_SECONDS)
        if status != 0:
            status = importer.start().wait(PATIENCE_SECONDS)
        yield at_most("import: exit status after its service was killed", status, "", 0)
        yield from _verdicts(platform, importer.round_id())


class _Importer:
    """The command that imports a file of its own, as often as it is started."""

    def __init__(self, platform: OwnPlatform, folder: Path) -> None:
        self._platform = platform
        self._environment = {**os.environ, "DYNABENCH_PROFILE": str(folder / "profile.json")}
        self._file = folder / "records.jsonl"
        self._file.write_bytes(b"".join(_line(number) for number in range(RECORDS)))
        self._command = str(platform.stack.layout.scripts / "dynabench")
        sign_in = ["login", platform.url, "--user-name", "admin", "--password"]
        password = platform.people["admin"]["password"]
        subprocess.run(
            [self._command, *sign_in, password], env=self._environment, check=True, stdout=subprocess.DEVNULL
        )

    def start(self) -> subprocess.Popen[bytes]:
        """Start the import of the file, or resume it."""
        arguments = ["rounds", "import", "--task", "dynasent", "--source", SOURCE, str(self._file)]
        return subprocess.Popen([self._command, *arguments], env=self._environment, stdout=subprocess.DEVNULL)

    def round_id(self) -> str:
        """Return the round that the file goes into."""
        return self._platform.administrator.annotation.start_import("dynasent", SOURCE, ["model"]).round_id

    def wait_for_records(self, least: int) -> int:
        """Return how many records are stored as soon as they are `least`."""
        return _wait(
            lambda: (
                self._platform.administrator.annotation.start_import("dynasent", SOURCE, ["model"]).records
            ),
            least,
        )


def _wait(count: Callable[[], int], least: int) -> int:
    found, deadline = 0, time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        with contextlib.suppress(ProblemError, UnreachableError):
            found = count()
        if found >= least:
            return found
        time.sleep(0.02)
    raise TimeoutError(f"{found} of {least} within {PATIENCE_SECONDS} s")


def _verdicts(platform: OwnPlatform, round_id: str) -> Iterator[Figure]:
    validation = platform.administrator.validation
    _wait(lambda: validation.counts(round_id).resolved, RECORDS)
    _wait(lambda: platform.administrator.leaderboard.round(round_id).resolved, RECORDS)
    counts, board = validation.counts(round_id), platform.administrator.leaderboard.round(round_id)
    yield at_most("imported records lost or doubled", abs(counts.examples - RECORDS), "records", 0)
    yield at_most("imported votes lost or doubled", abs(counts.votes - VOTES * RECORDS), "votes", 0)
    yield at_most("imported tries on the board lost or doubled", abs(board.tries - RECORDS), "tries", 0)
    yield at_most(
        "imported votes on the board lost or doubled", abs(board.votes - VOTES * RECORDS), "votes", 0
    )


def _kill(platform: OwnPlatform, part: str) -> None:
    os.kill(platform.stack.supervisor.states()[part]["pid"], signal.SIGKILL)


def _line(number: int) -> bytes:
    label = LABELS[number % 3]
    record = {
        "id": f"record-{number}",
        "context": {},
        "input": {"sentence": f"Evening number {number} was {label} from the door to the dessert."},
        "targets": {"model": LABELS[(number + 1) % 3]},
        "votes": [{"label": label, "voter": f"voter-{(number + vote) % 90}"} for vote in range(VOTES)],
    }
    return json.dumps(record).encode() + b"\n"
