"""Removal of what was begun and never completed: images, with their bytes in the object store, and imports."""

import threading

from dynabench_common.clock import Clock
from dynabench_common.logging import get_logger
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from annotation.adapters import tables
from annotation.adapters.image_repository import SqlImages
from annotation.adapters.object_store import S3ObjectStore
from annotation.domain.errors import ObjectsUnavailable
from annotation.domain.image import ABANDONED_AFTER, INCOMING

log = get_logger(__name__)
INTERVAL_SECONDS = 3600


class Housekeeping:
    """A worker's component; an outage of the database or the object store only postpones it."""

    name = "housekeeping"

    def __init__(self, engine: Engine, objects: S3ObjectStore, clock: Clock) -> None:
        self._engine = engine
        self._objects = objects
        self._clock = clock

    def run(self, stop: threading.Event) -> None:
        """Clean up now and then every hour until `stop`."""
        while True:
            try:
                self.clean()
            except (SQLAlchemyError, ObjectsUnavailable) as err:
                log.warning("housekeeping_postponed", reason=repr(err))
            if stop.wait(INTERVAL_SECONDS):
                return

    def clean(self) -> None:
        """Delete announced images and started imports that nobody completed in time, and unchecked bytes."""
        before = self._clock.now() - ABANDONED_AFTER
        with self._engine.begin() as connection:
            announcements = SqlImages(connection).discard_abandoned(before)
            connection.execute(
                tables.round_.delete().where(tables.round_.c.created_at < before, tables.is_empty_draft)
            )
        objects = self._objects.delete_older(INCOMING, before)
        if announcements or objects:
            log.info("uploads_discarded", announcements=announcements, objects=objects)
