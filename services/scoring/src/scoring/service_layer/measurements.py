"""Measurements of a released dataset, from its files, or of a round in progress, from its facts."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from dynabench_common.work.jobs import Heartbeat, LeasedJob
from dynabench_common.work.retried_jobs import Job
from dynabench_common.working_folders import working_folder

from scoring.adapters.dataset_files import DatasetFiles
from scoring.adapters.fact_reader import FactReader
from scoring.dataset.measurements import measure
from scoring.dataset.rows import ExampleRow
from scoring.domain.pseudonyms import Pseudonyms, new_key
from scoring.domain.release import key_prefix
from scoring.domain.round_facts import RoundFacts
from scoring.domain.row_maker import RowMaker
from scoring.service_layer.build_release import refusal
from scoring.service_layer.dependencies import Dependencies

STALE_AFTER = timedelta(minutes=10)


def request_measurement(round_id: UUID, requested_at: datetime | None, app: Dependencies) -> None:
    """Ask for the measurement of a round in progress anew, unless the last time is only minutes ago.

    A round under way changes with each try.
    """
    now = app.clock.now()
    if requested_at is not None and now - requested_at < STALE_AFTER:
        return
    with app.unit_of_work() as uow:
        uow.measurements.request(round_id, now)
        uow.commit()


def make_measurement(held: LeasedJob, beat: Heartbeat, app: Dependencies) -> None:
    """Make one measurement. Raises RoundUnknown, ObjectsUnavailable, LeaseLost."""
    with app.unit_of_work() as uow:
        source = uow.datasets.source_of(held.key)
    result = _of_round(held.key, app) if source is None else _of_dataset(*source, app)
    beat.show()
    with app.unit_of_work() as uow:
        uow.measurements.finish(held, result, app.clock.now())
        uow.commit()


MEASUREMENTS = Job("measurements", lambda uow: uow.measurements, make_measurement, refusal)


def _of_round(round_id: UUID, app: Dependencies) -> Mapping[str, Any]:
    with app.snapshot() as facts:
        found = facts.round(round_id)
        return measure(RowsInProgress(facts, found), found.fields(), found.newest_rules.labels)


def _of_dataset(round_id: UUID, digest: str, app: Dependencies) -> Mapping[str, Any]:
    with app.snapshot() as facts:
        found = facts.round(round_id)
    files = DatasetFiles()
    with working_folder() as folder:
        for path in files.measured_files():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            app.store.fetch(key_prefix(digest) + path, target)
        rows = files.read_measured(folder, found.fields())
        return measure(rows, found.fields(), found.newest_rules.labels)


class RowsInProgress(Iterable[ExampleRow]):
    """The present rows of a round, under pseudonyms of their own; may be iterated more than once."""

    def __init__(self, facts: FactReader, found: RoundFacts) -> None:
        self._facts = facts
        self._round_id = found.round_id
        self._maker = RowMaker(found, found.fields(), Pseudonyms(new_key()))

    def __iter__(self) -> Iterator[ExampleRow]:
        for example in self._facts.examples(self._round_id):
            row = self._maker.in_progress(example)
            if row is not None:
                yield row
