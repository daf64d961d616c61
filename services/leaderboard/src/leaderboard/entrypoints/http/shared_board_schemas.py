"""Request and response schemas of saved weights and frozen boards."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Self
from uuid import UUID

from dynabench_common.schemas import PageQuery, decode_id_cursor
from pydantic import BaseModel, Field, StringConstraints

from leaderboard.domain.board_choice import Mode
from leaderboard.domain.shared_boards import SavedView, Snapshot
from leaderboard.entrypoints.http.model_board_schemas import ChoiceInput

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=80)]


class KeptQuery(PageQuery):
    """The part of a list of what is kept."""

    def after(self) -> UUID | None:
        """Return the id after which the page begins. Raises Problem 422."""
        return None if self.cursor is None else decode_id_cursor(self.cursor)


class ViewPath(BaseModel):
    """Names saved weights."""

    view_id: UUID


class SnapshotPath(BaseModel):
    """Names a frozen board."""

    snapshot_id: UUID


class ViewInput(ChoiceInput):
    """Weights to keep under a name."""

    name: Name


class ViewAnswer(BaseModel):
    """Saved weights."""

    view_id: UUID
    task_slug: str
    name: str
    weights: dict[str, float]
    datasets: dict[str, float]
    gamma: float
    mode: Mode
    created_at: datetime
    is_mine: bool

    @classmethod
    def of(cls, view: SavedView, person_id: UUID | None) -> Self:
        """Return the answer about saved weights; who else saved them is not told."""
        return cls(
            view_id=view.view_id,
            task_slug=view.task_slug,
            name=view.name,
            weights=dict(view.choice.weights),
            datasets=dict(view.choice.datasets),
            gamma=view.choice.gamma,
            mode=view.choice.mode,
            created_at=view.created_at,
            is_mine=view.owner_id == person_id,
        )


class ViewsAnswer(BaseModel):
    """A page of saved weights, the newest first."""

    items: list[ViewAnswer]
    next_cursor: str | None


class SnapshotSummary(BaseModel):
    """A frozen board without what is on it."""

    snapshot_id: UUID
    task_slug: str
    created_at: datetime
    as_of: datetime
    sha256: str = Field(description="Of the document, in UTF-8")

    @classmethod
    def of(cls, snapshot: Snapshot) -> Self:
        """Return the answer about a frozen board."""
        return cls(**cls.said(snapshot))

    @staticmethod
    def said(snapshot: Snapshot) -> Mapping[str, Any]:
        """Return what is told of every frozen board."""
        return {
            "snapshot_id": snapshot.snapshot_id,
            "task_slug": snapshot.task_slug,
            "created_at": snapshot.created_at,
            "as_of": snapshot.as_of,
            "sha256": snapshot.sha256,
        }


class SnapshotAnswer(SnapshotSummary):
    """A frozen board whole."""

    board: dict[str, Any] = Field(
        description="What the board answered to somebody who is not signed in, with scores=false"
    )

    @classmethod
    def of(cls, snapshot: Snapshot) -> Self:
        """Return the answer about a frozen board."""
        return cls(**cls.said(snapshot), board=json.loads(snapshot.document))


class SnapshotsAnswer(BaseModel):
    """A page of frozen boards, the newest first."""

    items: list[SnapshotSummary]
    next_cursor: str | None
