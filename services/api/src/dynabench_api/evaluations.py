"""Datasets that models are scored on, evaluations, and two models compared."""

from datetime import datetime

from pydantic import Field

from dynabench_api.base import Id, Json, Page, Record
from dynabench_api.words import Access, EvaluationState, LogEvent, Place


class LeakAnswer(Record):
    """The place where a canary of a hidden dataset was found."""

    place: Place = Field(
        description="answers of an evaluation, items of a dataset, an example, or the card of a submission"
    )
    reference: Id = Field(description="Id of that evaluation, dataset, example or submission")
    name: str = Field(description="Name of the model or the dataset; empty for examples")
    task_slug: str | None = Field(description="Of an example: its task, once it is known")
    round_number: int | None = Field(description="Of an example: its round, once it is known")
    found_at: datetime


class LeaksAnswer(Record):
    """Places outside a hidden dataset's own requests where its canaries were found; the newest 100."""

    words: int = Field(description="Made-up words that are looked for; 0 before it is prepared")
    found: int = Field(description="Places where one was found")
    items: tuple[LeakAnswer, ...]


class ScoredDatasetAnswer(Record):
    """A dataset that models are scored on."""

    dataset_id: Id
    name: str
    version: int
    title: str
    task_slug: str
    kind: str = Field(description="round, static or diagnostic")
    access: Access
    licence: str
    digest: str
    round_id: Id | None
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


class ScoredDatasetsAnswer(Page[ScoredDatasetAnswer]):
    """A page of datasets, the newest first."""


class ValueAnswer(Record):
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


class SuiteTestAnswer(Record):
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


class FigureAnswer(Record):
    """A figure that was measured elsewhere and is only stated here."""

    metric: str
    value: float
    unit: str


class ExternalAnswer(Record):
    """Figures measured elsewhere."""

    are_scores: bool = Field(description="Whether its scores by item were measured elsewhere too")
    figures: tuple[FigureAnswer, ...]


class EvaluationAnswer(Record):
    """An evaluation as it stands."""

    evaluation_id: Id
    task_slug: str
    model: str
    model_digest: str
    prediction_only: bool
    external: ExternalAnswer | None = Field(description="What was measured elsewhere; null where nothing was")
    dataset_id: Id
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
    values: tuple[ValueAnswer, ...]
    undefined: dict[str, str] = Field(description="Metrics without a value, and why they have none")
    slices: tuple[SliceAnswer, ...]
    tests: tuple[SuiteTestAnswer, ...] = Field(description="Of a diagnostic suite: test by test")
    failed_items: int | None
    failures: tuple[str, ...] = Field(
        description="The first items without a usable answer; none for hidden datasets"
    )
    constant_answer: str | None
    swapped_labels: dict[str, str] = Field(
        description="Where the model seems to have the labels in another order: what each answered label stands for."
        " Empty otherwise, for hidden datasets, and for rounds, whose texts were written to be answered wrongly"
    )
    target_of_round: bool | None
    may_act: bool = Field(description="Whether the caller may end it, or run it again where it has no score")

    @property
    def is_finished(self) -> bool:
        """Tell whether nothing more will happen."""
        return self.state in ("done", "failed", "cancelled")


class EvaluationsAnswer(Page[EvaluationAnswer]):
    """A page of evaluations, the newest first."""


class LineAnswer(Record):
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


class LinesAnswer(Record):
    """The log of an evaluation, the oldest line first; of a long one the last 200."""

    items: tuple[LineAnswer, ...]


class MetricAnswer(Record):
    """A metric."""

    name: str
    definition: str
    range: str
    traps: str
    source: str


class VariantRuleAnswer(Record):
    """A rule by which variants are made."""

    name: str
    kind: str
    summary: str


class MetricsAnswer(Record):
    """Every metric over items, and every rule of variants, with the version of both."""

    version: int
    items: tuple[MetricAnswer, ...]
    variants: tuple[VariantRuleAnswer, ...]


class ItemAnswer(Record):
    """An item that exactly one of two models answers right."""

    id: str
    first: str | None
    second: str | None
    first_is_right: bool


class TagAnswer(Record):
    """Wins and losses among the items of one tag, with the p-value adjusted (Holm) over the tags shown."""

    tag: str
    n: int
    only_first: int
    only_second: int
    mcnemar_p: float
    holm_p: float


class DifferenceAnswer(Record):
    """Two models by one metric, in percent, and in points the first less the second, by drawing contexts in pairs."""

    metric: str
    first: float
    second: float
    difference: float
    interval: tuple[float, ...] | None = Field(description="95 %, its ends; none of fewer than five contexts")
    p: float | None
    holm_p: float | None = Field(description="Adjusted (Holm) over the metrics shown")
    reason: str | None = Field(description="Why there is no interval")


class ComparisonAnswer(Record):
    """Two models on one dataset. `difference` is the accuracy of the first less that of the second, in points."""

    dataset_id: Id
    first: str
    second: str
    n: int
    both: int
    only_first: int
    only_second: int
    neither: int
    agree: int = Field(description="Items that both answer alike")
    contexts: int = Field(
        description="Contexts that the items are of; where they are fewer than items, McNemar's p may be too small"
    )
    mcnemar_p: float
    difference: float
    interval: tuple[float, ...] = Field(
        min_length=2,
        max_length=2,
        description="95 %, its ends, of paired shares; where items share contexts the outer ends of that and of"
        " one by drawing contexts; of fewer than five such contexts the whole scale",
    )
    items_to_lose: int = Field(description="Items that would have to change for the leader to lose its place")
    both_wrong_alike: int = Field(description="Items that both answer wrong, and alike")
    metrics: tuple[DifferenceAnswer, ...]
    undefined: dict[str, str] = Field(description="Metrics that a model has no value of, and why")
    tags: tuple[TagAnswer, ...]
    items: tuple[ItemAnswer, ...] = Field(
        description="At most 100 that exactly one answers right; none unless open"
    )


class ShownItem(Record):
    """An item; every one of `golds` is right."""

    id: str
    context: dict[str, Json]
    input: dict[str, Json]
    golds: tuple[Json, ...]
    tags: tuple[str, ...]


class VariantAnswer(Record):
    """A variant of an item, whose answer should be that to the item."""

    kind: str = Field(description="fairness or robustness")
    rule: str
    summary: str = Field(description="What the rule does")
    context: dict[str, Json]
    input: dict[str, Json]


class SampleAnswer(ShownItem):
    """An item with the variants that are made of it."""

    variants: tuple[VariantAnswer, ...]


class SamplesAnswer(Record):
    """Items that have variants, drawn by the seed."""

    dataset_id: Id
    seed: int
    items: tuple[SampleAnswer, ...]


class AnswerToItem(Record):
    """A model's answer to an item."""

    model: str
    evaluation_id: Id
    prediction_only: bool
    answer: str | None = Field(description="As a value text; null where there is none that can be used")
    right: bool
    failed: str | None = Field(description="Why there is no usable answer")


class AnsweredItemAnswer(ShownItem):
    """An item, and what each model answers that was scored on it; of at most 100 models."""

    answers: tuple[AnswerToItem, ...]


class SuspectAnswer(ShownItem):
    """An item that better models get wrong more often than worse ones."""

    correlation: float = Field(
        description="Point-biserial, over models: being right on it, and the share of right answers on all others"
    )
    right: int = Field(description="Models that are right on it")


class SuspectsAnswer(Record):
    """Items whose label may be wrong: evidence, not a verdict."""

    dataset_id: Id
    models: tuple[str, ...] = Field(
        description="Models that count: served ones, equal ones once; predictions made elsewhere do not count"
    )
    fewest_models: int = Field(description="With fewer nothing is listed")
    measured: int = Field(
        description="Items that have a correlation: not all models are right on them, nor all wrong"
    )
    below: int = Field(description="Of those, items below 0")
    items: tuple[SuspectAnswer, ...] = Field(description="The lowest 50 below 0, the lowest first")
