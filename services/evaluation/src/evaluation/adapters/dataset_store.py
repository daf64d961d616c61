"""Datasets that models are scored on, in PostgreSQL, and the jobs that prepare them."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any
from uuid import UUID

from dynabench_common.work.jobs import FREE, JobQueue, LeasedJob
from dynabench_common.work.locks import wait_for_lock
from sqlalchemy import Connection, Row, select
from sqlalchemy.dialects.postgresql import distinct_on

from evaluation.adapters.tables import evaluation_dataset
from evaluation.domain.errors import DatasetUnknown
from evaluation.domain.evaluations import Access, Kind, ScoredDataset

PREPARING, READY = "preparing", "ready"
FIELDS = tuple(ScoredDataset.__dataclass_fields__)


class SqlDatasets(JobQueue):
    """Datasets that models are scored on."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection, evaluation_dataset, PREPARING)

    def add(self, dataset: ScoredDataset) -> None:
        """Store a dataset that is still to be prepared."""
        self._connection.execute(evaluation_dataset.insert().values(**asdict(dataset), attempts=0))

    def get(self, dataset_id: UUID) -> ScoredDataset:
        """Return a dataset. Raises DatasetUnknown."""
        row = self._connection.execute(
            select(evaluation_dataset).where(evaluation_dataset.c.dataset_id == dataset_id)
        ).one_or_none()
        if row is None:
            raise DatasetUnknown
        return dataset_of(row)

    def newest(self, name: str) -> ScoredDataset | None:
        """Return the newest version under a name."""
        row = self._connection.execute(
            select(evaluation_dataset)
            .where(evaluation_dataset.c.name == name)
            .order_by(evaluation_dataset.c.version.desc())
            .limit(1)
        ).one_or_none()
        return None if row is None else dataset_of(row)

    def serialise_name(self, name: str) -> None:
        """Lock a name until the end of the transaction, so that its versions are added one after the other."""
        wait_for_lock(self._connection, "dataset", name)

    def ready(self) -> Sequence[ScoredDataset]:
        """Return the newest version of every dataset that can be scored on."""
        table = evaluation_dataset.c
        statement = (
            select(evaluation_dataset)
            .ext(distinct_on(table.name))
            .where(table.state == READY)
            .order_by(table.name, table.version.desc())
        )
        return [dataset_of(row) for row in self._connection.execute(statement)]

    def finish(self, held: LeasedJob, **found: Any) -> None:
        """Store what was prepared. Raises LeaseLost."""
        self.settle(held, state=READY, **found, **FREE)


def dataset_of(row: Row[Any] | Mapping[str, Any]) -> ScoredDataset:
    """Return the dataset of a row."""
    values = row if isinstance(row, Mapping) else row._mapping
    return ScoredDataset(
        **{name: values[name] for name in FIELDS if name not in ("kind", "access")},
        kind=Kind(values["kind"]),
        access=Access(values["access"]),
    )
