"""Paths, queries and answers about evaluations, comparisons and items."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from dynabench_api.evaluations import (
    ComparisonAnswer,
    DifferenceAnswer,
    EvaluationAnswer,
    ExternalAnswer,
    FigureAnswer,
    LeakAnswer,
    LeaksAnswer,
    LineAnswer,
    LinesAnswer,
    SampleAnswer,
    ScoredDatasetAnswer,
    SliceAnswer,
    SuiteTestAnswer,
    SuspectAnswer,
    ValueAnswer,
    VariantAnswer,
)
from dynabench_common.http.schemas import Input, PageQuery, Text, cursor_id, page_start
from dynabench_common.problems import Problem
from pydantic import BaseModel, Field
from sqlalchemy import Row

from evaluation.domain.comparison import Comparison
from evaluation.domain.evaluations import FIGURE_UNITS, Access, EvaluationState
from evaluation.domain.items import Item, Request
from evaluation.domain.resampling import Difference
from evaluation.domain.suspects import Suspect
from evaluation.domain.variants import VARIANT_RULES
from evaluation.queries.evaluations import Leaks, Outlook
from evaluation.service_layer.compare import Right, WantedItems
from evaluation.service_layer.look_at_items import Sample

MOST_SAMPLES = 20
MOST_COMPARED, MOST_SKIPPED = 50, 1_000_000
LARGEST_SEED = 2**31 - 1
DEFAULT_LICENCE = "CC-BY-4.0"
NAME = "Small letters, digits and hyphens, at most 80"


class TaskPath(BaseModel):
    """A task in an address."""

    slug: Text = Field(max_length=100)


class DatasetPath(BaseModel):
    """Names a dataset."""

    dataset_id: UUID


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
        return page_start(self.cursor, cursor_id)


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


class ComparedItemsQuery(ComparisonQuery):
    """The two models, and the wanted items."""

    right: Right | None = Field(
        default=None, description="The model that is right; neither: both are wrong, in different ways"
    )
    label: Text | None = Field(default=None, max_length=1000, description="Only items with this right answer")
    limit: int = Field(default=20, ge=1, le=MOST_COMPARED, description="Most items to return")
    offset: int = Field(default=0, ge=0, le=MOST_SKIPPED, description="Number of such items to skip")

    def wanted(self) -> WantedItems:
        """Return the search that this asks for."""
        return WantedItems(self.right, self.label, self.limit, self.offset)


class SamplesQuery(Input):
    """Filters of samples."""

    number: int = Field(default=5, ge=1, le=MOST_SAMPLES)
    seed: int = Field(
        default=0, ge=0, le=LARGEST_SEED, description="Seed of the sample. Equal seeds give equal samples"
    )


class ItemQuery(Input):
    """The item to show."""

    id: Text = Field(max_length=200, description="Id of the item in the dataset")


def leaks_answer(found: Leaks, rounds: Mapping[UUID, tuple[int, str]]) -> LeaksAnswer:
    """Return the answer about what was found; `rounds` are those of examples, with their tasks."""
    items = []
    for row in found.newest:
        number, task_slug = rounds.get(row.reference, (None, None))
        about = {**row._mapping, "round_number": number, "task_slug": task_slug}
        items.append(LeakAnswer.model_validate(about))
    return LeaksAnswer(words=found.words, found=found.found, items=items)


def scored_dataset_answer(
    row: Row[Any], leaks: LeaksAnswer | None = None, *, public_at_once: bool
) -> ScoredDatasetAnswer:
    """Return the answer about a stored dataset."""
    values = dict(row._mapping)
    error = values.get("error") or {}
    return ScoredDatasetAnswer.model_validate(
        {
            **values,
            "variants": values.get("variants") or {},
            "reason": error.get("detail"),
            "created_at": values["requested_at"],
            "leaks": leaks,
            "public_at_once": public_at_once,
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


def difference_answer(metric: str, found: Difference, holm_p: float | None) -> DifferenceAnswer:
    """Return the answer about a difference."""
    return DifferenceAnswer(
        metric=metric,
        first=found.first,
        second=found.second,
        difference=found.difference,
        interval=None if found.ends.reason else [found.ends.low, found.ends.high],
        p=found.p,
        holm_p=holm_p,
        reason=found.ends.reason or None,
    )


def comparison_answer(found: Comparison, **rest: Any) -> ComparisonAnswer:
    """Return the answer about a comparison."""
    return ComparisonAnswer(
        n=found.n,
        both=found.both,
        only_first=found.only_first,
        only_second=found.only_second,
        neither=found.neither,
        agree=found.agree,
        mcnemar_p=found.mcnemar_p,
        difference=found.difference,
        interval=[found.low, found.high],
        items_to_lose=found.items_to_lose,
        contexts=found.contexts,
        **rest,
    )


def item_fields(item: Item) -> dict[str, Any]:
    """Return the fields of a ShownItem."""
    return {
        "id": item.item_id,
        "context": item.context,
        "input": item.input,
        "golds": item.golds,
        "tags": item.tags,
    }


def sample_answer(sample: Sample) -> SampleAnswer:
    """Return the answer about a sample."""
    return SampleAnswer.model_validate(
        {**item_fields(sample.item), "variants": [_variant_answer(request) for request in sample.variants]}
    )


def _variant_answer(request: Request) -> VariantAnswer:
    kind, _, name = request.rule.partition(":")
    return VariantAnswer(
        kind=kind,
        rule=name,
        summary=VARIANT_RULES[name].summary if name in VARIANT_RULES else "",
        context=request.context,
        input=request.input,
    )


def suspect_answer(suspect: Suspect, item: Item) -> SuspectAnswer:
    """Return the answer about a suspect."""
    return SuspectAnswer.model_validate(
        {**item_fields(item), "correlation": suspect.correlation, "right": suspect.right}
    )
