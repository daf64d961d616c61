"""Removes uploads that nobody ended, with their parts in the object store."""

import threading
from datetime import datetime
from typing import Protocol
from uuid import UUID

from dynabench_common.clock import Clock
from dynabench_common.logging import get_logger

from registry.domain.errors import WrongState
from registry.service_layer.submission_acts import SubmissionActs
from registry.service_layer.submission_limits import DRAFT_LIFE

log = get_logger(__name__)
LOOK_SECONDS = 300.0


class Drafts(Protocol):
    """Uploads that have not ended."""

    def older(self, began_before: datetime, most: int) -> list[UUID]:
        """Return those that began before a moment."""


class DraftCleaner:
    """Cancels old drafts; a worker's component."""

    name = "old uploads"

    def __init__(self, drafts: Drafts, acts: SubmissionActs, clock: Clock) -> None:
        self._drafts = drafts
        self._acts = acts
        self._clock = clock

    def run(self, stop: threading.Event) -> None:
        """Look now and then until `stop`."""
        while not stop.is_set():
            try:
                self.clean()
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
