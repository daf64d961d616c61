"""A model server in memory, what should be served, and a reconciler between them, for its tests."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from dynabench_archives.model_servers import Archive, Pool, Registration, Served, Worker
from registry.domain.catalogue import ModelRecord
from registry.domain.declarations import read_declarations
from registry.domain.errors import ArchiveOnItsWay, ModelServerAway, ModelServerRefused, PoolAbsent
from registry.domain.served_model import Origin, ServedModel
from registry.service_layer.ports import ModelServer
from registry.service_layer.reconciler import Reconciler, ServingLimits
from registry.service_layer.worker_use import WorkerUse

ENTRY = {
    "name": "mini",
    "version": "1",
    "archive": "mini.mar",
    "task": "sentiment",
    "task_type": "text-classification",
    "labels": ["no", "yes"],
    "explain": {"idle_seconds": 60},
}
ARCHIVE = Archive("mini.mar", "aa", "sha256:m", "sha256:h")


class Time:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class ServerInMemory:
    """Workers are ready one pass after they were asked for."""

    def __init__(self) -> None:
        self.held: dict[str, Served] = {}
        self.digests = ARCHIVE.digests
        self.is_away = False
        self.breaks_at: str | None = None
        self.calls: list[str] = []
        self.probed: list[dict[str, str]] = []
        self._pids = iter(range(100, 10_000))

    def served(self) -> Mapping[str, Served]:
        if self.is_away:
            raise ModelServerAway("refused")
        return dict(self.held)

    def let_workers_start(self) -> None:
        for name, held in self.held.items():
            status = "UNLOADING" if self.breaks_at == "load" else "READY"
            workers = tuple(Worker(next(self._pids), status) for _ in range(held.min_workers))
            self.held[name] = replace(held, workers=workers)

    def register(self, registration: Registration) -> None:
        self.calls.append(f"register {registration.serving_name}")
        if self.breaks_at == "fetch":
            raise ArchiveOnItsWay("its archive is being fetched: 1 of 3 MB")
        if self.breaks_at == "register":
            raise ModelServerRefused("status 404: Model not found")
        assert registration.archive is not None
        self.held[registration.serving_name] = Served(
            registration.serving_name,
            registration.archive.file,
            registration.batch_size,
            registration.max_batch_delay_milliseconds,
            registration.response_timeout_seconds,
            registration.workers,
            (),
        )

    def unregister(self, serving_name: str) -> None:
        self.calls.append(f"unregister {serving_name}")
        del self.held[serving_name]

    def scale(self, serving_name: str, workers: int) -> None:
        self.calls.append(f"scale {serving_name} {workers}")
        self.held[serving_name] = replace(self.held[serving_name], min_workers=workers, workers=())

    def probe(self, registration: Registration) -> tuple[str, str]:
        self.probed.append(registration.sample_instance())
        if self.breaks_at == "probe":
            raise ModelServerRefused("status 503: Prediction failed")
        return self.digests


class AbsentServer(ServerInMemory):
    """A pool that this machine does not have."""

    def served(self) -> Mapping[str, Served]:
        raise PoolAbsent("there is no pool sandboxed here: no cgroups")


class WrittenDown:
    """Desired models, of the file or submitted."""

    def __init__(self, entries: Sequence[Mapping[str, object]]) -> None:
        self.declared = read_declarations({"models": [dict(entry) for entry in entries]})
        self.found: Archive | str = ARCHIVE
        self.origin = Origin.FILE
        self.pool = Pool.SHARED

    def models(self) -> tuple[ServedModel, ...]:
        return tuple(ServedModel(each, self.found, self.origin, self.pool) for each in self.declared)

    def problem(self) -> str | None:
        return None


class Told:
    """The models that were published last."""

    models: Sequence[ModelRecord] = ()

    def publish(self, models: Sequence[ModelRecord], problem: str | None) -> None:
        assert problem is None
        self.models = models


class World:
    """A reconciler and everything around it."""

    def __init__(self, *entries: Mapping[str, object]) -> None:
        self.time = Time()
        self.server = ServerInMemory()
        self.servers: dict[Pool, ModelServer] = {Pool.SHARED: self.server, Pool.SANDBOXED: AbsentServer()}
        self.written = WrittenDown(entries or [ENTRY])
        self.told = Told()
        self.restart_registry()

    def restart_registry(self) -> None:
        self.use = WorkerUse(self.time)
        limits = ServingLimits(settled=2.0, busy=1.0, start_timeout=120.0, most_loaded=2, most_sandboxes=1)
        self.reconciler = Reconciler(self.servers, self.written, self.use, self.told, limits, self.time)

    def passes(self, number: int) -> ModelRecord:
        for _ in range(number):
            self.reconciler.make_pass()
            self.server.let_workers_start()
            self.time.now += 1
        return self.model

    @property
    def model(self) -> ModelRecord:
        return self.told.models[0]

    def states(self) -> dict[str, str]:
        return {model.name: model.state for model in self.told.models}
