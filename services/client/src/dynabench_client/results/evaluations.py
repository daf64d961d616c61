"""Datasets that models are scored on, evaluations, and two models compared."""

from datetime import datetime

from dynabench_client.results.base import Result


class ScoredDataset(Result):
    """A dataset that models are scored on: `kind` is round or static, `state` preparing, ready or failed."""

    dataset_id: str
    name: str
    version: int
    title: str
    task_slug: str
    kind: str
    access: str
    licence: str
    digest: str
    round_id: str | None
    round_number: int | None
    items: int | None
    clusters: int | None
    requests: int | None
    variants: dict[str, int]
    state: str
    reason: str | None
    created_at: datetime


class MetricOnDataset(Result):
    """A metric's value over `n`, with its 95 % interval, or the reason why there is none."""

    metric: str
    value: float
    n: int
    low: float | None
    high: float | None
    reason: str | None


class MetricOnSlice(MetricOnDataset):
    """The same over the items of one tag."""

    tag: str


class Evaluation(Result):
    """A model on a dataset; `fault` says whose fault a failure is, `waits_for` why it does not go on just now.

    `place` in the queue, from 1, is told of one that is queued; `seconds_left`, roughly, of one that runs and of which
    a part was answered.
    """

    evaluation_id: str
    task_slug: str
    model: str
    model_digest: str
    prediction_only: bool
    dataset_id: str
    dataset_name: str
    dataset_version: int
    dataset_title: str
    dataset_access: str
    dataset_items: int | None
    round_number: int | None
    metric_version: int
    state: str
    shards: int
    shards_done: int
    place: int | None
    seconds_left: float | None
    waits_for: str | None
    fault: str | None
    reason: str | None
    requested_at: datetime
    begun_at: datetime | None
    ended_at: datetime | None
    values: tuple[MetricOnDataset, ...]
    slices: tuple[MetricOnSlice, ...]
    failed_items: int | None
    failures: tuple[str, ...]
    constant_answer: str | None
    target_of_round: bool | None
    may_act: bool

    @property
    def is_finished(self) -> bool:
        """Tell whether nothing more will happen."""
        return self.state in ("done", "failed", "cancelled")


class EvaluationLine(Result):
    """Something that befell an evaluation; `reason` says why it waits or ended."""

    at: datetime
    event: str
    shards: int | None
    shards_done: int | None
    requests: int | None
    reason: str | None


class DifferingItem(Result):
    """An item that exactly one of two models answers right."""

    id: str
    first: str | None
    second: str | None
    first_is_right: bool


class ComparedTag(Result):
    """Wins and losses among the items of one tag; `holm_p` is adjusted over the tags shown."""

    tag: str
    n: int
    only_first: int
    only_second: int
    mcnemar_p: float
    holm_p: float


class ModelComparison(Result):
    """Two models on one dataset; `difference` is the accuracy of the first less that of the second, in points."""

    dataset_id: str
    first: str
    second: str
    n: int
    both: int
    only_first: int
    only_second: int
    neither: int
    agree: int
    mcnemar_p: float
    difference: float
    interval: tuple[float, ...]
    items_to_lose: int
    both_wrong_alike: int
    tags: tuple[ComparedTag, ...]
    items: tuple[DifferingItem, ...]


class MetricCard(Result):
    """What a metric is."""

    name: str
    definition: str
    range: str
    traps: str
    source: str


class VariantRule(Result):
    """A rule by which variants of texts are made."""

    name: str
    kind: str
    summary: str


class Metrics(Result):
    """Every metric over items, and every rule of variants."""

    version: int
    items: tuple[MetricCard, ...]
    variants: tuple[VariantRule, ...]
