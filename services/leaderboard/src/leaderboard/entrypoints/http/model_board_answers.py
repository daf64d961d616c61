"""Answers about boards of models, made from what the domain ranks."""

from collections.abc import Mapping
from dataclasses import asdict
from uuid import UUID

from dynabench_api.model_boards import (
    BoardDatasetAnswer,
    DimensionAnswer,
    MetricAnswer,
    ModelBoardAnswer,
    ModelOnDatasetAnswer,
    ModelRowAnswer,
    MovingPartsAnswer,
    PassedOverAnswer,
    ProposedTargetAnswer,
    TargetProposalsAnswer,
)

from leaderboard.domain.board_choice import Dimension, WeightedDataset
from leaderboard.domain.model_board import HIDDEN, ModelBoard, Row, submitter_of
from leaderboard.domain.model_facts import ModelScore
from leaderboard.domain.moving_parts import MovingParts
from leaderboard.domain.ranking.utility import PERFORMANCE, SIGNS
from leaderboard.domain.target_proposals import ProposedTarget, TargetProposals
from leaderboard.domain.training_claims import was_trained_on

UNITS = {"throughput": "examples/s", "memory": "GiB"}
"""Units of the figures of models measured elsewhere."""
WORDS = {
    "throughput": "twice the baseline's speed",
    "latency": "half the baseline's time to an answer",
    "memory": "half the baseline's memory",
    "fairness": "1 point of fairness",
    "robustness": "1 point of robustness",
}


def model_board_answer(board: ModelBoard, person_id: UUID | None, *, scores: bool = True) -> ModelBoardAnswer:
    """Return the answer about a board; with `scores` rows have all that is known dataset by dataset."""
    return ModelBoardAnswer(
        task_slug=board.facts.task_slug,
        mode=board.choice.mode,
        external=board.choice.external,
        external_models=board.facts.external_models,
        gamma=board.choice.gamma,
        as_of=board.facts.as_of,
        digest=board.digest,
        dimensions=[dimension_answer(each, external=board.choice.external) for each in board.dimensions],
        datasets=[board_dataset_answer(each) for each in board.datasets],
        rows=[model_row_answer(row, board, person_id, scores=scores) for row in board.rows],
        problem=board.problem,
    )


def dimension_answer(found: Dimension, *, external: bool = False) -> DimensionAnswer:
    """Return the answer about a dimension, of models measured elsewhere in the units of what they state."""
    return DimensionAnswer(
        name=found.name,
        metric=found.metric,
        unit=UNITS.get(found.name, "%") if external else "× baseline" if found.name in SIGNS else "%",
        direction="lower" if SIGNS.get(found.name, 1.0) < 0 else "higher",
        weight=found.weight,
        share=found.share,
        price=found.price,
        price_in_words=_price_in_words(found),
        is_measured=found.is_measured,
        note=found.note,
    )


def _price_in_words(found: Dimension) -> str:
    if found.name == PERFORMANCE or not found.price:
        return ""
    return f"{WORDS[found.name]} is worth {found.price:g} points of {PERFORMANCE}"


def board_dataset_answer(found: WeightedDataset) -> BoardDatasetAnswer:
    """Return the answer about a dataset."""
    dataset = found.dataset
    return BoardDatasetAnswer(
        dataset_id=dataset.dataset_id,
        name=dataset.name,
        version=dataset.version,
        kind=dataset.kind,
        round_number=dataset.round_number or None,
        access=dataset.access,
        items=dataset.items,
        weight=found.weight,
        share=found.share,
        least_difference=found.least_difference,
        note=found.note,
    )


def model_row_answer(row: Row, board: ModelBoard, person_id: UUID | None, *, scores: bool) -> ModelRowAnswer:
    """Return the answer about a row; with `scores` all that is known dataset by dataset."""
    model = row.model
    table = board.table
    place = table.places[model.name]
    return ModelRowAnswer(
        model=model.name,
        model_digest=model.model_digest,
        submitted_by=submitter_of(row),
        is_anonymous=model.is_anonymous,
        is_baseline=model.is_baseline,
        is_mine=person_id is not None and model.submitted_by == person_id,
        is_published=model.is_published,
        prediction_only=model.prediction_only,
        external=model.is_external,
        submissions=0 if model.is_anonymous else model.submissions,
        rank=row.rank,
        rank_interval=row.rank_interval,
        rank_set=row.rank_set,
        tie_group=row.tie_group,
        score=row.score,
        interval=row.interval,
        z_score=row.z_score,
        n=row.n,
        values=row.values,
        target_of=table.target_of[place],
        is_constant=table.is_constant[place],
        primary=table.performance[place],
        lead=row.lead,
        best_of_gain=row.best_of_gain,
        faster=row.faster,
        widened_on=[] if row.rank is None else board.widened_on[place],
        no_interval=row.no_interval,
        datasets=_on_datasets(row, board) if scores else {},
        reason=row.reason,
    )


def _on_datasets(row: Row, board: ModelBoard) -> dict[str, ModelOnDatasetAnswer]:
    known = board.facts.datasets
    return {
        name: model_on_dataset_answer(
            found,
            is_hidden=known[name].access == HIDDEN,
            trained_on=was_trained_on(row.model, known[name]),
        )
        for name, found in sorted(row.model.scores.items())
    }


def model_on_dataset_answer(found: ModelScore, *, is_hidden: bool, trained_on: bool) -> ModelOnDatasetAnswer:
    """Return the answer about a score; of hidden datasets nothing that was answered."""
    metrics = {
        name: MetricAnswer(
            value=value.value,
            n=value.n,
            low=value.low,
            high=value.high,
            reason=value.no_interval or None,
        )
        for name, value in found.values.items()
    }
    return ModelOnDatasetAnswer(
        evaluation_id=found.evaluation_id,
        state=found.state,
        fault=found.fault,
        reason=None if is_hidden else found.reason,
        at=found.happened_at,
        metrics=metrics,
        failed_items=found.failed_items,
        constant_answer=None if is_hidden else found.constant_answer or None,
        target_of_round=found.target_of_round,
        trained_on=trained_on,
    )


def moving_parts_answer(board: ModelBoard, parts: Mapping[str, MovingParts]) -> MovingPartsAnswer:
    """Return the answer about a board."""
    counted = [(each.name, each.price) for each in board.dimensions if each.is_measured]
    return MovingPartsAnswer(
        dimensions=[{"name": name, "price": price} for name, price in counted if price is not None],
        models=[{"model": name, **asdict(each)} for name, each in parts.items()],
    )


def target_proposals_answer(found: TargetProposals) -> TargetProposalsAnswer:
    """Return the answer about proposals."""
    return TargetProposalsAnswer(
        task_slug=found.board.facts.task_slug,
        as_of=found.board.facts.as_of,
        proposed=[proposed_target_answer(each) for each in found.proposed],
        passed_over=[
            PassedOverAnswer(model=each.row.model.name, rank=each.row.rank, reason=each.reason)
            for each in found.passed_over
        ],
        waiting=found.waiting,
        scored_rounds=[
            each.dataset.round_number
            for each in found.board.datasets
            if each.dataset.round_number and each.share > 0
        ],
        problem=found.board.problem,
    )


def proposed_target_answer(found: ProposedTarget) -> ProposedTargetAnswer:
    """Return the answer about a proposed target."""
    row = found.row
    return ProposedTargetAnswer(
        model=row.model.name,
        rank=row.rank or 0,
        rank_set=row.rank_set or (),
        score=row.score or 0.0,
        interval=row.interval,
        no_interval=row.no_interval,
        n=row.n,
        is_baseline=row.model.is_baseline,
        trained_on=row.model.trained_on,
        alike=found.alike,
    )
