"""Kill the sender of an archive, its checker and its server; each submission must succeed, once."""

import contextlib
import json
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from dynabench_client import ProblemError, UnreachableError
from dynabench_client.results.models import WholeSubmission

from tests.figures import Figure, at_most, plain
from tests.hostile_archives import packed, with_code
from tests.hostile_handlers import handler
from tests.own_platform import OwnPlatform, console

MEBIBYTE = 1 << 20
Found = TypeVar("Found")
UPLOAD_BYTES = 400 * MEBIBYTE
CHECKED_BYTES = 60 * MEBIBYTE
PATIENCE_SECONDS = 240.0
LOOK_SECONDS = 0.02
STEPS = ("checksum", "opened", "scanned", "manifest", "contract", "deployed", "smoke_test")
MOVES_ON_SECONDS = 15
"""Two heartbeats of 5 s, and what a worker needs to start again."""


def figures(platform: OwnPlatform) -> Iterator[Figure]:
    """Kill the uploader halfway, the worker at each step, the agent and TorchServe while they serve."""
    with tempfile.TemporaryDirectory() as folder:
        yield from _uploader(platform, Path(folder))
        for step in STEPS:
            yield from _worker(platform, Path(folder), step)
        for part in ("torchserve-agent", "registry-http", "torchserve"):
            yield from _server(platform, Path(folder), part)


def code_archive(folder: Path, name: str, size: int) -> Path:
    """Write an archive with code that keeps the contract, with so many bytes of weights."""
    archive = folder / f"{name}.mar"
    archive.write_bytes(packed(with_code(handler(), **{"weights.bin": os.urandom(size)})))
    return archive


class Submitter:
    """A person with the command line, and an archive of their own."""

    def __init__(self, platform: OwnPlatform, archive: Path) -> None:
        name = archive.stem
        self.client = platform.new_annotator(name)
        self.archive = archive
        self._environment = {**os.environ, "DYNABENCH_PROFILE": str(archive.with_suffix(".json"))}
        self._log = archive.with_suffix(".log")
        self._command = str(platform.stack.layout.scripts / "dynabench")
        password = platform.people[name]["password"]
        self._run("login", platform.url, "--user-name", name, "--password", password)

    def _run(self, *arguments: str) -> None:
        command = [self._command, *arguments]
        subprocess.run(command, env=self._environment, check=True, stdout=subprocess.DEVNULL)

    def send(self) -> subprocess.Popen[bytes]:
        """Start the upload of the archive, or resume it."""
        arguments = ["models", "submit", str(self.archive), "--task", "sentiment", "--json"]
        with self._log.open("wb") as errors:
            return subprocess.Popen(
                [self._command, *arguments],
                env=self._environment,
                stdout=subprocess.PIPE,
                stderr=errors,
            )

    def errors(self) -> str:
        """Return the last command's standard error."""
        return self._log.read_text(errors="replace")

    def newest(self) -> WholeSubmission | None:
        """Return the person's submission, None before there is one or while nobody answers."""
        with contextlib.suppress(ProblemError, UnreachableError):
            found = self.client.registry.submissions().items
            return self.client.registry.submission(found[0].submission_id) if found else None
        return None


def _uploader(platform: OwnPlatform, folder: Path) -> Iterator[Figure]:
    submitter = Submitter(platform, code_archive(folder, "interrupted", UPLOAD_BYTES))
    running = submitter.send()
    held = wait_for(lambda: _parts(submitter) or None)
    total = -(-submitter.archive.stat().st_size // (8 * MEBIBYTE))
    while (held := _parts(submitter)) < total // 2 and running.poll() is None:
        time.sleep(LOOK_SECONDS)
    running.kill()
    running.wait()
    kept = _parts(submitter)
    console.print(f"uploader killed with {kept} of {total} parts there")
    again = submitter.send()
    answer = json.loads(again.communicate(timeout=PATIENCE_SECONDS)[0])
    yield plain("parts there when the uploader was killed", max(kept, held), f"of {total}")
    yield at_most("exit status of the same command again", again.returncode, "", 0)
    submission = ended(platform, submitter)
    yield at_most("submissions of one interrupted upload beyond one", _count(submitter) - 1, "", 0)
    yield at_most("interrupted upload not deployed", submission.state != "deployed", "", 0)
    yield at_most("digest that differs", answer["digest"] != submission.digest, "", 0)
    retire(platform, submission)


def _parts(submitter: Submitter) -> int:
    newest = submitter.newest()
    if newest is None:
        return 0
    with contextlib.suppress(ProblemError, UnreachableError):
        return len(submitter.client.registry.upload_state(newest.submission_id).held)
    return 0


def _worker(platform: OwnPlatform, folder: Path, step: str) -> Iterator[Figure]:
    """Kill the worker while a step runs; yield the time without a worker."""
    submitter = Submitter(platform, code_archive(folder, f"at-{step.replace('_', '-')}", CHECKED_BYTES))
    submitter.send().wait()
    wait_for(lambda: _is_at(platform, submitter, step))
    began, killed_at = time.monotonic(), datetime.now(UTC)
    _kill(platform, "registry-worker")
    wait_for(lambda: _has_moved(platform, submitter, step, killed_at))
    moved = time.monotonic() - began
    submission = ended(platform, submitter)
    console.print(f"worker killed at {step}: it moved on after {moved:.1f} s, {submission.state}")
    yield at_most(f"kill -9 registry-worker at {step}: moved on after", moved, "s", MOVES_ON_SECONDS)
    yield at_most(f"killed at {step}: not deployed", submission.state != "deployed", "", 0)
    yield at_most(f"killed at {step}: counted as a fault", not submission.counted, "", 0)
    retire(platform, submission)


def _server(platform: OwnPlatform, folder: Path, part: str) -> Iterator[Figure]:
    """Kill the processes that serve a deployed model; yield the time without an answer."""
    submitter = Submitter(platform, code_archive(folder, f"under-{part}", MEBIBYTE))
    submitter.send().wait()
    submission = ended(platform, submitter)
    name = submission.serving_name or ""
    _kill(platform, part)
    began = time.monotonic()
    time.sleep(1)
    wait_for(lambda: _answers(submitter, name) or None)
    yield at_most(f"kill -9 {part}: a model in its sandbox answers after", time.monotonic() - began, "s", 60)
    retire(platform, submission)


def _answers(submitter: Submitter, name: str) -> bool:
    try:
        submitter.client.gateway.predict(name, [{"text": "a"}], wait_seconds=5)
    except (ProblemError, UnreachableError):
        return False
    return True


def _is_at(platform: OwnPlatform, submitter: Submitter, step: str) -> bool | None:
    """Return True once the step has begun, or is over: some take but a moment."""
    found = _approved(platform, submitter)
    if found is None:
        return None
    begun = (each.step for each in found.steps if each.state in ("running", "passed"))
    return True if step in begun else None


def _has_moved(platform: OwnPlatform, submitter: Submitter, step: str, killed_at: datetime) -> bool | None:
    """Return True once the step is over, or another worker has renewed its lease."""
    found = _approved(platform, submitter)
    if found is None:
        return None
    own = next(each for each in found.steps if each.step == step)
    is_alive = own.heartbeat_at is not None and own.heartbeat_at > killed_at
    return True if is_alive or own.state in ("passed", "held") else None


def _approved(platform: OwnPlatform, submitter: Submitter) -> WholeSubmission | None:
    """Return the submission; one that waits for an owner is approved."""
    found = submitter.newest()
    if found is not None and found.state == "waiting":
        with contextlib.suppress(ProblemError, UnreachableError):
            platform.administrator.registry.decide_on_submission(
                found.submission_id, approve=True, reason="A fault is tried."
            )
    return found


def ended(platform: OwnPlatform, submitter: Submitter) -> WholeSubmission:
    """Return the submission once its checks have ended; an owner approves its code."""

    def end() -> WholeSubmission | None:
        found = _approved(platform, submitter)
        is_moving = found is None or found.is_moving or found.state == "waiting"
        return None if is_moving else found

    return wait_for(end)


def _count(submitter: Submitter) -> int:
    return len(submitter.client.registry.submissions().items)


def retire(platform: OwnPlatform, submission: WholeSubmission) -> None:
    """Withdraw a deployed model, to make space for the next one."""
    if submission.state == "deployed":
        platform.administrator.registry.retire_model(submission.submission_id, "The fault is over.")


def wait_for(look: Callable[[], Found | None]) -> Found:
    """Poll until there is a result, and return it."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        found = look()
        if found is not None:
            return found
        time.sleep(LOOK_SECONDS)
    raise TimeoutError(f"nothing within {PATIENCE_SECONDS:.0f} s")


def _kill(platform: OwnPlatform, part: str) -> None:
    os.kill(platform.stack.supervisor.states()[part]["pid"], signal.SIGKILL)
