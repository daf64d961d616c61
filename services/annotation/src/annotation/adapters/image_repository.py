"""Images in PostgreSQL; their bytes lie in the object store."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, and_, select

from annotation.adapters import tables
from annotation.domain.errors import NotFound
from annotation.domain.identifiers import ImageId
from annotation.domain.image import Image, KeptPicture


class SqlImages:
    """Stored images, without their bytes."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, image: Image) -> None:
        """Store a newly announced image."""
        self._connection.execute(
            tables.image.insert().values(
                image_id=image.image_id,
                task_id=image.task_id,
                uploaded_by=image.uploaded_by,
                announced_type=image.announced_type,
                announced_size=image.announced_size,
                announced_at=image.announced_at,
            )
        )

    def get(self, image_id: ImageId) -> Image:
        """Return the image. Raises NotFound."""
        return self._one(select(tables.image).where(tables.image.c.image_id == image_id))

    def lock(self, image_id: ImageId) -> Image:
        """Return the image, locked against other completions. Raises NotFound."""
        return self._one(select(tables.image).where(tables.image.c.image_id == image_id).with_for_update())

    def save(self, image: Image) -> None:
        """Store what is known of the checked picture."""
        if image.kept is None:
            return
        self._connection.execute(
            tables.image.update()
            .where(tables.image.c.image_id == image.image_id)
            .values(**vars(image.kept), kept_at=image.kept_at)
        )

    def missing(self, image_ids: Collection[ImageId]) -> set[ImageId]:
        """Return the ids that name no completed image."""
        column = tables.image.c
        usable = and_(column.image_id.in_(image_ids), column.kept_at.is_not(None))
        found = self._connection.execute(select(column.image_id).where(usable)).scalars()
        return set(image_ids) - {ImageId(image_id) for image_id in found}

    def discard_abandoned(self, announced_before: datetime) -> int:
        """Forget images announced earlier and never completed; return how many."""
        column = tables.image.c
        abandoned = and_(column.announced_at < announced_before, column.kept_at.is_(None))
        return self._connection.execute(tables.image.delete().where(abandoned)).rowcount

    def _one(self, statement: Select[Any]) -> Image:
        row = self._connection.execute(statement).one_or_none()
        if row is None:
            raise NotFound("image", "image_id")
        return Image(
            image_id=row.image_id,
            task_id=row.task_id,
            uploaded_by=row.uploaded_by,
            announced_type=row.announced_type,
            announced_size=row.announced_size,
            announced_at=row.announced_at,
            kept=_kept(row),
            kept_at=row.kept_at,
        )


def _kept(row: Row[Any]) -> KeptPicture | None:
    if row.kept_at is None:
        return None
    return KeptPicture(row.digest, row.media_type, row.size, row.width, row.height)
