"""Submit hostile archives and programs to a platform of one's own; write build/hostile.json.

Each must be refused with the reason that fits, or serve while it harms nobody; meanwhile a model of the platform is
asked all the time, and must answer. Programs are let in by an administrator, as by an owner who did not look.
"""

import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from dynabench_client import Dynabench, ProblemError, UnreachableError
from dynabench_client.archive_upload import ArchiveFile, ArchiveUpload
from dynabench_client.results.models import WholeSubmission
from dynabench_local.layout import checkout

from tests import hostile_archives, hostile_handlers
from tests.figures import Report, at_most, plain
from tests.own_platform import OwnPlatform, console, own_platform

TASK = "sentiment"
NEIGHBOUR = "sentiment-minilm"
LIMIT_SECONDS = 400
LOOK_SECONDS = 1.0
AT_ONCE = 3
SERVES = "is deployed"
READING = ("opened", "scanned", "manifest")
EXPECTED = {
    "keeps the contract": SERVES,
    "crashes on import": "crashes on import",
    "crashes at its start": "crashes at its start",
    "crashes on the third request": "requests it failed",
    "sleeps": "a probe fails: no answer within 10 s",
    "eats memory": "a probe fails",
    "forks": "a probe fails",
    "prints secrets": SERVES,
    "answers wrong shapes": "no prediction as the contract says",
    "answers NaN": "unusable answer",
    "answers labels of another task": "unusable answer",
    "answers 100 MB": "a probe fails",
    "keeps state between requests": "another answer the second time",
}
"""Of each program, what its refusal says; programs that do no harm in a sandbox are served."""


@dataclass
class Neighbour:
    """Asks a model of the platform all the time."""

    client: Dynabench
    answered: list[float] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    @contextmanager
    def asked_meanwhile(self) -> Iterator[None]:
        """Ask until the end of the block."""
        ended = threading.Event()
        thread = threading.Thread(target=self._ask, args=(ended,), daemon=True)
        thread.start()
        yield
        ended.set()
        thread.join()

    def _ask(self, ended: threading.Event) -> None:
        while not ended.wait(0.5):
            began = time.monotonic()
            try:
                self.client.gateway.predict(NEIGHBOUR, [{"text": "The soup was wonderful."}])
                self.answered.append(time.monotonic() - began)
            except (ProblemError, UnreachableError) as err:
                self.refused.append(str(err))


@dataclass(frozen=True)
class Case:
    """An archive, and words of its refusal; None: any that stands at a step which only reads it."""

    name: str
    content: bytes
    expected: str | None


def cases() -> list[Case]:
    """Return archives that are refused when they are read, then programs that misbehave when they run."""
    refused = [Case(name, content, None) for name, (content, _) in hostile_archives.refused().items()]
    programs = hostile_handlers.handlers()
    packed = {
        name: hostile_archives.packed(hostile_archives.with_code(program))
        for name, program in programs.items()
    }
    return [each for each in refused if each.content] + [
        Case(name, content, EXPECTED[name]) for name, content in packed.items()
    ]


def tried(platform: OwnPlatform, number: int, case: Case) -> str:
    """Submit an archive as a person of its own, and let it in; return what is wrong with the outcome, or nothing."""
    area = platform.new_annotator(f"hostile-{number}").registry
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "archive.mar"
        path.write_bytes(case.content)
        file = ArchiveFile.read(path, lambda _: None)
        begun = area.submit(TASK, f"hostile-{number}", path.name, file.size, digest=file.digest).submission
        ArchiveUpload(area, file).send(begun, lambda _: None)
    found = _ended(platform, begun.submission_id)
    if found.state == "deployed":
        platform.administrator.registry.retire_model(found.submission_id, "It was a test.")
        return "" if case.expected == SERVES else "it is served"
    failed = found.failed_step
    if failed is None:
        return f"it is {found.state} and no step failed"
    reason = f"{failed.step}: {failed.reason}"
    is_right = failed.step in READING if case.expected is None else case.expected in reason
    return "" if failed.fault == "yours" and failed.remedy and is_right else f"{failed.fault}, {reason}"


def _ended(platform: OwnPlatform, submission_id: str) -> WholeSubmission:
    area = platform.administrator.registry
    until = time.monotonic() + LIMIT_SECONDS
    while time.monotonic() < until:
        found = area.submission(submission_id)
        if found.state == "waiting":
            area.decide_on_submission(submission_id, approve=True, reason="Nobody looked.")
        elif not found.is_moving:
            return found
        time.sleep(LOOK_SECONDS)
    return area.submission(submission_id)


def main() -> int:
    """Try every case; return whether one came out wrong."""
    wrong: dict[str, str] = {}
    with own_platform() as platform:
        neighbour = Neighbour(platform.owner)
        with neighbour.asked_meanwhile(), ThreadPoolExecutor(AT_ONCE) as pool:
            running = {case.name: pool.submit(tried, platform, n, case) for n, case in enumerate(cases())}
            for name, each in running.items():
                outcome = each.result()
                console.print(f"{'✓' if not outcome else '✗'} {name}{outcome and ': '}{outcome}")
                if outcome:
                    wrong[name] = outcome
    slowest = sorted(neighbour.answered)[int(len(neighbour.answered) * 0.99)]
    report = Report("make hostile", checkout() / "build" / "hostile.json")
    report.add(
        [
            plain("archives and programs submitted", len(running), "submissions"),
            at_most("refused or served otherwise than expected", len(wrong), "submissions", 0),
            plain(f"answers of {NEIGHBOUR} meanwhile", len(neighbour.answered), "calls"),
            plain("the same, p99", slowest * 1000, "ms"),
            at_most("the same, refused", len(neighbour.refused), "calls", 0),
        ]
    )
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
