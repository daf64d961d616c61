"""Requests and answers about saved weights and frozen boards."""

import json
from dataclasses import asdict
from typing import Annotated
from uuid import UUID

from dynabench_api.model_boards import SnapshotAnswer, ViewAnswer
from dynabench_common.http.schemas import PageQuery, cursor_id, page_start
from pydantic import BaseModel, StringConstraints

from leaderboard.domain.shared_boards import SavedView, Snapshot
from leaderboard.entrypoints.http.model_board_schemas import ChoiceInput

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=80)]


class KeptQuery(PageQuery):
    """A page of saved weights or frozen boards."""

    def after(self) -> UUID | None:
        """Return the id after which the page begins. Raises Problem 422."""
        return page_start(self.cursor, cursor_id)


class ViewPath(BaseModel):
    """Saved weights in an address."""

    view_id: UUID


class SnapshotPath(BaseModel):
    """A frozen board in an address."""

    snapshot_id: UUID


class ViewInput(ChoiceInput):
    """Weights to save under a name."""

    name: Name


def view_answer(view: SavedView, person_id: UUID | None) -> ViewAnswer:
    """Return the answer about saved weights, without the names of others who saved them."""
    return ViewAnswer(
        view_id=view.view_id,
        task_slug=view.task_slug,
        name=view.name,
        weights=view.choice.weights,
        datasets=view.choice.datasets,
        gamma=view.choice.gamma,
        mode=view.choice.mode,
        created_at=view.created_at,
        is_mine=view.owner_id == person_id,
    )


def snapshot_answer(snapshot: Snapshot) -> SnapshotAnswer:
    """Return the answer about a frozen board."""
    return SnapshotAnswer(**asdict(snapshot), board=json.loads(snapshot.document))
