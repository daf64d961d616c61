"""Events about datasets. Published by scoring."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from dynabench.dataset.v1 import dataset_pb2

from dynabench_events.codec import EventRecord, event

TOPIC = "dynabench.dataset.v1"


@event(dataset_pb2.DatasetReleased, of="dataset_id", at="released_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetReleased(EventRecord):
    """A round was frozen as a dataset version whose files lie in the object store.

    `digest` is that of its manifest, which holds the digests of all files; `splits` are numbers of examples.
    """

    dataset_id: UUID
    digest: str
    name: str
    version: int
    task_id: UUID
    task_slug: str
    round_id: UUID
    splits: Mapping[str, int]
    manifest_key: str
    licence: str
    released_by: UUID
    released_at: datetime
