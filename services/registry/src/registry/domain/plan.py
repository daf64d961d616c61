"""The steps from what TorchServe holds to what it should hold: a pure function, and so a table of tests.

Each pass plans from what is seen, never from what was done before. So it does not matter who changed what: a
TorchServe that restarted empty, a changed file, and a first start are the same case.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from registry.domain.records import STARTS_UNTIL_FAILED, Record
from registry.domain.serving import Registration, Served


@dataclass(frozen=True)
class Register:
    """Make TorchServe hold it."""

    wanted: Registration


@dataclass(frozen=True)
class Unregister:
    """Make TorchServe forget it."""

    serving_name: str
    why: str


@dataclass(frozen=True)
class Scale:
    """Change the number of workers."""

    serving_name: str
    workers: int


@dataclass(frozen=True)
class Probe:
    """Ask it for a prediction, which tells whether it answers and what it holds."""

    wanted: Registration


@dataclass(frozen=True)
class GiveUp:
    """Count it as failed, and forget it until its next try."""

    serving_name: str
    why: str


Action = Register | Unregister | Scale | Probe | GiveUp


def plan(
    wanted: Iterable[Registration],
    served: Mapping[str, Served],
    records: Mapping[str, Record],
    now: float,
    start_timeout_seconds: float,
) -> list[Action]:
    """Return the next steps, in order. Notes in the records which worker processes were seen."""
    wanted = list(wanted)
    names = {registration.serving_name for registration in wanted}
    actions: list[Action] = [
        Unregister(name, "not in the models file") for name in sorted(served) if name not in names
    ]
    for registration in wanted:
        name = registration.serving_name
        held, record = served.get(name), records.get(name, Record())
        actions.extend(_steps(registration, held, record, now, start_timeout_seconds))
    return actions


def _steps(
    wanted: Registration, held: Served | None, record: Record, now: float, start_timeout_seconds: float
) -> Iterator[Action]:
    if record.pauses(now):
        if held is not None:
            yield Unregister(wanted.serving_name, "failed")
    elif wanted.archive is None:
        return
    elif held is None:
        yield Register(wanted)
    elif why := _difference(wanted, held, record):
        yield Unregister(wanted.serving_name, why)
        yield Register(wanted)
    elif held.min_workers != wanted.workers:
        if not held.ready_workers:
            record.rests()
        yield Scale(wanted.serving_name, wanted.workers)
    elif wanted.workers > 0:
        yield from _toward_ready(wanted, held, record, now, start_timeout_seconds)


def _difference(wanted: Registration, held: Served, record: Record) -> str | None:
    archive = wanted.archive
    if archive is None:
        return None
    if held.file != archive.file:
        return f"it holds {held.file}"
    if record.sha256 is not None and record.sha256 != archive.sha256:
        return "the archive has changed"
    if record.sha256 is None and not held.workers:
        return "its content is unknown, and no worker could tell"
    for setting in ("batch_size", "max_batch_delay_milliseconds", "response_timeout_seconds"):
        if getattr(held, setting) != getattr(wanted, setting):
            return f"its {setting} is {getattr(held, setting)}"
    return None


def _toward_ready(
    wanted: Registration, held: Served, record: Record, now: float, start_timeout_seconds: float
) -> Iterator[Action]:
    if held.ready_workers:
        if not record.is_answering:
            yield Probe(wanted)
        return
    waited = record.waits(now)
    record.pids.update(worker.pid for worker in held.workers if worker.pid > 0)
    if waited > start_timeout_seconds:
        yield GiveUp(wanted.serving_name, f"no worker was ready within {start_timeout_seconds:.0f} s")
    elif len(record.pids) > STARTS_UNTIL_FAILED * wanted.workers:
        yield GiveUp(
            wanted.serving_name, "its workers end while they load the model; TorchServe's log says why"
        )
