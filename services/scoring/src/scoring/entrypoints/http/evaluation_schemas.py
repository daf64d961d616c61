"""Bodies, paths and answers about evaluations."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Self
from uuid import UUID

from dynabench_common.problems import Problem
from dynabench_common.schemas import Input, PageQuery, Text, decode_id_cursor
from pydantic import BaseModel, Field
from sqlalchemy import Row

from scoring.domain.canaries import Place
from scoring.domain.evaluation import FIGURE_UNITS, Access, EvaluationState, LogEvent
from scoring.domain.release import DEFAULT_LICENCE
from scoring.queries.evaluations import Leaks, Outlook

NAME = "Small letters, digits and hyphens, at most 80"


class TaskPath(BaseModel):
    """Names a task."""

    slug: Text = Field(max_length=100)


class EvaluationPath(BaseModel):
    """Names an evaluation."""

    evaluation_id: UUID


class NewDatasetQuery(Input):
    """What a file of items is to be."""

    name: str = Field(default="", max_length=100, description=NAME)
    title: str = Field(default="", max_length=200)
    access: Access = Field(
        default=Access.OPEN,
        description="open: everything is shown; scoring: the items to owners alone; hidden: scores alone, to anybody",
    )
    licence: Text = Field(
        default=DEFAULT_LICENCE, max_length=100, description="SPDX identifier, or other words"
    )


class ScoredDatasetsQuery(PageQuery):
    """Which datasets to list."""

    task: Text | None = Field(default=None, max_length=100, description="Name of a task; all without it")

    def before(self) -> UUID | None:
        """Return the id that the page starts below. Raises Problem 422 for a cursor of another list."""
        return decode_id_cursor(self.cursor) if self.cursor else None


class EvaluationsQuery(ScoredDatasetsQuery):
    """Which evaluations to list."""

    model: Text | None = Field(default=None, max_length=200)
    dataset_id: UUID | None = None
    state: EvaluationState | None = None


class PredictionsQuery(Input):
    """Under what name predictions are scored."""

    model: Text = Field(max_length=100, description=f"{NAME}; a name that no model has")
    lowest: float = Field(default=0, allow_inf_nan=False, description="The lowest score that a line can give")
    highest: float = Field(default=1, allow_inf_nan=False, description="The highest one")
    throughput: float | None = Field(
        default=None, ge=0, allow_inf_nan=False, description="Examples/s, measured elsewhere"
    )
    memory: float | None = Field(
        default=None, ge=0, allow_inf_nan=False, description="GiB, measured elsewhere"
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
    """Which two models to compare."""

    first: Text = Field(max_length=200)
    second: Text = Field(max_length=200)


class LeakAnswer(BaseModel):
    """Where a made-up word of a hidden dataset was found."""

    place: Place = Field(
        description="answers of an evaluation, items of a dataset, an example, or the card of a submission"
    )
    reference: UUID = Field(description="Id of that evaluation, dataset, example or submission")
    name: str = Field(description="Name of the model or the dataset; empty for examples")
    task_slug: str | None = Field(description="Of an example: its task, once it is known")
    round_number: int | None = Field(description="Of an example: its round, once it is known")
    found_at: datetime


class LeaksAnswer(BaseModel):
    """What was found of a hidden dataset's made-up words outside its own requests; the newest 100 places."""

    words: int = Field(description="Made-up words that are looked for; 0 before it is prepared")
    found: int = Field(description="Places where one was found")
    items: list[LeakAnswer]

    @classmethod
    def of(cls, found: Leaks) -> Self:
        """Return the answer about what was found."""
        items = [LeakAnswer.model_validate(dict(row._mapping)) for row in found.newest]
        return cls(words=found.words, found=found.found, items=items)


class ScoredDatasetAnswer(BaseModel):
    """A dataset that models are scored on."""

    dataset_id: UUID
    name: str
    version: int
    title: str
    task_slug: str
    kind: str = Field(description="round, static or diagnostic")
    access: Access
    licence: str
    digest: str
    round_id: UUID | None
    round_number: int | None
    items: int | None = Field(description="Items that models are scored on; null while it is prepared")
    clusters: int | None = Field(description="Distinct contexts among them")
    requests: int | None = Field(
        description="Items and their variants, and of hidden datasets a few items with made-up words"
    )
    variants: dict[str, int] = Field(description="Variants by kind and rule")
    state: str = Field(description="preparing, ready or failed")
    reason: str | None = Field(description="Why it failed")
    created_at: datetime
    leaks: LeaksAnswer | None = Field(
        description="Whether a hidden dataset got out, told to owners of its task where one is read; else null"
    )

    @classmethod
    def of(cls, row: Row[Any] | Mapping[str, Any], leaks: Leaks | None = None) -> Self:
        """Return the answer about a stored dataset."""
        values = dict(row if isinstance(row, Mapping) else row._mapping)
        error = values.get("error") or {}
        return cls.model_validate(
            {
                **values,
                "variants": values.get("variants") or {},
                "reason": error.get("detail"),
                "created_at": values["requested_at"],
                "leaks": None if leaks is None else LeaksAnswer.of(leaks),
            }
        )


class ScoredDatasetsAnswer(BaseModel):
    """A page of datasets, the newest first."""

    items: list[ScoredDatasetAnswer]
    next_cursor: str | None


class ValueAnswer(BaseModel):
    """A metric's value, over `n`, with its 95 % interval, or why there is none."""

    metric: str
    value: float
    n: int
    low: float | None
    high: float | None
    reason: str | None


class SliceAnswer(ValueAnswer):
    """The same over the items of one tag."""

    tag: str


class SuiteTestAnswer(BaseModel):
    """A test of a diagnostic suite: the share of its items that are answered as it expects."""

    capability: str
    test: str
    test_type: str = Field(
        description="MFT: the right answer; INV: the same answer as to another item; DIR: that, or one it may move to"
    )
    value: float = Field(description="In percent")
    n: int
    groups: int = Field(description="Templates, or other groups of items that fail together")
    low: float | None
    high: float | None
    reason: str | None


class FigureAnswer(BaseModel):
    """A figure that was measured elsewhere and is only stated here."""

    metric: str
    value: float
    unit: str


class ExternalAnswer(BaseModel):
    """Figures measured elsewhere."""

    are_scores: bool = Field(description="Whether its scores by item were measured elsewhere too")
    figures: list[FigureAnswer]

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Self:
        """Return the answer about what is stored."""
        figures = [
            FigureAnswer(metric=name, value=value, unit=FIGURE_UNITS[name])
            for name, value in stored["figures"]
        ]
        return cls(are_scores=stored["are_scores"], figures=figures)


class EvaluationAnswer(BaseModel):
    """An evaluation as it stands."""

    evaluation_id: UUID
    task_slug: str
    model: str
    model_digest: str
    prediction_only: bool
    external: ExternalAnswer | None = Field(description="What was measured elsewhere; null where nothing was")
    dataset_id: UUID
    dataset_name: str
    dataset_version: int
    dataset_title: str
    dataset_access: Access
    dataset_items: int | None = Field(description="Items of the dataset, without their variants")
    round_number: int | None
    metric_version: int
    state: EvaluationState
    shards: int
    shards_done: int
    place: int | None = Field(
        description="Place in the queue, from 1; submitters take turns. Null unless it is queued"
    )
    seconds_left: float | None = Field(
        description="About how long it still runs, by the rate of its last 10 answered shards; null before one is"
        " answered, and while it waits for its model"
    )
    waits_for: str | None = Field(description="Why it does not go on just now")
    fault: str | None = Field(description="Whose fault a failure is: yours, ours, or cancelled")
    reason: str | None
    requested_at: datetime
    begun_at: datetime | None
    ended_at: datetime | None
    values: list[ValueAnswer]
    undefined: dict[str, str] = Field(description="Metrics without a value, and why they have none")
    slices: list[SliceAnswer]
    tests: list[SuiteTestAnswer] = Field(description="Of a diagnostic suite: test by test")
    failed_items: int | None
    failures: list[str] = Field(
        description="The first items without a usable answer; none for hidden datasets"
    )
    constant_answer: str | None
    swapped_labels: dict[str, str] = Field(
        description="Where the model seems to have the labels in another order: what each answered label stands for."
        " Empty otherwise, for hidden datasets, and for rounds, whose texts were written to be answered wrongly"
    )
    target_of_round: bool | None
    may_act: bool = Field(description="Whether the caller may end it, or run it again where it has no score")

    @classmethod
    def of(cls, row: Row[Any], seen: Outlook, *, may_act: bool) -> Self:
        """Return the answer about a stored evaluation; of hidden datasets only scores and numbers."""
        result, error = row.result or {}, row.error or {}
        is_hidden = row.dataset__access == Access.HIDDEN
        return cls(
            evaluation_id=row.evaluation_id,
            task_slug=row.task_slug,
            model=row.model_name,
            model_digest=row.model_digest,
            prediction_only=row.prediction_only,
            external=None if row.external is None else ExternalAnswer.of(row.external),
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
            slices=[]
            if is_hidden
            else [SliceAnswer.model_validate(value) for value in result.get("slices", [])],
            tests=[]
            if is_hidden
            else [SuiteTestAnswer.model_validate(each) for each in result.get("tests", [])],
            failed_items=result.get("failed_items"),
            failures=[] if is_hidden else result.get("failures", []),
            constant_answer=None if is_hidden else result.get("constant_answer") or None,
            swapped_labels={} if is_hidden else result.get("swapped_labels") or {},
            target_of_round=result.get("target_of_round"),
            may_act=may_act,
        )


class EvaluationsAnswer(BaseModel):
    """A page of evaluations, the newest first."""

    items: list[EvaluationAnswer]
    next_cursor: str | None


class LineAnswer(BaseModel):
    """Something that befell an evaluation."""

    at: datetime
    event: LogEvent = Field(
        description="requested (also: run again), taken_over from an equal model, begun, waits for the model,"
        " goes_on after that, done, failed, cancelled"
    )
    shards: int | None
    shards_done: int | None
    requests: int | None
    reason: str | None = Field(description="Why it waits or ended; null for hidden datasets")


class LinesAnswer(BaseModel):
    """The log of an evaluation, the oldest line first; of a long one the last 200."""

    items: list[LineAnswer]

    @classmethod
    def of(cls, rows: Sequence[Row[Any]], access: Access) -> Self:
        """Return the answer about stored lines; nothing that a model or its gateway said of hidden datasets."""
        return cls(
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


class MetricAnswer(BaseModel):
    """What a metric is."""

    name: str
    definition: str
    range: str
    traps: str
    source: str


class VariantRuleAnswer(BaseModel):
    """A rule by which variants are made."""

    name: str
    kind: str
    summary: str


class MetricsAnswer(BaseModel):
    """Every metric over items, and every rule of variants, with the version of both."""

    version: int
    items: list[MetricAnswer]
    variants: list[VariantRuleAnswer]
