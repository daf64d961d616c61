"""Datasets that models are scored on, evaluations, and two models compared."""

from datetime import datetime
from typing import Any

from dynabench_client.results.base import Result


class Leak(Result):
    """Where a made-up word of a hidden dataset was found: `place` is answers, dataset, example or card.

    `reference` is the id of that evaluation, dataset, example or submission, `name` that of the model or the dataset,
    empty for examples, whose task and round are told.
    """

    place: str
    reference: str
    name: str
    task_slug: str | None
    round_number: int | None
    found_at: datetime


class Leaks(Result):
    """How many made-up words of a hidden dataset are looked for, in how many places one was found; the newest 100."""

    words: int
    found: int
    items: tuple[Leak, ...]


class ScoredDataset(Result):
    """A dataset to score models on: `kind` is round, static or diagnostic, `state` preparing, ready or failed.

    `leaks` is told of a hidden one to owners of its task, where one dataset is read.
    """

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
    leaks: Leaks | None


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


class SuiteTest(Result):
    """A test of a diagnostic suite: the percentage of its items that are answered as it expects.

    `test_type` is MFT (the right answer), INV (the same answer as to another item) or DIR (that, or one that it may
    move to); items of `groups` fail together.
    """

    capability: str
    test: str
    test_type: str
    value: float
    n: int
    groups: int
    low: float | None
    high: float | None
    reason: str | None


class ExternalFigure(Result):
    """A figure that was measured elsewhere."""

    metric: str
    value: float
    unit: str


class External(Result):
    """Figures measured elsewhere, and the scores by item if `are_scores`."""

    are_scores: bool
    figures: tuple[ExternalFigure, ...]


class Evaluation(Result):
    """A model on a dataset; `fault` says whose fault a failure is, `waits_for` why it does not go on just now.

    `place` in the queue, from 1, is told of one that is queued; `seconds_left`, roughly, of one that runs and of which
    a part was answered. `undefined` says of metrics without a value why they have none.
    """

    evaluation_id: str
    task_slug: str
    model: str
    model_digest: str
    prediction_only: bool
    external: External | None
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
    undefined: dict[str, str]
    slices: tuple[MetricOnSlice, ...]
    tests: tuple[SuiteTest, ...]
    failed_items: int | None
    failures: tuple[str, ...]
    constant_answer: str | None
    swapped_labels: dict[str, str]
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


class MetricDifference(Result):
    """Two models by one metric in percent; `holm_p` is adjusted over the metrics shown, `reason` why no interval."""

    metric: str
    first: float
    second: float
    difference: float
    interval: tuple[float, ...] | None
    p: float | None
    holm_p: float | None
    reason: str | None


class ModelComparison(Result):
    """Two models on one dataset; `difference` is the accuracy of the first less that of the second, in points.

    `undefined` says of metrics that are not compared why they have no value.
    """

    dataset_id: str
    first: str
    second: str
    n: int
    both: int
    only_first: int
    only_second: int
    neither: int
    agree: int
    contexts: int
    mcnemar_p: float
    difference: float
    interval: tuple[float, ...]
    items_to_lose: int
    both_wrong_alike: int
    metrics: tuple[MetricDifference, ...]
    undefined: dict[str, str]
    tags: tuple[ComparedTag, ...]
    items: tuple[DifferingItem, ...]


class ShownItem(Result):
    """An item of a dataset; every one of `golds` is right."""

    id: str
    context: dict[str, Any]
    input: dict[str, Any]
    golds: tuple[Any, ...]
    tags: tuple[str, ...]


class ItemVariant(Result):
    """A variant of an item by a rule, for fairness or robustness, whose answer should be that to the item."""

    kind: str
    rule: str
    summary: str
    context: dict[str, Any]
    input: dict[str, Any]


class ItemSample(ShownItem):
    """An item with the variants that are made of it."""

    variants: tuple[ItemVariant, ...]


class ItemSamples(Result):
    """Items that have variants, drawn by the seed."""

    dataset_id: str
    seed: int
    items: tuple[ItemSample, ...]


class AnswerToItem(Result):
    """What a model answers to an item, as a value text; None where there is nothing usable, and then why."""

    model: str
    evaluation_id: str
    prediction_only: bool
    answer: str | None
    right: bool
    failed: str | None


class AnsweredItem(ShownItem):
    """An item, and what each model answers that was scored on it."""

    answers: tuple[AnswerToItem, ...]


class SuspectItem(ShownItem):
    """An item whose label may be wrong: better models get it wrong more often than worse ones."""

    correlation: float
    right: int


class Suspects(Result):
    """Items whose label may be wrong, and the models by which; of `measured` items `below` have one below 0."""

    dataset_id: str
    models: tuple[str, ...]
    fewest_models: int
    measured: int
    below: int
    items: tuple[SuspectItem, ...]


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
