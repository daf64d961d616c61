"""Released datasets in PostgreSQL, with their events."""

from collections.abc import Callable, Iterable
from dataclasses import asdict
from typing import Any
from uuid import UUID

from dynabench_common.events.audit import Action, action_taken
from dynabench_common.events.outbox import OutboxMessage, outbox_message
from dynabench_events import Versioned
from dynabench_events.dataset import DatasetReleased
from sqlalchemy import Connection, select

from scoring.adapters.tables import dataset
from scoring.dataset.description import MANIFEST, Dataset
from scoring.domain.release import ReleasedDataset, key_prefix

Record = Callable[[Iterable[OutboxMessage]], None]
IN_COLUMNS = frozenset({"name", "version", "licence", "description", "files", "fields", "as_of"})


class SqlDatasets:
    """Released datasets."""

    def __init__(self, connection: Connection, record: Record) -> None:
        self._connection = connection
        self._record = record

    def add(self, released: ReleasedDataset) -> None:
        """Store a dataset and publish its event."""
        described = released.described
        self._connection.execute(
            dataset.insert().values(
                dataset_id=released.dataset_id,
                digest=released.digest,
                name=described.name,
                version=described.version,
                task_id=released.task_id,
                task_slug=described.task_slug,
                round_id=released.round_id,
                title=described.title,
                licence=described.licence,
                description=described.description,
                citation=described.citation,
                described=_described(described),
                files=[asdict(file) for file in released.files],
                card=released.card,
                croissant=dict(released.croissant),
                manifest_key=key_prefix(released.digest) + MANIFEST,
                released_by=released.released_by,
                released_at=released.released_at,
            )
        )
        self._record([_released(released), _audited(released)])

    def source_of(self, dataset_id: UUID) -> tuple[UUID, str] | None:
        """Return the round and the digest of a dataset, None if the id is no dataset's."""
        row = self._connection.execute(
            select(dataset.c.round_id, dataset.c.digest).where(dataset.c.dataset_id == dataset_id)
        ).one_or_none()
        return None if row is None else (row.round_id, row.digest)


def _described(described: Dataset) -> dict[str, Any]:
    """Return the part of the description that has no columns."""
    rest = {name: value for name, value in asdict(described).items() if name not in IN_COLUMNS}
    return {**rest, "as_of": described.as_of.isoformat(), "fields": asdict(described.fields)}


def _released(released: ReleasedDataset) -> OutboxMessage:
    described = released.described
    event = DatasetReleased(
        dataset_id=released.dataset_id,
        digest=released.digest,
        name=described.name,
        version=described.version,
        task_id=released.task_id,
        task_slug=described.task_slug,
        round_id=released.round_id,
        splits={split: size.examples for split, size in described.splits.items()},
        manifest_key=key_prefix(released.digest) + MANIFEST,
        licence=described.licence,
        released_by=released.released_by,
        released_at=released.released_at,
    )
    return outbox_message(Versioned(1, event))


def _audited(released: ReleasedDataset) -> OutboxMessage:
    described = released.described
    action = Action(
        "round.released",
        released.released_by,
        "round",
        released.round_id,
        task_slug=described.task_slug,
        round_id=released.round_id,
        details={
            "dataset_id": str(released.dataset_id),
            "digest": released.digest,
            "licence": described.licence,
            "examples": str(sum(size.examples for size in described.splits.values())),
        },
    )
    return action_taken(action, released.released_at)
