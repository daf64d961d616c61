"""Catalogue of models as plain records, rebuilt by each pass."""

from collections.abc import Sequence
from dataclasses import dataclass

from dynabench_archives.model_servers import Archive, Pool, Registration, Served

from registry.domain.declarations import Declared
from registry.domain.registration_records import RegistrationRecord, WorkersState, workers_state
from registry.domain.served_model import ServedModel

AT_REST = (WorkersState.READY, WorkersState.STOPPED)
TOO_MANY = (
    "no more submitted models can run at once; it starts when one of them has not been used for a while"
)


@dataclass(frozen=True)
class ExplainerRecord:
    """A model's explanations."""

    serving_name: str
    state: WorkersState
    reason: str | None
    start: str
    max_in_flight: int
    max_characters: int
    response_timeout_seconds: int


@dataclass(frozen=True)
class ScorerRecord:
    """A sandbox that answers one evaluation."""

    serving_name: str
    state: WorkersState
    reason: str | None
    address: str | None


@dataclass(frozen=True)
class ModelRecord:
    """A model; `scorers` is None where it has no sandbox, and so nothing to keep for itself.

    `address` is where one in a sandbox is served, `unix:/path`; None for those in the shared TorchServe. `wanted_since`
    tells which wish this is the state of: when it was last written. `is_server_away`: its model server did not answer.
    `worker_peak_bytes` is the peak resident memory of its largest worker, None where nobody can tell.
    """

    name: str
    version: str
    task: str
    task_type: str
    fields: tuple[str, ...]
    labels: tuple[str, ...]
    model_digest: str
    handler_digest: str
    state: WorkersState
    reason: str | None
    serving_name: str
    workers: int
    start: str
    idle_seconds: float
    max_in_flight: int
    max_characters: int
    response_timeout_seconds: int
    explain: ExplainerRecord | None
    address: str | None = None
    wanted_since: str | None = None
    is_server_away: bool = False
    worker_peak_bytes: int | None = None
    scorers: tuple[ScorerRecord, ...] | None = None

    @property
    def is_settled(self) -> bool:
        """Return whether its workers are ready or stopped, and no explainer or scorer is starting."""
        other_states = [each.state for each in (self.explain, *(self.scorers or ())) if each is not None]
        return self.state in AT_REST and WorkersState.STARTING not in other_states


@dataclass(frozen=True)
class Sight:
    """A registration as it was last seen."""

    wanted: Registration
    held: Served | None
    record: RegistrationRecord


@dataclass(frozen=True)
class Seen:
    """Last observation of a model by the reconciler; `state` is stopped, starting, ready or failed."""

    state: str
    reason: str | None


def model_record(model: ServedModel, sights: Sequence[Sight], outage: str | None, now: float) -> ModelRecord:
    """Return the public description of a model; `outage` is why the model server gave no answer, or None."""
    declared, archive, sight = model.declared, model.archive, sights[0]
    explainer = next((each for each in sights if each.wanted.explains), None)
    scorers = [each for each in sights[1:] if not each.wanted.explains]
    peaks = [each.held.worker_peak_bytes or 0 for each in sights if each.held and not each.wanted.explains]
    state = workers_state(sight.wanted, sight.held, sight.record, now)
    return ModelRecord(
        name=declared.name,
        version=declared.version,
        task=declared.task,
        task_type=declared.task_type,
        fields=declared.fields,
        labels=declared.labels,
        model_digest=archive.model_digest if isinstance(archive, Archive) else "",
        handler_digest=archive.handler_digest if isinstance(archive, Archive) else "",
        state=state,
        reason=why_not_ready(state, archive, sight, outage),
        serving_name=declared.serving_name,
        workers=declared.workers,
        start=declared.start.name,
        idle_seconds=declared.start.idle_seconds,
        max_in_flight=declared.max_in_flight,
        max_characters=declared.max_characters,
        response_timeout_seconds=declared.response_timeout_seconds,
        explain=None if explainer is None else _explainer_record(declared, archive, explainer, outage, now),
        address=None if sight.held is None else sight.held.address,
        wanted_since=None if model.updated_at is None else model.updated_at.isoformat(),
        is_server_away=outage is not None,
        worker_peak_bytes=max(peaks, default=0) or None,
        scorers=None
        if model.pool is Pool.SHARED
        else tuple(_scorer_record(archive, each, outage, now) for each in scorers),
    )


def _scorer_record(archive: Archive | str, sight: Sight, outage: str | None, now: float) -> ScorerRecord:
    state = workers_state(sight.wanted, sight.held, sight.record, now)
    address = None if sight.held is None else sight.held.address
    return ScorerRecord(
        sight.wanted.serving_name, state, why_not_ready(state, archive, sight, outage), address
    )


def _explainer_record(
    declared: Declared, archive: Archive | str, sight: Sight, outage: str | None, now: float
) -> ExplainerRecord | None:
    explain = declared.explain
    if explain is None:
        return None
    state = workers_state(sight.wanted, sight.held, sight.record, now)
    return ExplainerRecord(
        serving_name=declared.explain_name,
        state=state,
        reason=why_not_ready(state, archive, sight, outage),
        start=explain.start.name,
        max_in_flight=explain.max_in_flight,
        max_characters=explain.max_characters,
        response_timeout_seconds=explain.response_timeout_seconds,
    )


def why_not_ready(
    state: WorkersState, archive: Archive | str, sight: Sight, outage: str | None
) -> str | None:
    """Return why workers that should answer do not, None where they do, or rest."""
    if state in AT_REST:
        return None
    if isinstance(archive, str):
        return archive
    return outage or sight.record.reason or (TOO_MANY if sight.wanted.waits else None)
