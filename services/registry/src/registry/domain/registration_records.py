"""Record of a registration that the registry keeps between two passes, and the state of its workers."""

from dataclasses import dataclass, field
from enum import StrEnum

from dynabench_archives.model_servers import Registration, Served

FIRST_PAUSE_SECONDS = 15.0
LONGEST_PAUSE_SECONDS = 600.0
STARTS_UNTIL_FAILED = 3
PROBES_UNTIL_FAILED = 5
BLOCKED = "it waits for the platform"


@dataclass
class RegistrationRecord:
    """Times are monotonic seconds. `sha256` None: registered by an earlier registry process, content unknown."""

    sha256: str | None = None
    is_answering: bool = False
    waiting_since: float | None = None
    blocked_since: float | None = None
    pids: set[int] = field(default_factory=set)
    failed_probes: int = 0
    failures: int = 0
    retry_at: float | None = None
    reason: str | None = None

    def began(self, sha256: str, now: float) -> None:
        """Note a fresh registration."""
        self.sha256 = sha256
        self.is_answering = False
        self.waiting_since = now
        self.blocked_since = None
        self.pids = set()
        self.failed_probes = 0
        self.retry_at = None

    def rests(self) -> None:
        """Note that it has no workers, and so nothing to wait for: the next wait begins when it gets some."""
        self.is_answering = False
        self.waiting_since = self.blocked_since = None
        self.pids = set()

    def waits(self, now: float) -> float:
        """Return for how long its workers have not been ready."""
        if self.blocked_since is not None:
            self.reason = None
        if self.waiting_since is None:
            self.is_answering = False
            self.waiting_since = now
            return 0.0
        return now - self.waiting_since

    def blocked(self, by: str, now: float) -> float:
        """Note that it waits for the platform and not for its workers; return for how long it has been so."""
        self.is_answering = False
        self.waiting_since = None
        self.reason = f"{BLOCKED}: {by}"
        if self.blocked_since is None:
            self.blocked_since = now
        return now - self.blocked_since

    def answered(self) -> None:
        """Note that it answers: earlier failures are forgiven."""
        self.blocked_since = None
        self.is_answering = True
        self.waiting_since = None
        self.pids = set()
        self.failed_probes = 0
        self.failures = 0
        self.retry_at = None
        self.reason = None

    def failed(self, reason: str, now: float) -> None:
        """Record a failed start; the pause before the next try grows exponentially."""
        self.failures += 1
        self.reason = reason
        self.is_answering = False
        self.waiting_since = self.blocked_since = None
        self.retry_at = now + min(FIRST_PAUSE_SECONDS * 2 ** (self.failures - 1), LONGEST_PAUSE_SECONDS)

    def forgive(self) -> None:
        """Clear the failures, so that the next pass retries at once."""
        self.failures = 0
        self.retry_at = None
        self.reason = None

    def pauses(self, now: float) -> bool:
        """Return whether it is being left alone after a failure."""
        return self.retry_at is not None and now < self.retry_at


class WorkersState(StrEnum):
    """States of a model's workers; those that start on demand are `stopped` until somebody asks."""

    STOPPED = "stopped"
    STARTING = "starting"
    READY = "ready"
    FAILED = "failed"


def workers_state(
    wanted: Registration, held: Served | None, record: RegistrationRecord, now: float
) -> WorkersState:
    """Return the state of a registration's workers."""
    if wanted.workers and is_answering(held, record):
        return WorkersState.READY
    if record.pauses(now) or wanted.archive is None:
        return WorkersState.FAILED
    return WorkersState.STARTING if wanted.workers or wanted.waits else WorkersState.STOPPED


def is_answering(held: Served | None, record: RegistrationRecord) -> bool:
    """Return whether a worker is there that has answered."""
    return held is not None and held.ready_workers > 0 and record.is_answering
