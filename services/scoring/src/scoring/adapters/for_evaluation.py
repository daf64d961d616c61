"""The link from scoring to evaluations: tasks, rounds and released rows, and the order to score a new dataset."""

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from uuid import UUID

from dynabench_common.object_store import S3ObjectStore
from dynabench_tasks.configuration.published import read_published
from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from dynabench_tasks.values import to_text
from evaluation.adapters.dataset_store import SqlDatasets
from evaluation.domain.errors import DatasetUnknown, TaskUnknown
from evaluation.domain.evaluations import Access, Kind, ScoredDataset
from evaluation.domain.items import Item
from sqlalchemy import Connection, Engine, select

from scoring.adapters.dataset_files import DatasetFiles
from scoring.adapters.fact_reader import public_at_once
from scoring.adapters.moderation_store import hidden_in
from scoring.adapters.tables import dataset, example, round_, segment, task_configuration
from scoring.domain.release import ReleasedDataset, key_prefix

TEST = "test"


class TaskReader:
    """Reads tasks, rounds and released rows for evaluations."""

    def __init__(self, engine: Engine, store: S3ObjectStore) -> None:
        self._engine = engine
        self._store = store
        self._files = DatasetFiles()

    def of_task(self, slug: str) -> TaskConfiguration:
        """Return the newest configuration of a task. Raises TaskUnknown, UnknownKind."""
        columns = task_configuration.c
        statement = (
            select(columns.configuration)
            .where(columns.slug == slug)
            .order_by(columns.configuration_version.desc())
            .limit(1)
        )
        with self._engine.connect() as connection:
            document = connection.execute(statement).scalar_one_or_none()
        if document is None:
            raise TaskUnknown
        return read_published(document)

    def targets_of(self, round_id: UUID) -> frozenset[str]:
        """Return the names of all targets that a round has had."""
        with self._engine.connect() as connection:
            now = connection.execute(
                select(round_.c.targets).where(round_.c.round_id == round_id)
            ).scalar_one_or_none()
            before = connection.execute(select(segment.c.targets).where(segment.c.round_id == round_id))
            named = {target["name"] for row in before for target in row.targets or ()}
        return frozenset({*(now or ()), *named})

    def rounds_of(self, example_ids: Collection[UUID]) -> Mapping[UUID, tuple[int, str]]:
        """Return the number of the round and the name of the task of each of these examples that is known."""
        slug = (
            select(task_configuration.c.slug)
            .where(task_configuration.c.task_id == round_.c.task_id)
            .order_by(task_configuration.c.configuration_version.desc())
            .limit(1)
            .scalar_subquery()
        )
        statement = (
            select(example.c.example_id, round_.c.number, slug.label("task_slug"))
            .join(round_, round_.c.round_id == example.c.round_id)
            .where(example.c.example_id.in_(example_ids))
        )
        with self._engine.connect() as connection:
            return {row.example_id: (row.number, row.task_slug) for row in connection.execute(statement)}

    def hidden_in(self, round_id: UUID) -> frozenset[str]:
        """Return the ids of a round's hidden examples."""
        return hidden_in(self._engine, round_id)

    def public_at_once(self, round_ids: Collection[UUID]) -> frozenset[UUID]:
        """Return those of the rounds whose errors anybody could read while they were collected."""
        with self._engine.connect() as connection:
            return public_at_once(connection, round_ids)

    def released_items(self, dataset_id: UUID, folder: Path) -> Iterator[Item]:
        """Yield the test split of a released dataset, or all of one without; rows without a gold are left out.

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


def score_models_on(released: ReleasedDataset, connection: Connection) -> None:
    """Have a released dataset prepared for evaluations, in the transaction of its release."""
    described = released.described
    number = connection.execute(
        select(round_.c.number).where(round_.c.round_id == released.round_id)
    ).scalar_one_or_none()
    SqlDatasets(connection).add(
        ScoredDataset(
            dataset_id=released.dataset_id,
            name=described.name,
            version=described.version,
            title=described.title,
            task_slug=described.task_slug,
            kind=Kind.ROUND,
            access=Access.OPEN,
            licence=described.licence,
            round_id=released.round_id,
            round_number=number,
            digest=released.digest,
            created_by=released.released_by,
            requested_at=released.released_at,
        )
    )
