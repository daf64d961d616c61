"""The loop that keeps TorchServe holding what is declared.

A pass reads both sides, makes the steps of the plan, reads TorchServe again if anything was changed, and publishes
what it saw. It survives anything: a pass that fails is logged, and the next one starts from what it then finds.
"""

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from dynabench_common.logging import get_logger

from registry.domain.declarations import Declared
from registry.domain.plan import Action, GiveUp, Probe, Register, Scale, Unregister, plan
from registry.domain.records import PROBES_UNTIL_FAILED, Record
from registry.domain.serving import Archive, Registration, Served, registrations
from registry.service_layer.catalogue import ModelRecord, Sight, model_record
from registry.service_layer.ports import Declarations, ModelServer, ModelServerAway, ModelServerRefused
from registry.service_layer.worker_use import WorkerUse

log = get_logger(__name__)


@dataclass(frozen=True)
class Pauses:
    """Seconds between passes, and the longest start of a model's workers."""

    settled: float
    busy: float
    start_timeout: float


@dataclass(frozen=True)
class Wanted:
    """A declared model with its archive, or with why it has none, and what TorchServe should hold for it."""

    declared: Declared
    archive: Archive | str
    registrations: list[Registration]


class Reconciler:
    """Owns the records; one thread runs it, others read `models` and call `wake`."""

    def __init__(
        self,
        server: ModelServer,
        declarations: Declarations,
        use: WorkerUse,
        pauses: Pauses,
        monotonic: Callable[[], float],
    ) -> None:
        self._server = server
        self._declarations = declarations
        self._use = use
        self._pauses = pauses
        self._monotonic = monotonic
        self._records: dict[str, Record] = {}
        self._models: tuple[ModelRecord, ...] | None = None
        self._outage: str | None = None
        self._awake = threading.Event()

    @property
    def models(self) -> tuple[ModelRecord, ...] | None:
        """Return what the last pass saw; None before the first one."""
        return self._models

    @property
    def problem(self) -> str | None:
        """Return what is wrong with the models file, if anything is."""
        return self._declarations.problem()

    def wake(self) -> None:
        """Let the next pass begin at once."""
        self._awake.set()

    def run(self, stop: threading.Event) -> None:
        """Make passes until told to stop."""
        while not stop.is_set():
            try:
                settled = self.make_pass()
            except Exception as err:
                log.error("pass_failed", exc_info=err)
                settled = False
            self._awake.wait(self._pauses.settled if settled else self._pauses.busy)
            self._awake.clear()

    def make_pass(self) -> bool:
        """Go as far as can be gone now; tell whether everything is as it should be."""
        if self._models is None:
            self._take_over()
        wanted = [self._wanted(declared) for declared in self._declarations.models()]
        try:
            served = self._approach(wanted)
        except (ModelServerAway, ModelServerRefused) as err:
            if self._outage is None:
                log.warning("model_server_away", reason=str(err))
            self._outage = f"the model server does not answer: {err}"
            served = {}
            for record in self._records.values():
                record.is_answering = False
        else:
            if self._outage is not None:
                log.info("model_server_back")
            self._outage = None
        return self._publish(wanted, served)

    def _take_over(self) -> None:
        """Count workers that an earlier registry process started on demand as just used."""
        with suppress(ModelServerAway, ModelServerRefused):
            for name, held in self._server.served().items():
                if held.min_workers:
                    self._use.note(name)

    def _wanted(self, declared: Declared) -> Wanted:
        archive = self._declarations.archive(declared)
        usable = archive if isinstance(archive, Archive) else None
        return Wanted(declared, archive, registrations(declared, usable, self._use.is_used))

    def _approach(self, wanted: list[Wanted]) -> Mapping[str, Served]:
        everything = [registration for each in wanted for registration in each.registrations]
        for registration in everything:
            self._records.setdefault(registration.serving_name, Record())
        served = self._server.served()
        actions = plan(everything, served, self._records, self._monotonic(), self._pauses.start_timeout)
        for action in actions:
            self._take(action)
        changes = any(not isinstance(action, Probe) for action in actions)
        return self._server.served() if changes else served

    def _take(self, action: Action) -> None:
        try:
            match action:
                case Register(wanted):
                    self._register(wanted)
                case Unregister(name, why):
                    log.info("model_unregistered", serving_name=name, why=why)
                    self._server.unregister(name)
                case Scale(name, workers):
                    log.info("model_scaled", serving_name=name, workers=workers)
                    self._server.scale(name, workers)
                case Probe(wanted):
                    self._probe(wanted)
                case GiveUp(name, why):
                    self._fail(name, why)
                    self._server.unregister(name)
        except ModelServerRefused as err:
            log.warning("model_server_refused", action=type(action).__name__, reason=str(err))

    def _register(self, wanted: Registration) -> None:
        if wanted.archive is None:
            return
        log.info("model_registered", serving_name=wanted.serving_name, archive=wanted.archive.file)
        try:
            self._server.register(wanted)
        except ModelServerRefused as err:
            self._fail(wanted.serving_name, str(err))
        else:
            self._records[wanted.serving_name].began(wanted.archive.sha256, self._monotonic())

    def _probe(self, wanted: Registration) -> None:
        record = self._records[wanted.serving_name]
        archive = wanted.archive
        if archive is None:
            return
        try:
            digests = self._server.probe(wanted)
        except ModelServerRefused as err:
            record.failed_probes += 1
            record.reason = f"its workers run, but a probe fails: {err}"
            if record.failed_probes >= PROBES_UNTIL_FAILED:
                self._fail(wanted.serving_name, record.reason)
            return
        if digests == archive.digests:
            record.sha256 = archive.sha256
            record.answered()
            log.info("model_answers", serving_name=wanted.serving_name)
        elif record.sha256 is None:
            record.sha256 = "of an earlier archive"
        else:
            self._fail(wanted.serving_name, f"it answers as {digests}, but its note says {archive.digests}")

    def _fail(self, name: str, reason: str) -> None:
        log.error("model_failed", serving_name=name, reason=reason)
        self._records[name].failed(reason, self._monotonic())

    def _publish(self, wanted: list[Wanted], served: Mapping[str, Served]) -> bool:
        now = self._monotonic()
        models = []
        for each in wanted:
            sights = [
                Sight(
                    registration,
                    served.get(registration.serving_name),
                    self._records.get(registration.serving_name, Record()),
                )
                for registration in each.registrations
            ]
            explainer = sights[1] if len(sights) > 1 else None
            models.append(model_record(each.declared, each.archive, sights[0], explainer, self._outage, now))
        self._tell_changes(models)
        self._models = tuple(models)
        return all(model.is_settled for model in models)

    def _tell_changes(self, models: list[ModelRecord]) -> None:
        before = {model.name: _states(model) for model in self._models or ()}
        for model in models:
            if before.get(model.name) != _states(model):
                state, explainer = _states(model)
                log.info(
                    "model_state", model=model.name, state=state, explainer=explainer, reason=model.reason
                )


def _states(model: ModelRecord) -> tuple[str, str | None]:
    return model.state.value, model.explain.state.value if model.explain else None
