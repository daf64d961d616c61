"""Proposed targets for the next round: the best models of the board that err in different ways.

Models are taken in the order of performance alone: speed and memory make no round harder. A model is skipped if its
right and wrong answers nearly always match those of a better one, since the same tries would fool it. The match is the
correlation, over the board's items, of the primary metric's influence values (0002-targets-by-their-errors.md).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from leaderboard.domain.board_choice import DIAGNOSTIC, Choice
from leaderboard.domain.model_board import ModelBoard, Row
from leaderboard.domain.model_facts import RankedModel
from leaderboard.domain.ranking.dynascore import Floats
from leaderboard.domain.ranking.utility import PERFORMANCE
from leaderboard.domain.score_table import EVERY_DIMENSION
from leaderboard.domain.training_claims import was_trained_on

MOST_ALIKE = 0.9
BY_PERFORMANCE = Choice({name: float(name == PERFORMANCE) for name in EVERY_DIMENSION})
"""The weights of the board that targets are proposed from."""
FEWEST_CLUSTERS = 10
WAITING = "waiting"


@dataclass(frozen=True)
class ProposedTarget:
    """A proposed target; `alike` is the correlation of its errors with those of the targets before it."""

    row: Row
    alike: Mapping[str, float]


@dataclass(frozen=True)
class PassedOver:
    """A model of the board that is not proposed although one of its rank could be, and why."""

    row: Row
    reason: str


@dataclass(frozen=True)
class TargetProposals:
    """Proposals in the order of the board; `waiting` are models with evaluations under way, by name."""

    board: ModelBoard
    proposed: Sequence[ProposedTarget]
    passed_over: Sequence[PassedOver]
    waiting: Sequence[str]


def target_proposals(board: ModelBoard, targets: int) -> TargetProposals:
    """Return up to `targets` models for the next round, and the models passed over before the last of them."""
    proposed: list[ProposedTarget] = []
    passed_over: list[PassedOver] = []
    for row in board.rows:
        if len(proposed) == targets or row.rank is None:
            break
        alike = {each.row.model.name: _alike(board, each.row.model, row.model) for each in proposed}
        known = {name: value for name, value in alike.items() if value is not None}
        same = [
            each.row.model.name for each in proposed if each.row.model.model_digest == row.model.model_digest
        ]
        reason = _unfit(board, row) or _too_alike(same, known)
        if reason:
            passed_over.append(PassedOver(row, reason))
        else:
            proposed.append(ProposedTarget(row, known))
    waiting = [
        row.model.name
        for row in board.rows
        if row.model.is_published and not row.model.prediction_only and _waits(row.model, board)
    ]
    return TargetProposals(board, proposed, passed_over, sorted(waiting))


def _waits(model: RankedModel, board: ModelBoard) -> bool:
    """Return whether an evaluation of it is under way; an unrequested one belongs to a model no longer served."""
    if not model.is_published or model.prediction_only:
        return False
    return any(
        each.dataset.kind != DIAGNOSTIC
        and each.dataset.name in model.scores
        and model.scores[each.dataset.name].state == WAITING
        for each in board.datasets
    )


def _unfit(board: ModelBoard, row: Row) -> str:
    model = row.model
    if model.prediction_only:
        return "only its predictions are known, so nobody can try to fool it"
    if not model.is_published:
        return "it is not published"
    if any(score.constant_answer for score in model.scores.values()):
        return "it gives one answer to nearly everything"
    learned = [
        each.dataset.name for each in board.datasets if each.share > 0 and was_trained_on(model, each.dataset)
    ]
    if learned:
        return f"it was trained on data that it is ranked by: {', '.join(learned)}"
    return ""


def _too_alike(same: Sequence[str], alike: Mapping[str, float]) -> str:
    if same:
        return f"it is the same model as {same[0]}"
    for name, value in alike.items():
        if value >= MOST_ALIKE:
            return f"it makes the same errors as {name}: their results correlate at {value:.2f}"
    return ""


def _alike(board: ModelBoard, first: RankedModel, second: RankedModel) -> float | None:
    """Return the correlation of two models' results over their common items; None if it is not meaningful."""
    metric = board.facts.rules.primary
    parts: list[tuple[Floats, Floats]] = []
    for each in board.datasets:
        found = [_influences(model, each.dataset.name, metric) for model in (first, second)]
        if (
            each.share > 0
            and found[0] is not None
            and found[1] is not None
            and len(found[0]) == len(found[1])
        ):
            parts.append((each.dataset.items * found[0], each.dataset.items * found[1]))
    if sum(len(one) for one, _ in parts) < FEWEST_CLUSTERS:
        return None
    one, other = (np.concatenate([pair[side] for pair in parts]) for side in (0, 1))
    spread = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float(one @ other) / spread if spread else None


def _influences(model: RankedModel, dataset: str, metric: str) -> Floats | None:
    score = model.scores.get(dataset)
    value = None if score is None else score.values.get(metric)
    return None if value is None or value.influences is None else value.influences.astype(np.float64)
