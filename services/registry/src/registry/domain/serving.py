"""The two sides that the reconciler compares: what should be registered, and what TorchServe holds."""

from dataclasses import dataclass

from registry.domain.declarations import Declared

READY = "READY"


@dataclass(frozen=True)
class Archive:
    """An archive in the store. `sha256` is of the file, the digests are of what is in it."""

    file: str
    sha256: str
    model_digest: str
    handler_digest: str

    @property
    def digests(self) -> tuple[str, str]:
        """Return what an answer of this archive's model says about itself."""
        return self.model_digest, self.handler_digest


@dataclass(frozen=True)
class Registration:
    """What TorchServe should hold under `serving_name`. `archive` None: nothing usable is in the store."""

    serving_name: str
    archive: Archive | None
    workers: int
    batch_size: int
    max_batch_delay_milliseconds: int
    response_timeout_seconds: int
    explains: bool


@dataclass(frozen=True)
class Worker:
    """A worker process as TorchServe sees it; `pid` is -1 while it starts."""

    pid: int
    status: str


@dataclass(frozen=True)
class Served:
    """What TorchServe holds under a name."""

    serving_name: str
    file: str
    batch_size: int
    max_batch_delay_milliseconds: int
    response_timeout_seconds: int
    min_workers: int
    workers: tuple[Worker, ...]

    @property
    def ready_workers(self) -> int:
        """Return how many workers have loaded the model."""
        return sum(worker.status == READY for worker in self.workers)


def registrations(declared: Declared, archive: Archive | None, explainer_wanted: bool) -> list[Registration]:
    """Return what a declared model needs in TorchServe: predictions, and explanations apart from them.

    In one queue TorchServe would answer an explanation as a prediction, and a slow explanation would hold up
    the predictions behind it.
    """
    wanted = [
        Registration(
            serving_name=declared.serving_name,
            archive=archive,
            workers=declared.workers,
            batch_size=declared.batch_size,
            max_batch_delay_milliseconds=declared.max_batch_delay_milliseconds,
            response_timeout_seconds=declared.response_timeout_seconds,
            explains=False,
        )
    ]
    if declared.explain is not None:
        wanted.append(
            Registration(
                serving_name=declared.explain_name,
                archive=archive,
                workers=declared.explain.workers if explainer_wanted else 0,
                batch_size=1,
                max_batch_delay_milliseconds=1,
                response_timeout_seconds=declared.explain.response_timeout_seconds,
                explains=True,
            )
        )
    return wanted
