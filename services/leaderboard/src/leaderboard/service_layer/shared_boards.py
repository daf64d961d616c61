"""Keeping boards of models: one's own weights under a name, and boards that are frozen to be cited."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from dynabench_common.identifiers import new_id

from leaderboard.domain.board_choice import Choice
from leaderboard.domain.errors import NameTaken, NotYours, TooManySnapshots, TooManyViews, ViewNotFound
from leaderboard.domain.shared_boards import (
    MOST_SNAPSHOTS,
    MOST_VIEWS,
    WITHIN,
    SavedView,
    Snapshot,
    canonical,
    digest_of,
)
from leaderboard.service_layer.dependencies import Dependencies


@dataclass(frozen=True)
class SaveView:
    """Keep a person's weights under a name."""

    task_slug: str
    owner_id: UUID
    name: str
    choice: Choice


@dataclass(frozen=True)
class FreezeBoard:
    """Keep a board as it is."""

    task_slug: str
    made_by: UUID
    as_of: datetime
    board: Mapping[str, Any]


def save_view(command: SaveView, app: Dependencies) -> SavedView:
    """Keep weights. Raises NameTaken, TooManyViews."""
    view = SavedView(
        new_id(), command.task_slug, command.owner_id, command.name, command.choice, app.clock.now()
    )
    with app.shared_boards() as kept:
        kept.lock(view.owner_id)
        names = kept.views_of(view.owner_id, view.task_slug)
        if view.name in names:
            raise NameTaken
        if len(names) >= MOST_VIEWS:
            raise TooManyViews
        kept.add_view(view)
    return view


def delete_view(view_id: UUID, person_id: UUID | None, app: Dependencies) -> None:
    """Delete saved weights of this person, or of anyone if `person_id` is None. Raises ViewNotFound, NotYours."""
    with app.shared_boards() as kept:
        view = kept.view(view_id)
        if view is None:
            raise ViewNotFound
        if person_id is not None and view.owner_id != person_id:
            raise NotYours
        kept.remove_view(view_id)


def freeze_board(command: FreezeBoard, app: Dependencies) -> Snapshot:
    """Keep a board; the same content is kept once. Raises TooManySnapshots."""
    document, now = canonical(command.board), app.clock.now()
    sha256 = digest_of(document)
    with app.shared_boards() as kept:
        kept.lock(command.made_by)
        known = kept.same(command.task_slug, sha256)
        if known is not None:
            return known
        made = kept.made_since(command.made_by, now - WITHIN)
        if len(made) >= MOST_SNAPSHOTS:
            raise TooManySnapshots(max(1, int((made[0] + WITHIN - now).total_seconds())))
        snapshot = Snapshot(
            new_id(), command.task_slug, command.made_by, now, command.as_of, sha256, document
        )
        kept.add_snapshot(snapshot)
        return kept.same(command.task_slug, sha256) or snapshot
