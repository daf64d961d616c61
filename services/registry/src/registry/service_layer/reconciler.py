"""Reconciler: brings the model servers to the desired state, pass by pass.

A pass reads the desired and the actual state, runs the steps of the plan, and publishes the result. It reads a model
server again if it changed anything there. A failed pass is logged, and the next one starts from the state it finds.
"""

import threading
from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime

from dynabench_archives.model_servers import Archive, Pool, Registration, Served
from dynabench_common.telemetry.logging import get_logger

from registry.domain.catalogue import ModelRecord, Sight, model_record
from registry.domain.declarations import SCORER
from registry.domain.errors import ModelServerAway, ModelServerRefused, PoolAbsent
from registry.domain.plan import Action, Asked, Probe, plan, turns
from registry.domain.registration_records import RegistrationRecord
from registry.domain.served_model import Origin, ServedModel
from registry.domain.serving import registrations
from registry.service_layer.ports import Desired, ModelServer, States
from registry.service_layer.steps import Steps
from registry.service_layer.worker_use import WorkerUse

log = get_logger(__name__)


@dataclass(frozen=True)
class ServingLimits:
    """Seconds between passes, the longest start of a model's workers, and how many of submitted models may run.

    In the shared pool registrations with workers are counted, in that of sandboxes the sandboxes. Those that always run
    count too, but in the shared pool one place is left for those that take turns.
    """

    settled: float
    busy: float
    start_timeout: float
    most_loaded: int
    most_sandboxes: int


@dataclass(frozen=True)
class Wanted:
    """A model to serve, with its registrations at the model server."""

    model: ServedModel
    registrations: list[Registration]


class Reconciler:
    """Owns the records; one thread runs it, another may call `wake`."""

    def __init__(
        self,
        servers: Mapping[Pool, ModelServer],
        desired: Desired,
        use: WorkerUse,
        states: States,
        limits: ServingLimits,
        monotonic: Callable[[], float],
    ) -> None:
        self._servers = servers
        self._desired = desired
        self._use = use
        self._states = states
        self._limits = limits
        self._monotonic = monotonic
        self._records: dict[str, RegistrationRecord] = {}
        self._held: dict[str, Served] = {}
        self._since: dict[str, datetime | None] = {}
        self._outages: dict[Pool, str | None] = dict.fromkeys(servers)
        self._models: tuple[ModelRecord, ...] | None = None
        self._awake = threading.Event()

    def wake(self) -> None:
        """Let the next pass begin at once."""
        self._awake.set()

    def run(self, stop: threading.Event) -> None:
        """Make passes until `stop`; the current one is finished."""
        while not stop.is_set():
            try:
                settled = self.make_pass()
            except Exception as err:
                log.error("pass_failed", exc_info=err)
                settled = False
            self._awake.wait(self._limits.settled if settled else self._limits.busy)
            self._awake.clear()

    def make_pass(self) -> bool:
        """Take all steps possible now; return whether every model has reached its desired state."""
        if self._models is None:
            self._take_over()
        self._use.refresh()
        wanted = self._wanted(self._desired.models())
        self._forgive_what_was_put_anew(wanted)
        self._forget_scorers(wanted)
        held: dict[str, Served] = {}
        for pool, server in self._servers.items():
            of_pool = [
                registration
                for each in wanted
                if each.model.pool is pool
                for registration in each.registrations
            ]
            held.update(self._approach(pool, server, of_pool))
        self._held = held
        return self._publish(wanted)

    def _take_over(self) -> None:
        """Count workers that an earlier reconciler started on demand as just used."""
        for server in self._servers.values():
            with suppress(ModelServerAway, ModelServerRefused):
                held = server.served()
                self._held.update(held)
                for name, each in held.items():
                    if each.min_workers:
                        self._use.note(name)

    def _wanted(self, models: Sequence[ServedModel]) -> list[Wanted]:
        found = []
        for model in models:
            usable = model.archive if isinstance(model.archive, Archive) else None
            scorers = self._use.scorers(model.declared.serving_name) if model.pool is Pool.SANDBOXED else ()
            wanted = registrations(model.declared, usable, self._use.is_used, scorers)
            found.append(Wanted(model, wanted))
        may_run = {
            *self._turns(_sent(found, Pool.SHARED), self._limits.most_loaded, least=1),
            *self._turns(_sent(found, Pool.SANDBOXED), self._limits.most_sandboxes, least=0),
        }
        return [
            one
            if one.model.origin is Origin.FILE
            else Wanted(one.model, [_in_turn(each, may_run) for each in one.registrations])
            for one in found
        ]

    def _turns(self, sent: Sequence[Registration], most: int, least: int) -> Set[str]:
        """Return the on-demand registrations that may run in addition to those that always run."""
        always = sum(each.workers > 0 for each in sent if not each.on_demand)
        asked = [
            Asked(each.serving_name, self._use.seconds_ago(each.serving_name), self._is_loaded(each))
            for each in sent
            if each.workers and each.on_demand
        ]
        return turns(asked, max(least, most - always))

    def _forgive_what_was_put_anew(self, wanted: list[Wanted]) -> None:
        """Clear the failures of redeclared models, so that they are retried at once."""
        for each in wanted:
            since = each.model.updated_at
            if self._since.setdefault(each.model.name, since) != since:
                self._since[each.model.name] = since
                for registration in each.registrations:
                    self._records.setdefault(registration.serving_name, RegistrationRecord()).forgive()

    def _forget_scorers(self, wanted: list[Wanted]) -> None:
        names = {registration.serving_name for each in wanted for registration in each.registrations}
        self._records = {
            name: record
            for name, record in self._records.items()
            if name in names or not SCORER.fullmatch(name)
        }

    def _is_loaded(self, registration: Registration) -> bool:
        held = self._held.get(registration.serving_name)
        return held is not None and held.min_workers > 0

    def _approach(self, pool: Pool, server: ModelServer, wanted: list[Registration]) -> Mapping[str, Served]:
        for registration in wanted:
            self._records.setdefault(registration.serving_name, RegistrationRecord())
        now = self._monotonic()
        try:
            served = server.served()
            actions = plan(wanted, served, self._records, now, self._limits.start_timeout)
            steps = Steps(server, self._records, self._monotonic)
            for action in actions:
                steps.take(action)
            if _changes(actions):
                served = server.served()
        except PoolAbsent as err:
            for registration in wanted:
                if registration.workers and not self._records[registration.serving_name].pauses(now):
                    self._records[registration.serving_name].failed(str(err), now)
            return {}
        except (ModelServerAway, ModelServerRefused) as err:
            if self._outages[pool] is None:
                log.warning("model_server_away", pool=pool.value, reason=str(err))
            self._outages[pool] = f"the model server does not answer: {err}"
            for registration in wanted:
                self._records[registration.serving_name].is_answering = False
            return {}
        if self._outages[pool] is not None:
            log.info("model_server_back", pool=pool.value)
            self._outages[pool] = None
        return served

    def _publish(self, wanted: list[Wanted]) -> bool:
        now = self._monotonic()
        models = []
        for each in wanted:
            sights = [
                Sight(
                    registration,
                    self._held.get(registration.serving_name),
                    self._records.get(registration.serving_name, RegistrationRecord()),
                )
                for registration in each.registrations
            ]
            outage = self._outages.get(each.model.pool)
            models.append(model_record(each.model, sights, outage, now))
        self._tell_changes(models)
        self._models = tuple(models)
        self._states.publish(self._models, self._desired.problem())
        return all(model.is_settled for model in models)

    def _tell_changes(self, models: list[ModelRecord]) -> None:
        before = {model.name: _states(model) for model in self._models or ()}
        for model in models:
            if before.get(model.name) != _states(model):
                state, explainer = _states(model)
                log.info(
                    "model_state", model=model.name, state=state, explainer=explainer, reason=model.reason
                )


def _sent(wanted: Sequence[Wanted], pool: Pool) -> list[Registration]:
    """Return the registrations of submitted models in a pool."""
    return [
        registration
        for each in wanted
        if each.model.origin is Origin.SUBMISSION and each.model.pool is pool
        for registration in each.registrations
    ]


def _in_turn(registration: Registration, may_run: Set[str]) -> Registration:
    """Return the registration without workers if it must wait for its turn."""
    if not registration.workers or not registration.on_demand or registration.serving_name in may_run:
        return registration
    return replace(registration, workers=0, waits=True)


def _changes(actions: Sequence[Action]) -> bool:
    return any(not isinstance(action, Probe) for action in actions)


def _states(model: ModelRecord) -> tuple[str, str | None]:
    return model.state.value, model.explain.state.value if model.explain else None
