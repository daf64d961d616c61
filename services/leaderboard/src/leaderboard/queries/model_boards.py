"""Boards of a task's models, from the stored scores: whose models readers see, under which weights."""

import gc
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self
from uuid import UUID

import numpy as np
from dynabench_tasks.configuration.published import read_published
from sqlalchemy import Connection, Engine, Row, select

from leaderboard.adapters.model_store import DONE, PUBLISHED
from leaderboard.adapters.projection import VERSION
from leaderboard.adapters.standing_read_model import StandingReadModel
from leaderboard.adapters.tables import model_board, score, submission, task_configuration
from leaderboard.domain.board_choice import Choice
from leaderboard.domain.errors import TaskNotFound
from leaderboard.domain.model_board import ModelBoard
from leaderboard.domain.model_board import model_board as ranked_models
from leaderboard.domain.model_facts import (
    Influences,
    MetricRules,
    ModelScore,
    RankedModel,
    ScoredDataset,
    StoredScore,
    TaskScores,
    Value,
)
from leaderboard.domain.score_table import ScoreTable
from leaderboard.queries.revision_cache import RevisionCache

CACHED_TASKS = 32
MANY_SCORES = 1_000
FLOAT_BYTES = 4


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
    """Boards of models; each revision reads only the scores that changed.

    While a slow read runs, readers get the board of the previous revision, with that board's time and digest.
    """

    def __init__(self, engine: Engine, version: int = VERSION) -> None:
        self._read_model = StandingReadModel(engine, version)
        self._scores: RevisionCache[BoardTables] = RevisionCache(CACHED_TASKS, in_background=True)

    def revision(self, task_slug: str) -> UUID:
        """Return the revision of a task's board. Raises TaskNotFound."""
        found = self._read_revision(task_slug)
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
        return ranked_models(table, choice, seen)

    def _read(self, task_slug: str) -> BoardTables:
        before = self._scores.newest(task_slug)
        found = self._read_scores(task_slug, {} if before is None else before.measured.facts.stored)
        if found is None:
            raise TaskNotFound
        tables = BoardTables.of(found, before)
        if before is None and len(found.stored) >= MANY_SCORES:
            gc.freeze()  # else each full collection of garbage walks through all scores, and requests wait for it
        return tables

    def _read_revision(self, task_slug: str) -> UUID | None:
        """Return the revision of a task's board, None for an unknown task."""
        with self._read_model.connect() as connection:
            found: UUID | None = connection.execute(
                select(model_board.c.revision).where(model_board.c.task_slug == task_slug)
            ).scalar_one_or_none()
            return found

    def _read_scores(self, task_slug: str, held: Mapping[UUID, StoredScore]) -> TaskScores | None:
        """Return all data for a board of the task, None for an unknown task; scores in `held` are not read again."""
        with self._read_model.connect() as connection:
            board = connection.execute(
                select(model_board).where(model_board.c.task_slug == task_slug)
            ).one_or_none()
            rules = _rules(connection, task_slug)
            if board is None or rules is None:
                return None
            stored = _stored(connection, task_slug, held)
            submissions = connection.execute(
                select(submission).where(submission.c.task_slug == task_slug)
            ).all()
        in_time = sorted(stored.values(), key=lambda each: each.score.happened_at)
        datasets = _newest_datasets(in_time)
        models = _models(in_time, datasets, submissions)
        return TaskScores(task_slug, board.revision, board.as_of, rules, datasets, models, stored)


def _stored(
    connection: Connection, task_slug: str, held: Mapping[UUID, StoredScore]
) -> Mapping[UUID, StoredScore]:
    """Return the task's scores by evaluation; of those that are held in this version only the version is read."""
    of_task = select(score).where(score.c.task_slug == task_slug)
    versions: Mapping[UUID, int] = {}
    if held:
        named = of_task.with_only_columns(score.c.evaluation_id, score.c.version)
        versions = {row.evaluation_id: row.version for row in connection.execute(named)}
    kept = {
        name: held[name]
        for name, version in versions.items()
        if name in held and held[name].version == version
    }
    missing = [name for name in versions if name not in kept]
    if not kept or len(missing) > len(kept):
        return {row.evaluation_id: _read(row) for row in connection.execute(of_task)}
    changed = connection.execute(of_task.where(score.c.evaluation_id.in_(missing))) if missing else ()
    return {**kept, **{row.evaluation_id: _read(row) for row in changed}}


def _rules(connection: Connection, task_slug: str) -> MetricRules | None:
    document = connection.execute(
        select(task_configuration.c.configuration)
        .where(task_configuration.c.slug == task_slug, task_configuration.c.waits_for.is_(None))
        .order_by(task_configuration.c.configuration_version.desc())
        .limit(1)
    ).scalar_one_or_none()
    if document is None:
        return None
    chosen = read_published(document).metrics
    return MetricRules(chosen.primary, dict(chosen.weights), dict(chosen.prices))


def _newest_datasets(rows: Iterable[StoredScore]) -> Mapping[str, ScoredDataset]:
    found: dict[str, ScoredDataset] = {}
    for row in rows:
        dataset = row.dataset
        if dataset["name"] not in found or found[dataset["name"]].version <= dataset["version"]:
            found[dataset["name"]] = ScoredDataset(
                UUID(dataset["dataset_id"]),
                dataset["name"],
                dataset["version"],
                dataset["kind"],
                dataset["round_number"],
                dataset["access"],
                dataset["items"],
            )
    return found


def _models(
    rows: Sequence[StoredScore], datasets: Mapping[str, ScoredDataset], submissions: Iterable[Row[Any]]
) -> tuple[RankedModel, ...]:
    """Return the models in their current form: scores of other digests under the same name are outdated."""
    known = list(submissions)
    by_serving_name = {row.serving_name: row for row in known if row.serving_name}
    sent = Counter(row.submitted_by for row in known)
    newest: dict[str, StoredScore] = {}
    for row in rows:
        newest[row.model["name"]] = row
    external = {row.model["name"] for row in rows if row.model.get("external")}
    scores: dict[str, dict[str, ModelScore]] = {name: {} for name in newest}
    for row in sorted(rows, key=lambda row: row.metric_version):
        name, dataset = row.model["name"], datasets[row.dataset["name"]]
        is_now = row.model["model_digest"] == newest[name].model["model_digest"]
        if (row.model["prediction_only"] or is_now) and row.dataset["dataset_id"] == str(dataset.dataset_id):
            _keep_better(scores[name], dataset.name, row.score)
    return tuple(
        replace(
            _model(name, row, by_serving_name.get(name), scores[name], sent), is_external=name in external
        )
        for name, row in sorted(newest.items())
    )


def _keep_better(scores: dict[str, ModelScore], name: str, found: ModelScore) -> None:
    """Take what was computed by the newest metrics; a score stands until the next one is computed."""
    known = scores.get(name)
    if known is None or found.state == DONE or known.state != DONE:
        scores[name] = found


def _model(
    name: str,
    row: StoredScore,
    submitted: Row[Any] | None,
    scores: Mapping[str, ModelScore],
    sent: Mapping[UUID, int],
) -> RankedModel:
    submitter = None if row.model["submitted_by"] is None else UUID(row.model["submitted_by"])
    is_shown = submitter is None or row.model["prediction_only"]
    return RankedModel(
        name,
        row.model["model_digest"],
        submitter,
        row.model["prediction_only"],
        is_shown or (submitted is not None and submitted.state == PUBLISHED),
        bool(submitted is not None and submitted.anonymous),
        0 if submitter is None else sent.get(submitter, 0),
        scores,
        tuple(submitted.trained_on or ()) if submitted is not None else (),
    )


def _read(row: Row[Any]) -> StoredScore:
    return StoredScore(row.version, row.metric_version, row.model, row.dataset, _score(row))


def _score(row: Row[Any]) -> ModelScore:
    content = bytes(row.influences or b"")
    values: dict[str, Value] = {}
    start = 0
    for metric in row.metrics:
        end = start + metric["bytes"]
        values[metric["metric"]] = Value(
            metric["value"],
            metric["n"],
            None if metric["no_interval"] else metric["low"],
            None if metric["no_interval"] else metric["high"],
            metric["no_interval"],
            _floats(content[start:end]) if end > start else None,
        )
        start = end
    return ModelScore(
        row.evaluation_id,
        row.state,
        row.fault,
        row.reason,
        row.happened_at,
        values,
        row.failed_items or 0,
        row.constant_answer or "",
        bool(row.target_of_round),
    )


def _floats(content: bytes) -> Influences:
    return np.frombuffer(content[: len(content) // FLOAT_BYTES * FLOAT_BYTES], dtype="<f4")
