"""Boards of a task's models for readers: whose models they see, under which weights."""

import gc
from collections.abc import Mapping
from typing import Protocol
from uuid import UUID

from leaderboard.domain.board_choice import Choice
from leaderboard.domain.model_board import ModelBoard, model_board
from leaderboard.domain.model_facts import StoredScore, TaskScores
from leaderboard.domain.score_table import ScoreTable
from leaderboard.service_layer.revision_cache import RevisionCache

CACHED_TASKS = 32
MANY_SCORES = 1_000


class TaskNotFound(Exception):
    """No task of this name is known."""


class ModelBoardStore(Protocol):
    """Stored scores."""

    def revision(self, task_slug: str) -> UUID | None:
        """Return the revision of a task's board, None for an unknown task."""

    def scores(self, task_slug: str, held: Mapping[UUID, StoredScore]) -> TaskScores | None:
        """Return all that a board of the task is made of, None for an unknown task; what is held is not read."""


class ModelBoards:
    """Boards of models; of what they are made of, each revision reads what changed.

    Where that takes long, readers have the board of the revision before meanwhile: its time and digest say so.
    """

    def __init__(self, store: ModelBoardStore) -> None:
        self._store = store
        self._scores: RevisionCache[ScoreTable] = RevisionCache(CACHED_TASKS, in_background=True)

    def revision(self, task_slug: str) -> UUID:
        """Return the revision of a task's board. Raises TaskNotFound."""
        found = self._store.revision(task_slug)
        if found is None:
            raise TaskNotFound
        return found

    def board(
        self, task_slug: str, choice: Choice, person_id: UUID | None, *, sees_all: bool = False
    ) -> ModelBoard:
        """Return the board as a person sees it: published models and their own. Raises TaskNotFound, NoScore."""
        table = self._scores.get(task_slug, self.revision(task_slug), lambda: self._read(task_slug))
        seen = frozenset(
            model.name
            for model in table.facts.models
            if sees_all or model.is_published or (person_id is not None and model.submitted_by == person_id)
        )
        return model_board(table, choice, seen)

    def _read(self, task_slug: str) -> ScoreTable:
        before = self._scores.newest(task_slug)
        found = self._store.scores(task_slug, {} if before is None else before.facts.stored)
        if found is None:
            raise TaskNotFound
        table = ScoreTable.of(found, before)
        if before is None and len(found.stored) >= MANY_SCORES:
            gc.freeze()  # else each full collection of garbage walks through all scores, and requests wait for it
        return table
