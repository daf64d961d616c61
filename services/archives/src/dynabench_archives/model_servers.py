"""Records that the registry and the model agent exchange: archives, registrations and builds.

These are plain dataclasses, since both sides compute with them. The agent's schemas check what comes over HTTP.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

PREFIX = "/agent/v1"
EPOCH_HEADER = "X-Reconciler-Epoch"
"""The number of the reconciler that gives a command; the agent refuses a number below the highest it has seen."""
NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?")
ARCHIVE = re.compile(r"[A-Za-z0-9._-]{1,200}\.mar")
FIELD = re.compile(r"[a-z][a-z0-9_]{0,62}")
EXPLAIN_SUFFIX = "-explain"
READY = "READY"
SANDBOX_ENDED = "the sandbox ended: "
"""Start of the last printed line of a program that exceeded a limit or ended by itself."""
SAMPLE = "A plain sentence."


class Pool(StrEnum):
    """The place where a model runs: with others in one TorchServe, or alone in a sandbox."""

    SHARED = "shared"
    SANDBOXED = "sandboxed"


class Fault(StrEnum):
    """The cause of a failure: the submitter, the platform, or an owner's decision."""

    YOURS = "yours"
    OURS = "ours"
    OWNER = "owner"


@dataclass(frozen=True)
class Archive:
    """An archive. `sha256` is of the file ("sha256:…"), the digests are of what is in it: computed, never declared.

    `size` is in bytes. `key` names the object of S3 that it is fetched from; None: it lies in the store by itself.
    """

    file: str
    sha256: str
    model_digest: str
    handler_digest: str
    size: int = 0
    key: str | None = None

    @property
    def digests(self) -> tuple[str, str]:
        """Return what an answer of this archive's model says about itself."""
        return self.model_digest, self.handler_digest


@dataclass(frozen=True)
class Registration:
    """Desired registration in TorchServe under `serving_name`. `archive` None: nothing usable is in the store.

    `on_demand`: `workers` is 0 without demand. `waits`: there is demand, but too many others run already.
    """

    serving_name: str
    archive: Archive | None
    fields: tuple[str, ...]
    workers: int
    on_demand: bool
    batch_size: int
    max_batch_delay_milliseconds: int
    response_timeout_seconds: int
    explains: bool
    waits: bool = False

    def sample_instance(self) -> dict[str, str]:
        """Return an instance that any such model can answer."""
        return dict.fromkeys(self.fields, SAMPLE)


@dataclass(frozen=True)
class Worker:
    """A worker process as TorchServe sees it; `pid` is -1 while it starts.

    `peak_bytes` is its peak resident memory, None if unknown.
    """

    pid: int
    status: str
    peak_bytes: int | None = None


@dataclass(frozen=True)
class Served:
    """Actual registration in TorchServe under a name.

    `address` is its own address, if it has one. `waits_for` names the part of the platform that its start waits for;
    empty if there is none.
    """

    serving_name: str
    file: str
    batch_size: int
    max_batch_delay_milliseconds: int
    response_timeout_seconds: int
    min_workers: int
    workers: tuple[Worker, ...]
    address: str | None = None
    waits_for: str = ""

    @property
    def ready_workers(self) -> int:
        """Return how many workers have loaded the model."""
        return sum(worker.status == READY for worker in self.workers)

    @property
    def worker_peak_bytes(self) -> int | None:
        """Return the peak resident memory of the worker that needed most; None if unknown."""
        return max((worker.peak_bytes for worker in self.workers if worker.peak_bytes), default=None)


class BuildState(StrEnum):
    """States of a build; one that waits for its turn is running."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True)
class BuildOrder:
    """Order of a build, with its source object in S3. `source_digest` is "sha256:…" of its bytes.

    `max_tokens` None: the model's own limit.
    """

    submission_id: UUID
    source_key: str
    source_digest: str
    name: str
    version: str
    task_type: str
    fields: tuple[str, ...]
    labels: tuple[str, ...]
    max_tokens: int | None = None


@dataclass(frozen=True)
class BuildStatus:
    """Status of a build. `log` are its lines so far.

    A failed build has the party at fault, the reason and the remedy; a finished one has the archive to serve.
    """

    state: BuildState
    log: tuple[str, ...] = ()
    fault: Fault | None = None
    reason: str | None = None
    remedy: str | None = None
    archive: Archive | None = None
