"""Plan of the steps from TorchServe's current state to its desired state: a pure function, tested by a table.

Each pass plans from the observed state, never from earlier actions. So the origin of a change does not matter.
An empty TorchServe after a restart, a changed file and a first start are the same case.
"""

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, replace

from dynabench_archives.model_servers import Registration, Served

from registry.domain.registration_records import STARTS_UNTIL_FAILED, RegistrationRecord, is_answering

BLOCKED_SECONDS = 600.0
"""Longest wait of a registration for the platform, in which the time for its own start does not begin."""
HELD_SECONDS = 30.0
"""Workers used within this time are not taken away for others: else two models too many would never answer."""


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
    """Request a prediction, which shows whether the model answers and what it has loaded."""

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
    records: Mapping[str, RegistrationRecord],
    now: float,
    start_timeout_seconds: float,
) -> list[Action]:
    """Return the next steps, in order. Notes in the records which worker processes were seen.

    Registrations that always run go first. While one lacks its first worker, the plan starts no second worker and
    none on demand, since these would compete for the processor. The plan does not wait for a failed registration.
    """
    wanted = sorted(wanted, key=lambda registration: registration.on_demand)
    sights = [
        (each, served.get(each.serving_name), records.get(each.serving_name, RegistrationRecord()))
        for each in wanted
    ]
    is_crowded = any(_lacks_first_worker(*sight) for sight in sights)
    names = {registration.serving_name for registration in wanted}
    actions: list[Action] = [
        Unregister(name, "not to be served") for name in sorted(served) if name not in names
    ]
    for registration, held, record in sights:
        actions.extend(_steps(registration, held, record, now, start_timeout_seconds, is_crowded))
    return actions


def _lacks_first_worker(wanted: Registration, held: Served | None, record: RegistrationRecord) -> bool:
    has_prospects = wanted.archive is not None and not record.failures
    return not wanted.on_demand and has_prospects and not is_answering(held, record)


def _steps(
    wanted: Registration,
    held: Served | None,
    record: RegistrationRecord,
    now: float,
    start_timeout_seconds: float,
    is_crowded: bool,
) -> Iterator[Action]:
    if record.pauses(now):
        if held is not None:
            yield Unregister(wanted.serving_name, "failed")
    elif wanted.archive is None:
        return
    elif held is None:
        yield from _first_registration(wanted, is_crowded)
    elif why := _difference(wanted, held, record):
        yield Unregister(wanted.serving_name, why)
        yield from _first_registration(wanted, is_crowded)
    elif (workers := _next_number(wanted, held, record, is_crowded)) != held.min_workers:
        if not held.ready_workers:
            record.rests()
        yield Scale(wanted.serving_name, workers)
    elif workers > 0:
        yield from _toward_ready(wanted, held, record, now, start_timeout_seconds)


def _first_registration(wanted: Registration, is_crowded: bool) -> Iterator[Action]:
    """Register with one worker; a model without requests stays unregistered, since unpacking it takes seconds."""
    if wanted.workers and not (wanted.on_demand and is_crowded):
        yield Register(replace(wanted, workers=1))


def _next_number(wanted: Registration, held: Served, record: RegistrationRecord, is_crowded: bool) -> int:
    """Return how many workers there should be now: one until it answers, and then the others."""
    if wanted.workers <= held.min_workers:
        return wanted.workers
    if held.min_workers == 0:
        return 0 if wanted.on_demand and is_crowded else 1
    may_grow = is_answering(held, record) and not is_crowded
    return wanted.workers if may_grow else held.min_workers


def _difference(wanted: Registration, held: Served, record: RegistrationRecord) -> str | None:
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
    wanted: Registration, held: Served, record: RegistrationRecord, now: float, start_timeout_seconds: float
) -> Iterator[Action]:
    if held.ready_workers:
        if not record.is_answering:
            yield Probe(wanted)
        return
    if held.waits_for:
        if record.blocked(held.waits_for, now) > BLOCKED_SECONDS:
            yield GiveUp(wanted.serving_name, record.reason or "")
        return
    waited = record.waits(now)
    record.pids.update(worker.pid for worker in held.workers if worker.pid > 0)
    if waited > start_timeout_seconds:
        yield GiveUp(wanted.serving_name, f"no worker was ready within {start_timeout_seconds:.0f} s")
    elif len(record.pids) > STARTS_UNTIL_FAILED * held.min_workers:
        probe_fails = record.reason if record.failed_probes else None
        load_fails = "its workers end while they load the model; TorchServe's log says why"
        yield GiveUp(wanted.serving_name, probe_fails or load_fails)


@dataclass(frozen=True)
class Asked:
    """Workers that somebody asked for so many seconds ago; `is_loaded`: they are there already."""

    serving_name: str
    seconds_ago: float
    is_loaded: bool


def turns(asked: Iterable[Asked], most: int) -> Set[str]:
    """Return the names that may run: those in use first, then those asked for last.

    Demand may exceed the limit, `most`, of submitted models that have workers at once.
    """

    def rank(each: Asked) -> tuple[bool, float]:
        is_in_use = each.is_loaded and each.seconds_ago < HELD_SECONDS
        return not is_in_use, each.seconds_ago

    return {each.serving_name for each in sorted(asked, key=rank)[:most]}
