"""Datasets that models are scored on, evaluations, and two models compared."""

from datetime import datetime

from pydantic import Field

from dynabench_api.base import Id, Json, Page, Record
from dynabench_api.words import Access, EvaluationState, LogEvent, Place


class LeakAnswer(Record):
    """The place where a canary of a hidden dataset was found."""

    place: Place = Field(
        description="The kind of place: answers of an evaluation, items of a dataset, an example, or the card of "
        "a submission"
    )
    reference: Id = Field(description="Id of that evaluation, dataset, example or submission")
    name: str = Field(description="Name of the model or the dataset; empty for examples")
    task_slug: str | None = Field(description="Task of the example, once known; null for other places")
    round_number: int | None = Field(
        description="Round number of the example, once known; null for other places"
    )
    found_at: datetime


class LeaksAnswer(Record):
    """Places outside a hidden dataset's own requests where its canaries were found; the newest 100."""

    words: int = Field(
        description="Number of canaries (made-up words) to look for; 0 before the dataset is prepared"
    )
    found: int = Field(description="Number of places where a canary was found")
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
    items: int | None = Field(
        description="Items that models are scored on; null while the dataset is being prepared"
    )
    clusters: int | None = Field(description="Number of distinct contexts of the items")
    requests: int | None = Field(
        description="Requests per evaluation: one for each item and variant, and for hidden datasets a few items "
        "with canaries"
    )
    variants: dict[str, int] = Field(description="Number of variants by kind and rule")
    state: str = Field(description="preparing, ready or failed")
    reason: str | None = Field(description="Reason for the failure; null unless the state is failed")
    created_at: datetime
    public_at_once: bool = Field(
        description="True if anybody could read its round's errors while it was collected. Then it has no test "
        "split, and models are scored on all of it"
    )
    leaks: LeaksAnswer | None = Field(
        description="Leaks of a hidden dataset. Only owners of its task see them, and only when they read a "
        "single dataset; else null"
    )


class ScoredDatasetsAnswer(Page[ScoredDatasetAnswer]):
    """A page of datasets, the newest first."""


class ValueAnswer(Record):
    """A metric's value over `n` items with its 95 % interval, or the reason why there is no interval."""

    metric: str
    value: float
    n: int
    low: float | None
    high: float | None
    reason: str | None


class SliceAnswer(ValueAnswer):
    """A metric's value over the items of one tag."""

    tag: str


class SuiteTestAnswer(Record):
    """A test of a diagnostic suite, with the share of its items that have the expected answer."""

    capability: str
    test: str
    test_type: str = Field(
        description="Expected answer. MFT: the right one. INV: the same as for another item. DIR: that one, or "
        "one of the allowed others"
    )
    value: float = Field(description="Share of items with the expected answer, in percent")
    n: int
    groups: int = Field(description="Number of templates, or of other groups of dependent items")
    low: float | None
    high: float | None
    reason: str | None


class FigureAnswer(Record):
    """A figure that was measured outside the platform."""

    metric: str
    value: float
    unit: str


class ExternalAnswer(Record):
    """Figures measured outside the platform."""

    are_scores: bool = Field(description="True if the scores by item were also measured outside the platform")
    figures: tuple[FigureAnswer, ...]


class EvaluationAnswer(Record):
    """The current state of an evaluation, with its results."""

    evaluation_id: Id
    task_slug: str
    model: str
    model_digest: str
    prediction_only: bool
    external: ExternalAnswer | None = Field(
        description="Results measured outside the platform; null if there are none"
    )
    dataset_id: Id
    dataset_name: str
    dataset_version: int
    dataset_title: str
    dataset_access: Access
    dataset_items: int | None = Field(description="Number of items of the dataset, without variants")
    round_number: int | None
    metric_version: int
    state: EvaluationState
    shards: int
    shards_done: int
    place: int | None = Field(
        description="Place in the queue, from 1; submitters take turns. Null unless the evaluation is queued"
    )
    seconds_left: float | None = Field(
        description="Estimated seconds left, from the rate of the last 10 finished shards. Null before the first "
        "one, and while the evaluation waits for its model"
    )
    waits_for: str | None = Field(description="Reason why the evaluation is waiting; null if it is not")
    fault: str | None = Field(
        description="Cause of the end: `yours` (the submitter's), `ours` (the platform's) or `cancelled`; else "
        "null"
    )
    reason: str | None
    requested_at: datetime
    begun_at: datetime | None
    ended_at: datetime | None
    values: tuple[ValueAnswer, ...]
    undefined: dict[str, str] = Field(description="Metrics without a value, with the reason")
    slices: tuple[SliceAnswer, ...]
    tests: tuple[SuiteTestAnswer, ...] = Field(
        description="Results of each test of a diagnostic suite; empty for other datasets"
    )
    failed_items: int | None
    failures: tuple[str, ...] = Field(
        description="The first items without a usable answer; empty for hidden datasets"
    )
    constant_answer: str | None
    swapped_labels: dict[str, str] = Field(
        description="If the model seems to use another label order: the likely meaning of each label it answers. "
        "Empty otherwise. Always empty for hidden datasets, and for rounds, because their texts were "
        "written to fool models"
    )
    target_of_round: bool | None
    may_act: bool = Field(description="True if the caller may cancel it, or run it again if it has no score")

    @property
    def is_finished(self) -> bool:
        """Return whether the evaluation is done, failed or cancelled."""
        return self.state in ("done", "failed", "cancelled")


class EvaluationsAnswer(Page[EvaluationAnswer]):
    """A page of evaluations, the newest first."""


class LineAnswer(Record):
    """An entry of an evaluation's log."""

    at: datetime
    event: LogEvent = Field(
        description="requested: requested or run again. taken_over: an equal model's results were reused. waits: "
        "it waits for the model. goes_on: the wait is over"
    )
    shards: int | None
    shards_done: int | None
    requests: int | None
    reason: str | None = Field(description="Reason for the wait or the end; null for hidden datasets")


class LinesAnswer(Record):
    """The last 200 lines of an evaluation's log, the oldest first."""

    items: tuple[LineAnswer, ...]


class MetricAnswer(Record):
    """A metric."""

    name: str
    definition: str
    range: str
    traps: str
    source: str


class VariantRuleAnswer(Record):
    """A rule that makes variants of items."""

    name: str
    kind: str
    summary: str


class MetricsAnswer(Record):
    """All metrics over items and all rules for variants, with their common version."""

    version: int
    items: tuple[MetricAnswer, ...]
    variants: tuple[VariantRuleAnswer, ...]


class ItemAnswer(Record):
    """An item that only one of the two models answers right."""

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
    """Two models by one metric in percent, and the difference (first minus second) in points (paired bootstrap)."""

    metric: str
    first: float
    second: float
    difference: float
    interval: tuple[float, ...] | None = Field(
        description="Ends of the 95 % interval; null with fewer than five contexts"
    )
    p: float | None
    holm_p: float | None = Field(description="Adjusted (Holm) over the metrics shown")
    reason: str | None = Field(description="Reason for a missing interval")


class ComparisonAnswer(Record):
    """Two models on one dataset. `difference` is the first one's accuracy minus the second one's, in points."""

    dataset_id: Id
    first: str
    second: str
    n: int
    both: int
    only_first: int
    only_second: int
    neither: int
    agree: int = Field(description="Number of items to which both give the same answer")
    contexts: int = Field(
        description="Number of contexts of the items. If there are fewer contexts than items, McNemar's p may be "
        "too small"
    )
    mcnemar_p: float
    difference: float
    interval: tuple[float, ...] = Field(
        min_length=2,
        max_length=2,
        description="Ends of the 95 % interval for paired shares. If items share contexts, the outer ends of that "
        "interval and of one from resampled contexts. With fewer than five such contexts, the whole "
        "scale",
    )
    items_to_lose: int = Field(
        description="Number of items that would have to change for the leader to lose its lead"
    )
    both_wrong_alike: int = Field(description="Number of items to which both give the same wrong answer")
    metrics: tuple[DifferenceAnswer, ...]
    undefined: dict[str, str] = Field(
        description="Metrics without a value for one of the models, with the reason"
    )
    tags: tuple[TagAnswer, ...]
    items: tuple[ItemAnswer, ...] = Field(
        description="Up to 100 items that only one model answers right; empty unless the dataset is open"
    )


class ShownItem(Record):
    """An item. Each of `golds` is a right answer."""

    id: str
    context: dict[str, Json]
    input: dict[str, Json]
    golds: tuple[Json, ...]
    tags: tuple[str, ...]


class ComparedItemAnswer(ShownItem):
    """An item on which two models differ, with both answers as value texts; null if there is no usable answer."""

    first: str | None
    second: str | None
    first_is_right: bool
    second_is_right: bool


class ComparedItemsAnswer(Record):
    """Some of the items on which two models differ: one of them is right, or their wrong answers are different."""

    dataset_id: Id
    first: str
    second: str
    number: int = Field(description="Number of such items with the wanted label and right model")
    items: tuple[ComparedItemAnswer, ...]


class VariantAnswer(Record):
    """A variant of an item. It should get the same answer as the item."""

    kind: str = Field(description="fairness or robustness")
    rule: str
    summary: str = Field(description="Effect of the rule")
    context: dict[str, Json]
    input: dict[str, Json]


class SampleAnswer(ShownItem):
    """An item with its variants."""

    variants: tuple[VariantAnswer, ...]


class SamplesAnswer(Record):
    """A random sample of items with variants, determined by the seed."""

    dataset_id: Id
    seed: int
    items: tuple[SampleAnswer, ...]


class AnswerToItem(Record):
    """A model's answer to an item."""

    model: str
    evaluation_id: Id
    prediction_only: bool
    answer: str | None = Field(description="The answer as a value text; null if there is no usable answer")
    right: bool
    failed: str | None = Field(description="Reason for a missing answer")


class AnsweredItemAnswer(ShownItem):
    """An item with the answers of up to 100 models that were scored on it."""

    answers: tuple[AnswerToItem, ...]


class SuspectAnswer(ShownItem):
    """An item that better models get wrong more often than worse models."""

    correlation: float = Field(
        description="Point-biserial correlation over models, between a right answer to this item and the share of "
        "right answers to the others"
    )
    right: int = Field(description="Number of models that answer it right")


class SuspectsAnswer(Record):
    """Items that may have a wrong label. This is evidence, not proof."""

    dataset_id: Id
    models: tuple[str, ...] = Field(
        description="Models that count: served models, equal ones once. Uploaded predictions do not count"
    )
    fewest_models: int = Field(description="Minimum number of models; with fewer, no items are listed")
    measured: int = Field(
        description="Number of items with a correlation: some models are right on them and some wrong"
    )
    below: int = Field(description="Number of items with a correlation below 0")
    items: tuple[SuspectAnswer, ...] = Field(
        description="Up to 50 items with a correlation below 0, the lowest first"
    )
