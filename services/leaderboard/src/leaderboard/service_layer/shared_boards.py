"""Keeping boards of models: one's own weights under a name, and boards that are frozen to be cited."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from dynabench_common.clock import Clock
from dynabench_common.identifiers import new_id

from leaderboard.adapters.shared_board_store import SqlSharedBoardStore
from leaderboard.domain.board_choice import Choice
from leaderboard.domain.shared_boards import (
    MOST_SNAPSHOTS,
    MOST_VIEWS,
    WITHIN,
    SavedView,
    Snapshot,
    canonical,
    digest_of,
)


class ViewNotFound(Exception):
    """There is no such set of weights."""


class SnapshotNotFound(Exception):
    """There is no such frozen board."""


class NotYours(Exception):
    """Somebody else saved it."""


class NameTaken(Exception):
    """The person has a set of this name in the task."""


class TooManyViews(Exception):
    """The person has as many sets in the task as one may have."""


class TooManySnapshots(Exception):
    """The person froze as many boards in a day as one may; `seconds` until the next."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class SharedBoards:
    """The commands and reads of what is kept."""

    def __init__(self, store: SqlSharedBoardStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    def save_view(self, task_slug: str, owner_id: UUID, name: str, choice: Choice) -> SavedView:
        """Keep a person's weights. Raises NameTaken, TooManyViews."""
        view = SavedView(new_id(), task_slug, owner_id, name, choice, self._clock.now())
        with self._store.session() as kept:
            kept.hold(owner_id)
            names = kept.views_of(owner_id, task_slug)
            if name in names:
                raise NameTaken
            if len(names) >= MOST_VIEWS:
                raise TooManyViews
            kept.add_view(view)
        return view

    def delete_view(self, view_id: UUID, person_id: UUID | None) -> None:
        """Forget weights that the person saved, with None whoever did. Raises ViewNotFound, NotYours."""
        with self._store.session() as kept:
            view = kept.view(view_id)
            if view is None:
                raise ViewNotFound
            if person_id is not None and view.owner_id != person_id:
                raise NotYours
            kept.remove_view(view_id)

    def view(self, view_id: UUID) -> SavedView:
        """Return saved weights. Raises ViewNotFound."""
        with self._store.session() as kept:
            view = kept.view(view_id)
        if view is None:
            raise ViewNotFound
        return view

    def views(self, task_slug: str, after: UUID | None, limit: int) -> Sequence[SavedView]:
        """Return a task's saved weights, the newest first."""
        with self._store.session() as kept:
            return kept.views(task_slug, after, limit)

    def freeze(self, task_slug: str, made_by: UUID, as_of: datetime, board: Mapping[str, Any]) -> Snapshot:
        """Keep a board as it is; the same content is kept once. Raises TooManySnapshots."""
        document, now = canonical(board), self._clock.now()
        sha256 = digest_of(document)
        with self._store.session() as kept:
            kept.hold(made_by)
            known = kept.same(task_slug, sha256)
            if known is not None:
                return known
            made = kept.made_since(made_by, now - WITHIN)
            if len(made) >= MOST_SNAPSHOTS:
                raise TooManySnapshots(max(1, int((made[0] + WITHIN - now).total_seconds())))
            snapshot = Snapshot(new_id(), task_slug, made_by, now, as_of, sha256, document)
            kept.add_snapshot(snapshot)
            return kept.same(task_slug, sha256) or snapshot

    def snapshot(self, snapshot_id: UUID) -> Snapshot:
        """Return a frozen board. Raises SnapshotNotFound."""
        with self._store.session() as kept:
            snapshot = kept.snapshot(snapshot_id)
        if snapshot is None:
            raise SnapshotNotFound
        return snapshot

    def snapshots(self, task_slug: str, after: UUID | None, limit: int) -> Sequence[Snapshot]:
        """Return a task's frozen boards, the newest first, without their documents."""
        with self._store.session() as kept:
            return kept.snapshots(task_slug, after, limit)
