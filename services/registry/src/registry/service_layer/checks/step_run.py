"""One run of one step: its inputs, its progress reports, and its results."""

import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dynabench_common.work.jobs import LeaseLost

from registry.domain.submission import Submission

SECRETS = (
    (re.compile(r"(?i)(authorization: ?bearer |bearer )[\w.~+/=-]{8,}"), r"\1…"),
    (re.compile(r"(?i)((?:api[_-]?key|secret|token|password)[\"']?\s*[:=]\s*[\"']?)[^\s\"',;]{4,}"), r"\1…"),
    (re.compile(r"(?i)(X-Amz-(?:Signature|Credential|Security-Token)=)[^&\s]+"), r"\1…"),
    (re.compile(r"\b(AKIA|ASIA)[A-Z0-9]{16}\b"), r"\1…"),
    (re.compile(r"(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}"), "…"),
)

QUOTED = "│ "
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def redacted(line: str) -> str:
    """Return a line of a log without what looks like a secret."""
    for pattern, instead in SECRETS:
        line = pattern.sub(instead, line)
    return line


def storable(value: Any) -> Any:
    """Return a value that the database accepts: texts of archives and programs may hold NUL and lone surrogates."""
    if isinstance(value, str):
        return UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", value)
    if isinstance(value, Mapping):
        return {storable(name): storable(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [storable(each) for each in value]
    return value


@dataclass(frozen=True)
class Outcome:
    """Result of a step: columns of the submission, and the samples of a smoke test."""

    columns: Mapping[str, Any] = field(default_factory=dict)
    shown: tuple[Mapping[str, Any], ...] = ()


class StepRun:
    """Given to a step; `folder` holds the archive between the steps of one worker."""

    def __init__(self, submission: Submission, folder: Path) -> None:
        self.submission = submission
        self.folder = folder
        self._lines: list[str] = []
        self._lock = threading.Lock()
        self._is_lost = threading.Event()

    def say(self, line: str) -> None:
        """Add a line to the step's log. Raises LeaseLost once the lease is lost, so that the step ends."""
        if self._is_lost.is_set():
            raise LeaseLost
        with self._lock:
            self._lines.append(storable(redacted(line)))

    def quote(self, lines: Sequence[str]) -> None:
        """Add what a program printed. Raises LeaseLost as `say` does."""
        for line in lines:
            self.say(f"{QUOTED}{line}")

    def pause(self, seconds: float) -> None:
        """Wait. Raises LeaseLost as `say` does."""
        if self._is_lost.wait(seconds):
            raise LeaseLost

    @property
    def has_lines(self) -> bool:
        """Return whether some lines are not stored yet."""
        return bool(self._lines)

    def take_lines(self) -> list[str]:
        """Return the lines that nobody has stored yet."""
        with self._lock:
            lines, self._lines = self._lines, []
        return lines

    def lose(self) -> None:
        """Mark the lease as lost; the step ends at its next log line or pause."""
        self._is_lost.set()

    @property
    def archive(self) -> Path:
        """Return the path of the archive during its checks."""
        return self.folder / f"{self.submission.submission_id}.mar"
