"""A picture: announced, sent straight to the object store, checked, and stored under the digest of its bytes.

The uploaded file itself is never shown: it lies under `incoming/`. The stored picture is drawn anew from its pixels. So
a file that is also a page or a script loses that. It also loses all metadata about camera and place.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Self
from uuid import UUID

from dynabench_tasks.fields import InputRefused
from dynabench_tasks.values import Value

from annotation.domain.identifiers import ImageId, PersonId, TaskId

MEDIA_TYPES = ("image/jpeg", "image/png", "image/webp", "image/gif")
MOST_BYTES = 10_000_000
MOST_PIXELS = 25_000_000
UPLOAD_SECONDS = 300
ABANDONED_AFTER = timedelta(days=1)
INCOMING = "incoming/"


@dataclass(frozen=True)
class CleanPicture:
    """A picture drawn anew: nothing but its pixels, upright."""

    data: bytes
    media_type: str
    width: int
    height: int


@dataclass(frozen=True)
class KeptPicture:
    """Properties of a checked picture; `size` counts bytes, `digest` is their SHA-256 in hexadecimal."""

    digest: str
    media_type: str
    size: int
    width: int
    height: int

    @classmethod
    def of(cls, clean: CleanPicture) -> Self:
        """Return what is known of a clean picture."""
        digest = hashlib.sha256(clean.data).hexdigest()
        return cls(digest, clean.media_type, len(clean.data), clean.width, clean.height)

    @property
    def key(self) -> str:
        """Return where its bytes lie in the object store; equal pictures lie there once."""
        return f"images/{self.digest}"


@dataclass(kw_only=True)
class Image:
    """An image by its id; without `kept` it waits for its bytes. `announced_size` counts bytes."""

    image_id: ImageId
    task_id: TaskId
    uploaded_by: PersonId
    announced_type: str
    announced_size: int
    announced_at: datetime
    kept: KeptPicture | None = None
    kept_at: datetime | None = None

    @property
    def incoming_key(self) -> str:
        """Return where its bytes arrive in the object store."""
        return f"{INCOMING}{self.image_id}"

    def keep(self, kept: KeptPicture, now: datetime) -> None:
        """Take in the checked picture; a second one changes nothing, so that an id always shows the same."""
        if self.kept is None:
            self.kept, self.kept_at = kept, now


def check_announcement(media_type: str, size: int) -> None:
    """Raise InputRefused unless a file of this type and of `size` bytes may be sent."""
    if media_type not in MEDIA_TYPES:
        remedy = "Save the image as JPEG, PNG, WebP or GIF."
        raise InputRefused("media_type", f"is {media_type!r}, which is not taken", remedy)
    if not 0 < size <= MOST_BYTES:
        remedy = f"Send a file of at most {MOST_BYTES:,} bytes: scale the image down."
        raise InputRefused("bytes", f"is {size:,}", remedy)


def image_id_of(value: Value) -> ImageId:
    """Return the id that the checked value of an image field names."""
    if not isinstance(value, Mapping):
        raise TypeError("this is no value of an image field")
    return ImageId(UUID(value["image_id"]))
