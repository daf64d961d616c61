"""Removes uploads that nobody ended, with their parts in the object store, and archives that nobody checks any more."""

import threading
from pathlib import Path
from uuid import UUID

from dynabench_common.clock import Clock
from dynabench_common.logging import get_logger

from registry.adapters.drafts import SqlDrafts
from registry.domain.errors import WrongState
from registry.service_layer.submission_acts import SubmissionActs
from registry.service_layer.submission_limits import DRAFT_LIFE

log = get_logger(__name__)
LOOK_SECONDS = 300.0
SUFFIXES = (".mar", ".partial")


class DraftCleaner:
    """Cancels old drafts, and sweeps the folder in which archives lie while they are checked; a worker's component.

    What lies there of a submission that is no longer checked was left by a worker that was killed.
    """

    name = "old uploads"

    def __init__(self, drafts: SqlDrafts, acts: SubmissionActs, clock: Clock, folder: Path) -> None:
        self._drafts = drafts
        self._acts = acts
        self._clock = clock
        self._folder = folder

    def run(self, stop: threading.Event) -> None:
        """Look now and then until `stop`."""
        while not stop.is_set():
            try:
                self.clean()
                self.sweep()
            except Exception as err:
                log.warning("cleaning_interrupted", reason=f"{type(err).__name__}: {err}"[:300])
            stop.wait(LOOK_SECONDS)

    def clean(self) -> int:
        """Cancel what is too old; return how many that were."""
        old = self._drafts.older(self._clock.now() - DRAFT_LIFE, 100)
        for submission_id in old:
            try:
                self._acts.cancel(submission_id)
            except WrongState:
                continue  # it was completed meanwhile
            log.info("upload_abandoned", submission_id=str(submission_id))
        return len(old)

    def sweep(self) -> int:
        """Remove archives of submissions that are no longer checked; return how many files those were."""
        found = {path: _submission_of(path) for path in self._folder.glob("*")}
        ids = {submission_id for submission_id in found.values() if submission_id is not None}
        left = ids - self._drafts.checked(ids) if ids else ids
        stale = [path for path, submission_id in found.items() if submission_id in left]
        for path in stale:
            path.unlink(missing_ok=True)
            log.info("checked_archive_removed", file=path.name)
        return len(stale)


def _submission_of(path: Path) -> UUID | None:
    """Return whose archive a file of the folder is; None if it is none."""
    if path.suffix not in SUFFIXES:
        return None
    try:
        return UUID(path.stem)
    except ValueError:
        return None
