"""Ports of the image handlers, as protocols; `adapters` has the real ones."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from annotation.domain.identifiers import ImageId
from annotation.domain.image import CleanPicture, Image


class ObjectMissing(Exception):
    """The object store has nothing under a key."""


@dataclass(eq=False)
class ObjectsUnavailable(Exception):
    """The object store can't do anything just now."""

    retry_after_seconds: int


class Images(Protocol):
    """Stored images, without their bytes."""

    def add(self, image: Image) -> None:
        """Store a newly announced image."""

    def get(self, image_id: ImageId) -> Image:
        """Return the image. Raises NotFound."""

    def lock(self, image_id: ImageId) -> Image:
        """Return the image, held against other completions. Raises NotFound."""

    def save(self, image: Image) -> None:
        """Store what is known of the checked picture."""

    def missing(self, image_ids: Collection[ImageId]) -> set[ImageId]:
        """Return those that name no image, or one that was not completed."""

    def discard_abandoned(self, announced_before: datetime) -> int:
        """Forget images announced earlier and never completed; return how many."""


class ObjectStore(Protocol):
    """Bytes under keys. Every method raises ObjectsUnavailable when the store does not answer."""

    def upload_address(self, key: str, media_type: str, size: int, seconds: int) -> str:
        """Return where anybody may PUT exactly `size` bytes of this type for so many seconds."""

    def read(self, key: str, most_bytes: int) -> bytes:
        """Return the bytes, cut after `most_bytes`. Raises ObjectMissing."""

    def stream(self, key: str) -> Iterator[bytes]:
        """Return the bytes piece by piece. Raises ObjectMissing."""

    def write(self, key: str, data: bytes, media_type: str) -> None:
        """Store bytes, in place of what lies there."""

    def delete(self, key: str) -> None:
        """Remove an object; one that isn't there is no error."""

    def delete_older(self, prefix: str, written_before: datetime) -> int:
        """Remove objects whose key begins so and that were written earlier; return how many."""


class PictureCleaner(Protocol):
    """Recognition of pictures among other files."""

    def clean(self, data: bytes, media_type: str) -> CleanPicture:
        """Return the picture drawn anew from its pixels, if it is one of the announced type.

        Raises InputRefused.
        """
