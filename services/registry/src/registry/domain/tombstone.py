"""Tombstone of a deleted submission, kept with its name, version, task, digests and dates."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID


class DeletedAs(StrEnum):
    """Role of the person who deleted a submission: its submitter, or an owner of its task."""

    SUBMITTER = "submitter"
    OWNER = "owner"


@dataclass(frozen=True)
class Tombstone:
    """Time, actor and reason of a submission's deletion.

    `was_published` makes it public, as the model was. `removed_at` is the time when its last bytes were removed from
    the object store and the agent's store; None until then.
    """

    deleted_at: datetime
    deleted_as: DeletedAs
    reason: str
    was_published: bool
    removed_at: datetime | None = None


@dataclass(frozen=True)
class Remains:
    """Possible remains of a deleted submission.

    `upload_id` is of an upload that may not have ended. `served_key` and `served_file` name the served archive, in the
    object store and in the agent's store; None if none was made.
    """

    submission_id: UUID
    archive_key: str
    upload_id: str
    serving_name: str | None
    served_key: str | None
    served_file: str | None
