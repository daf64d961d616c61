"""Removal of abandoned uploads, with their parts in the object store, and of archives no longer under check."""

from datetime import timedelta
from pathlib import Path
from uuid import UUID

from dynabench_common.telemetry.logging import get_logger

from registry.adapters.drafts import SqlDrafts
from registry.domain.errors import WrongState
from registry.service_layer.dependencies import Dependencies, WorkerDependencies
from registry.service_layer.submission_acts import cancel

log = get_logger(__name__)
LOOK_SECONDS = 300.0
DRAFT_LIFE = timedelta(days=3)
"""Age at which an unfinished upload is removed."""
SUFFIXES = (".mar", ".partial")


def clean_up(app: WorkerDependencies) -> None:
    """Cancel old uploads, and sweep the folder of archives under check.

    A killed worker leaves archives of submissions there that are no longer under check.
    """
    cancel_old_uploads(app)
    sweep(app)


def cancel_old_uploads(app: Dependencies) -> int:
    """Cancel uploads that are too old; return the number of uploads found."""
    old = SqlDrafts(app.engine).older(app.clock.now() - DRAFT_LIFE, 100)
    for submission_id in old:
        try:
            cancel(submission_id, app)
        except WrongState:
            continue  # it was completed meanwhile
        log.info("upload_abandoned", submission_id=str(submission_id))
    return len(old)


def sweep(app: WorkerDependencies) -> int:
    """Remove archives of submissions that are no longer checked; return how many files those were."""
    found = {path: _submission_of(path) for path in app.folder.glob("*")}
    ids = {submission_id for submission_id in found.values() if submission_id is not None}
    left = ids - SqlDrafts(app.engine).checked(ids) if ids else ids
    stale = [path for path, submission_id in found.items() if submission_id in left]
    for path in stale:
        path.unlink(missing_ok=True)
        log.info("checked_archive_removed", file=path.name)
    return len(stale)


def _submission_of(path: Path) -> UUID | None:
    """Return the id of the submission that a file belongs to, or None if it is no archive."""
    if path.suffix not in SUFFIXES:
        return None
    try:
        return UUID(path.stem)
    except ValueError:
        return None
