"""Bodies, paths and answers about evaluations."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from dynabench_api.evaluations import (
    EvaluationAnswer,
    ExternalAnswer,
    FigureAnswer,
    LeakAnswer,
    LeaksAnswer,
    LineAnswer,
    LinesAnswer,
    ScoredDatasetAnswer,
    SliceAnswer,
    SuiteTestAnswer,
    ValueAnswer,
)
from dynabench_common.http.problems import Problem
from dynabench_common.http.schemas import Input, PageQuery, Text, decode_id_cursor
from pydantic import BaseModel, Field
from sqlalchemy import Row

from scoring.domain.evaluation import FIGURE_UNITS, Access, EvaluationState
from scoring.domain.release import DEFAULT_LICENCE
from scoring.queries.evaluations import Leaks, Outlook

NAME = "Small letters, digits and hyphens, at most 80"


class TaskPath(BaseModel):
    """A task in an address."""

    slug: Text = Field(max_length=100)


class EvaluationPath(BaseModel):
    """An evaluation in an address."""

    evaluation_id: UUID


class NewDatasetQuery(Input):
    """The description of a file of items."""

    name: str = Field(default="", max_length=100, description=NAME)
    title: str = Field(default="", max_length=200)
    access: Access = Field(
        default=Access.OPEN,
        description="open: everybody sees everything. scoring: only owners see items. hidden: everybody sees only "
        "scores",
    )
    licence: Text = Field(
        default=DEFAULT_LICENCE, max_length=100, description="SPDX identifier, or other words"
    )


class ScoredDatasetsQuery(PageQuery):
    """Filters of datasets."""

    task: Text | None = Field(
        default=None, max_length=100, description="Slug of a task; all tasks if left out"
    )

    def before(self) -> UUID | None:
        """Return the id that the page starts below. Raises Problem 422 for a cursor of another list."""
        return decode_id_cursor(self.cursor) if self.cursor else None


class EvaluationsQuery(ScoredDatasetsQuery):
    """Filters of evaluations."""

    model: Text | None = Field(default=None, max_length=200)
    dataset_id: UUID | None = None
    state: EvaluationState | None = None


class PredictionsQuery(Input):
    """The model name of uploaded predictions, with figures measured outside the platform."""

    model: Text = Field(max_length=100, description=f"{NAME}; not the name of a served model")
    lowest: float = Field(default=0, allow_inf_nan=False, description="The lowest possible score of a line")
    highest: float = Field(default=1, allow_inf_nan=False, description="The highest possible score of a line")
    throughput: float | None = Field(
        default=None,
        ge=0,
        allow_inf_nan=False,
        description="Examples per second, measured outside the platform",
    )
    memory: float | None = Field(
        default=None, ge=0, allow_inf_nan=False, description="Memory in GiB, measured outside the platform"
    )
    fairness: float | None = Field(default=None, ge=0, le=100, description="Percent, measured elsewhere")
    robustness: float | None = Field(default=None, ge=0, le=100, description="Percent, measured elsewhere")

    def scale(self) -> tuple[float, float]:
        """Return the ends of the scale of scores. Raises Problem 422 for one without length."""
        if self.lowest >= self.highest:
            raise Problem(
                422,
                "scale-unusable",
                "This scale can't be used",
                "The highest score is not above the lowest.",
                field="highest",
                remedy="Give a highest above the lowest.",
            )
        return self.lowest, self.highest

    def figures(self) -> tuple[tuple[str, float], ...]:
        """Return the figures that were given."""
        return tuple((name, value) for name in FIGURE_UNITS if (value := getattr(self, name)) is not None)


class ComparisonQuery(Input):
    """The two models to compare."""

    first: Text = Field(max_length=200)
    second: Text = Field(max_length=200)


def leaks_answer(found: Leaks) -> LeaksAnswer:
    """Return the answer about what was found."""
    items = [LeakAnswer.model_validate(dict(row._mapping)) for row in found.newest]
    return LeaksAnswer(words=found.words, found=found.found, items=items)


def scored_dataset_answer(
    row: Row[Any] | Mapping[str, Any], leaks: Leaks | None = None
) -> ScoredDatasetAnswer:
    """Return the answer about a stored dataset."""
    values = dict(row if isinstance(row, Mapping) else row._mapping)
    error = values.get("error") or {}
    return ScoredDatasetAnswer.model_validate(
        {
            **values,
            "variants": values.get("variants") or {},
            "reason": error.get("detail"),
            "created_at": values["requested_at"],
            "leaks": None if leaks is None else leaks_answer(leaks),
        }
    )


def external_answer(stored: Mapping[str, Any]) -> ExternalAnswer:
    """Return the answer about what is stored."""
    figures = [
        FigureAnswer(metric=name, value=value, unit=FIGURE_UNITS[name]) for name, value in stored["figures"]
    ]
    return ExternalAnswer(are_scores=stored["are_scores"], figures=figures)


def evaluation_answer(row: Row[Any], seen: Outlook, *, may_act: bool) -> EvaluationAnswer:
    """Return the answer about a stored evaluation; of hidden datasets only scores and numbers."""
    result, error = row.result or {}, row.error or {}
    is_hidden = row.dataset__access == Access.HIDDEN
    return EvaluationAnswer(
        evaluation_id=row.evaluation_id,
        task_slug=row.task_slug,
        model=row.model_name,
        model_digest=row.model_digest,
        prediction_only=row.prediction_only,
        external=None if row.external is None else external_answer(row.external),
        dataset_id=row.dataset_id,
        dataset_name=row.dataset__name,
        dataset_version=row.dataset__version,
        dataset_title=row.dataset__title,
        dataset_access=row.dataset__access,
        dataset_items=row.dataset__items,
        round_number=row.dataset__round_number,
        metric_version=row.metric_version,
        state=EvaluationState(row.state),
        shards=row.shards,
        shards_done=row.shards_done,
        place=seen.places.get(row.evaluation_id),
        seconds_left=seen.seconds_left.get(row.evaluation_id),
        waits_for=None if is_hidden else row.waits_for,
        fault=error.get("fault"),
        reason="The evaluation failed." if is_hidden and error else error.get("reason"),
        requested_at=row.requested_at,
        begun_at=row.begun_at,
        ended_at=row.ended_at,
        values=[ValueAnswer.model_validate(value) for value in result.get("values", [])],
        undefined=result.get("undefined") or {},
        slices=[] if is_hidden else [SliceAnswer.model_validate(value) for value in result.get("slices", [])],
        tests=[] if is_hidden else [SuiteTestAnswer.model_validate(each) for each in result.get("tests", [])],
        failed_items=result.get("failed_items"),
        failures=[] if is_hidden else result.get("failures", []),
        constant_answer=None if is_hidden else result.get("constant_answer") or None,
        swapped_labels={} if is_hidden else result.get("swapped_labels") or {},
        target_of_round=result.get("target_of_round"),
        may_act=may_act,
    )


def lines_answer(rows: Sequence[Row[Any]], access: Access) -> LinesAnswer:
    """Return the answer about stored lines; nothing that a model or its gateway said of hidden datasets."""
    return LinesAnswer(
        items=[
            LineAnswer(
                at=row.at,
                event=row.event,
                shards=row.facts.get("shards"),
                shards_done=row.facts.get("shards_done"),
                requests=row.facts.get("requests"),
                reason=None if access == Access.HIDDEN else row.facts.get("reason"),
            )
            for row in rows
        ]
    )
