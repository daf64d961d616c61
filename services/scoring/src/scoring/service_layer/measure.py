"""Measure a released dataset, from its files, or a round in progress, from its facts."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from uuid import UUID

from dynabench_common.clock import Clock
from dynabench_common.working_folders import working_folder

from scoring.adapters.dataset_files import DatasetFiles
from scoring.adapters.fact_reader import FactReader
from scoring.adapters.measurement_store import SqlMeasurements
from scoring.adapters.unit_of_work import MakeUnitOfWork, OpenSnapshot, ScoringUnitOfWork
from scoring.adapters.work_queue import Held
from scoring.dataset.measurements import measure
from scoring.dataset.rows import ExampleRow
from scoring.domain.pseudonyms import Pseudonyms, new_key
from scoring.domain.release import key_prefix
from scoring.domain.round_facts import RoundFacts
from scoring.domain.row_maker import RowMaker
from scoring.service_layer.heartbeat import Heartbeat
from scoring.service_layer.jobs import LEASE_SECONDS, JobRunner
from scoring.service_layer.ports import ObjectStore


class Measurer(JobRunner):
    """Makes the measurements that were asked for."""

    name = "measurements"

    def __init__(
        self,
        make_uow: MakeUnitOfWork,
        open_snapshot: OpenSnapshot,
        store: ObjectStore,
        files: DatasetFiles,
        clock: Clock,
        lease_seconds: float = LEASE_SECONDS,
    ) -> None:
        super().__init__(make_uow, clock, lease_seconds)
        self._open_snapshot = open_snapshot
        self._store = store
        self._files = files

    def jobs(self, uow: ScoringUnitOfWork) -> SqlMeasurements:
        """Return the queue of measurements."""
        return uow.measurements

    def work(self, held: Held, beat: Heartbeat) -> None:
        """Make one measurement. Raises RoundUnknown, ObjectsUnavailable, LeaseLost."""
        with self._make_uow() as uow:
            source = uow.datasets.source_of(held.key)
        result = self._of_round(held.key) if source is None else self._of_dataset(*source)
        beat.show()
        with self._make_uow() as uow:
            uow.measurements.finish(held, result, self._clock.now())
            uow.commit()

    def _of_round(self, round_id: UUID) -> Mapping[str, Any]:
        with self._open_snapshot() as facts:
            found = facts.round(round_id)
            return measure(RowsInProgress(facts, found), found.fields(), found.newest_rules.labels)

    def _of_dataset(self, round_id: UUID, digest: str) -> Mapping[str, Any]:
        with self._open_snapshot() as facts:
            found = facts.round(round_id)
        with working_folder() as folder:
            for path in self._files.measured_files():
                target = folder / path
                target.parent.mkdir(parents=True, exist_ok=True)
                self._store.fetch(key_prefix(digest) + path, target)
            rows = self._files.read_measured(folder, found.fields())
            return measure(rows, found.fields(), found.newest_rules.labels)


class RowsInProgress(Iterable[ExampleRow]):
    """The rows of a round as it stands, under pseudonyms of their own; may be iterated more than once."""

    def __init__(self, facts: FactReader, found: RoundFacts) -> None:
        self._facts = facts
        self._round_id = found.round_id
        self._maker = RowMaker(found, found.fields(), Pseudonyms(new_key()))

    def __iter__(self) -> Iterator[ExampleRow]:
        for example in self._facts.examples(self._round_id):
            row = self._maker.in_progress(example)
            if row is not None:
                yield row
