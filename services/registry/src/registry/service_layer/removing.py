"""Removes the bytes of deleted submissions from the object store and from the store of the agent.

A deletion is a row first. What is removed of it is asked for again until all of it is gone: while the object store or
the agent is away, while the model is still unloaded, and after a worker that ended in between.
"""

import threading

from dynabench_common.clock import Clock
from dynabench_common.logging import get_logger

from registry.adapters.archive_objects import ArchiveObjects
from registry.adapters.tombstones import SqlGraveyard
from registry.domain.building import BuildState
from registry.domain.errors import AgentAway, ObjectsUnavailable
from registry.domain.tombstone import Remains
from registry.service_layer.ports import Builder

log = get_logger(__name__)
LOOK_SECONDS = 5.0
MOST_AT_ONCE = 100
NOTE_SUFFIX = ".json"


class Remover:
    """Removes what is left of deleted submissions; a worker's component."""

    name = "deleted submissions"

    def __init__(
        self, graveyard: SqlGraveyard, objects: ArchiveObjects, built: Builder, clock: Clock
    ) -> None:
        self._graveyard = graveyard
        self._objects = objects
        self._built = built
        self._clock = clock

    def run(self, stop: threading.Event) -> None:
        """Look now and then until `stop`."""
        while not stop.is_set():
            try:
                self.turn()
            except Exception as err:
                log.warning("removal_interrupted", reason=f"{type(err).__name__}: {err}"[:300])
            stop.wait(LOOK_SECONDS)

    def turn(self) -> int:
        """Remove what can be removed now; return of how many submissions nothing is left."""
        gone = 0
        for remains in self._graveyard.remains(MOST_AT_ONCE):
            try:
                self._remove(remains)
            except (ObjectsUnavailable, AgentAway) as err:
                log.info("removal_waits", submission_id=str(remains.submission_id), reason=str(err)[:300])
                continue
            self._graveyard.end(remains.submission_id, self._clock.now())
            log.info("submission_removed", submission_id=str(remains.submission_id))
            gone += 1
        return gone

    def _remove(self, remains: Remains) -> None:
        """Remove all of it. Raises ObjectsUnavailable, AgentAway."""
        self._objects.abandon(remains.archive_key, remains.upload_id)
        served = {remains.served_file: remains.served_key}
        build = self._built.status(remains.submission_id)
        if build is not None and build.state is BuildState.RUNNING:
            raise AgentAway("its archive is being built")
        if build is not None and build.archive is not None:
            served[build.archive.file] = build.archive.key
        own = {
            file: key
            for file, key in served.items()
            if file is not None and not self._graveyard.is_used(file, remains.submission_id)
        }
        self._built.remove(remains.submission_id, sorted(own), remains.serving_name)
        for key in own.values():
            if key is not None and key != remains.archive_key:
                self._objects.abandon(key, "")
                self._objects.abandon(key + NOTE_SUFFIX, "")
