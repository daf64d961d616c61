"""The two sides that the reconciler compares: what should be registered, and what TorchServe holds."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from registry.domain.declarations import Declared, Start

READY = "READY"
SAMPLE = "A plain sentence."


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

    `peak_bytes` is its peak resident memory, None where nobody can tell.
    """

    pid: int
    status: str
    peak_bytes: int | None = None


SANDBOX_ENDED = "the sandbox ended: "
"""Start of the last printed line of a program that went over a limit or ended by itself."""


def sandbox_end(printed: Sequence[str]) -> str | None:
    """Return the line on how a sandbox ended, if it is the last that was printed."""
    return printed[-1] if printed and printed[-1].startswith(SANDBOX_ENDED) else None


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
        """Return the peak resident memory of the worker that needed most; None where nobody can tell."""
        return max((worker.peak_bytes for worker in self.workers if worker.peak_bytes), default=None)


def registrations(
    declared: Declared,
    archive: Archive | None,
    is_used: Callable[[str, Start], bool],
    scorers: Sequence[str] = (),
) -> list[Registration]:
    """Return what a declared model needs in TorchServe: predictions, and explanations apart from them.

    In one queue TorchServe would answer an explanation as a prediction, and a slow explanation would hold up
    the predictions behind it. `is_used` tells, by serving name, whether what starts on demand is asked for.
    `scorers` are serving names of sandboxes that answer one evaluation each, and nobody else.
    """

    def workers(serving_name: str, number: int, start: Start) -> int:
        return number if not start.on_demand or is_used(serving_name, start) else 0

    wanted = [
        Registration(
            serving_name=declared.serving_name,
            archive=archive,
            fields=declared.fields,
            workers=workers(declared.serving_name, declared.workers, declared.start),
            on_demand=declared.start.on_demand,
            batch_size=declared.batch_size,
            max_batch_delay_milliseconds=declared.max_batch_delay_milliseconds,
            response_timeout_seconds=declared.response_timeout_seconds,
            explains=False,
        )
    ]
    wanted += [replace(wanted[0], serving_name=name, workers=1, on_demand=True) for name in scorers]
    explain = declared.explain
    if explain is not None:
        wanted.append(
            Registration(
                serving_name=declared.explain_name,
                archive=archive,
                fields=declared.fields,
                workers=workers(declared.explain_name, explain.workers, explain.start),
                on_demand=explain.start.on_demand,
                batch_size=1,
                max_batch_delay_milliseconds=1,
                response_timeout_seconds=explain.response_timeout_seconds,
                explains=True,
            )
        )
    return wanted
