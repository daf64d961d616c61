"""Removal of deleted submissions' bytes from the object store and from the store of the agent.

A deletion starts as a row. The worker retries the removal until no bytes remain. It retries during an outage of the
object store or the agent, while the model is still loaded, and after its own crash.
"""

from dynabench_archives.model_servers import BuildState
from dynabench_common.object_store import ObjectsUnavailable
from dynabench_common.telemetry.logging import get_logger

from registry.adapters.tombstones import SqlGraveyard
from registry.domain.errors import AgentAway
from registry.domain.tombstone import Remains
from registry.service_layer.dependencies import WorkerDependencies

log = get_logger(__name__)
LOOK_SECONDS = 5.0
MOST_AT_ONCE = 100
NOTE_SUFFIX = ".json"


def remove_deleted(app: WorkerDependencies) -> int:
    """Remove what can be removed now; return of how many submissions nothing is left."""
    graveyard, gone = SqlGraveyard(app.engine), 0
    for remains in graveyard.remains(MOST_AT_ONCE):
        try:
            _remove(remains, app)
        except (ObjectsUnavailable, AgentAway) as err:
            log.info("removal_waits", submission_id=str(remains.submission_id), reason=str(err)[:300])
            continue
        graveyard.end(remains.submission_id, app.clock.now())
        log.info("submission_removed", submission_id=str(remains.submission_id))
        gone += 1
    return gone


def _remove(remains: Remains, app: WorkerDependencies) -> None:
    """Remove all of it. Raises ObjectsUnavailable, AgentAway."""
    app.objects.abandon(remains.archive_key, remains.upload_id)
    served = {remains.served_file: remains.served_key}
    build = app.builder.status(remains.submission_id)
    if build is not None and build.state is BuildState.RUNNING:
        raise AgentAway("its archive is being built")
    if build is not None and build.archive is not None:
        served[build.archive.file] = build.archive.key
    own = {
        file: key
        for file, key in served.items()
        if file is not None and not SqlGraveyard(app.engine).is_used(file, remains.submission_id)
    }
    app.builder.remove(remains.submission_id, sorted(own), remains.serving_name)
    for key in own.values():
        if key is not None and key != remains.archive_key:
            app.objects.abandon(key, "")
            app.objects.abandon(key + NOTE_SUFFIX, "")
