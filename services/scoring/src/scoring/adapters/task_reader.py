"""Tasks, rounds and released rows, as evaluating needs them."""

from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

from dynabench_tasks.configuration.published import read_published
from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from dynabench_tasks.values import to_text
from sqlalchemy import Connection, Engine, select

from scoring.adapters.dataset_files import DatasetFiles
from scoring.adapters.object_store import S3ObjectStore
from scoring.adapters.tables import dataset, round_, segment, task_configuration
from scoring.domain.errors import DatasetUnknown, RoundUnknown
from scoring.domain.release import key_prefix
from scoring.evaluation.items import Item

TEST = "test"


class TaskReader:
    """Reads what tasks are, and what was released of their rounds."""

    def __init__(self, engine: Engine, store: S3ObjectStore) -> None:
        self._engine = engine
        self._store = store
        self._files = DatasetFiles()

    def of_task(self, slug: str) -> TaskConfiguration:
        """Return the newest configuration of a task. Raises RoundUnknown, UnknownKind."""
        with self._engine.connect() as connection:
            return newest_configuration(connection, slug)

    def targets_of(self, round_id: UUID) -> frozenset[str]:
        """Return the names of all targets that a round has had."""
        with self._engine.connect() as connection:
            now = connection.execute(
                select(round_.c.targets).where(round_.c.round_id == round_id)
            ).scalar_one_or_none()
            before = connection.execute(select(segment.c.targets).where(segment.c.round_id == round_id))
            named = {target["name"] for row in before for target in row.targets or ()}
        return frozenset({*(now or ()), *named})

    def released_items(self, dataset_id: UUID, folder: Path) -> Iterator[Item]:
        """Yield the test split of a released dataset, or all of one without; what has no gold is left out.

        Raises DatasetUnknown, ObjectsUnavailable.
        """
        with self._engine.connect() as connection:
            digest = connection.execute(
                select(dataset.c.digest).where(dataset.c.dataset_id == dataset_id)
            ).scalar_one_or_none()
        if digest is None:
            raise DatasetUnknown
        for path in self._files.row_files():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            self._store.fetch(key_prefix(digest) + path, folder / path)
        rows = self._files.read(folder)
        has_test = any(row.split == TEST for row in rows)
        for row in rows:
            golds = row.golds or (() if row.label is None else (row.label,))
            if golds and (row.split == TEST or not has_test):
                cluster = "".join(f"{name}={to_text(row.context[name])};" for name in sorted(row.context))
                yield Item(row.example_id, row.context, row.input, golds, cluster or row.example_id, row.tags)


def newest_configuration(connection: Connection, slug: str) -> TaskConfiguration:
    """Return the newest configuration of a task. Raises RoundUnknown, UnknownKind."""
    columns = task_configuration.c
    document = connection.execute(
        select(columns.configuration)
        .where(columns.slug == slug)
        .order_by(columns.configuration_version.desc())
        .limit(1)
    ).scalar_one_or_none()
    if document is None:
        raise RoundUnknown
    return read_published(document)
