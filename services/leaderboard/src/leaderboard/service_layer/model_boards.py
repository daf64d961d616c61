"""Boards of a task's models for readers: whose models they see, under which weights."""

import gc
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol, Self
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


@dataclass(frozen=True)
class BoardTables:
    """A task's two boards as tables: models measured here, and models measured elsewhere.

    They share no model, so statements about a model change no measured score.
    """

    measured: ScoreTable
    external: ScoreTable

    @property
    def revision(self) -> UUID:
        """Return the revision that they are of."""
        return self.measured.revision

    @classmethod
    def of(cls, facts: TaskScores, before: Self | None) -> Self:
        """Return the tables; what did not change since `before` is taken from there."""
        measured, external = (
            replace(
                facts,
                models=tuple(each for each in facts.models if each.is_external == is_external),
                external_models=sum(each.is_external for each in facts.models),
            )
            for is_external in (False, True)
        )
        return cls(
            ScoreTable.of(measured, before.measured if before else None),
            ScoreTable.of(external, before.external if before else None),
        )


class ModelBoards:
    """Boards of models; of what they are made of, each revision reads what changed.

    Where that takes long, readers have the board of the revision before meanwhile: its time and digest say so.
    """

    def __init__(self, store: ModelBoardStore) -> None:
        self._store = store
        self._scores: RevisionCache[BoardTables] = RevisionCache(CACHED_TASKS, in_background=True)

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
        tables = self._scores.get(task_slug, self.revision(task_slug), lambda: self._read(task_slug))
        table = tables.external if choice.external else tables.measured
        seen = frozenset(
            model.name
            for model in table.facts.models
            if sees_all or model.is_published or (person_id is not None and model.submitted_by == person_id)
        )
        return model_board(table, choice, seen)

    def _read(self, task_slug: str) -> BoardTables:
        before = self._scores.newest(task_slug)
        found = self._store.scores(task_slug, {} if before is None else before.measured.facts.stored)
        if found is None:
            raise TaskNotFound
        tables = BoardTables.of(found, before)
        if before is None and len(found.stored) >= MANY_SCORES:
            gc.freeze()  # else each full collection of garbage walks through all scores, and requests wait for it
        return tables
