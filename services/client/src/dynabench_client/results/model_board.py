"""The board of a task's models."""

from datetime import datetime

from dynabench_client.results.base import Result


class BoardDimension(Result):
    """A column of the board; `share` is of all weights that count, `price` what a unit is worth in points of score."""

    name: str
    metric: str
    unit: str
    direction: str
    weight: float
    share: float
    price: float | None
    price_in_words: str
    is_measured: bool
    note: str


class BoardDataset(Result):
    """A dataset of the board; `least_difference` is in points between two models, shown with 80 %."""

    dataset_id: str
    name: str
    version: int
    kind: str
    round_number: int | None
    access: str
    items: int
    weight: float
    share: float
    least_difference: float
    note: str


class BoardMetric(Result):
    """A metric's value on one dataset."""

    value: float
    n: int
    low: float | None
    high: float | None
    reason: str | None


class ModelOnDataset(Result):
    """A model on one dataset: `state` is waiting, done or failed; `trained_on` by what its card says."""

    evaluation_id: str
    state: str
    fault: str | None
    reason: str | None
    at: datetime
    metrics: dict[str, BoardMetric]
    failed_items: int
    constant_answer: str | None
    target_of_round: bool
    trained_on: bool


class Lead(Result):
    """What a place hangs on: `items` right answers of the dataset's `n` that would have to turn wrong.

    `difference` is n10 - n01 there: items that this model alone gets right less those of the one below alone.
    """

    over: str
    dataset: str
    items: int
    n: int
    difference: int


class ModelRow(Result):
    """A model's row; `rank` is None without a score, and `reason` says why.

    `rank_interval` is of this model alone, `rank_set` true for the whole board at once; both are first and last rank.
    `primary` holds performance by the board's datasets. `best_of_gain` is in points of score, at most what the best of
    as many equal models as its submitter sent gains by luck; `faster` the ratios of its speed to the next fastest and
    the slowest of those tied for the first place. `widened_on` names datasets on which its interval is that of a
    bootstrap or Wilson's, since the linear form is poor there; `no_interval` says why a ranked model has none.
    `datasets` is empty where scores were left out.
    """

    model: str
    model_digest: str
    submitted_by: str | None
    is_anonymous: bool
    is_baseline: bool
    is_mine: bool
    is_published: bool
    prediction_only: bool
    external: bool
    submissions: int
    rank: int | None
    rank_interval: tuple[int, ...] | None
    rank_set: tuple[int, ...] | None
    tie_group: int | None
    score: float | None
    interval: tuple[float, ...] | None
    z_score: float | None
    n: int
    values: dict[str, float]
    target_of: tuple[int, ...]
    is_constant: bool
    primary: tuple[float | None, ...]
    lead: Lead | None
    best_of_gain: float | None
    faster: tuple[float, ...] | None
    datasets: dict[str, ModelOnDataset]
    reason: str
    widened_on: tuple[str, ...] = ()
    no_interval: str = ""


class ModelBoard(Result):
    """A task's models under one choice of weights; `problem` says why nobody is ranked, if so."""

    task_slug: str
    mode: str
    external: bool
    external_models: int
    gamma: float
    as_of: datetime
    digest: str
    dimensions: tuple[BoardDimension, ...]
    datasets: tuple[BoardDataset, ...]
    rows: tuple[ModelRow, ...]
    problem: str


class MovingDimension(Result):
    """A dimension that counts once it has a weight, and its price."""

    name: str
    price: float


class MovingModel(Result):
    """A ranked model: mean utilities by dimension, and variances in points² by "first:second" dimension."""

    model: str
    utilities: dict[str, float]
    variances: dict[str, float]


class MovingParts(Result):
    """What scores are made of: Σ share × price × utility, with the variance Σ f f V, f = share × price of each."""

    dimensions: tuple[MovingDimension, ...]
    models: tuple[MovingModel, ...]


class ProposedTarget(Result):
    """A model to put into the loop; `alike` says how its errors correlate with those of the targets before it."""

    model: str
    rank: int
    rank_set: tuple[int, ...]
    score: float
    interval: tuple[float, ...] | None
    n: int
    is_baseline: bool
    trained_on: tuple[str, ...]
    alike: dict[str, float]
    no_interval: str = ""


class PassedOver(Result):
    """A model of the board that is not proposed, and why."""

    model: str
    rank: int | None
    reason: str


class TargetProposals(Result):
    """Targets for a task's next round, the best first; they may change while evaluations of `waiting` models run."""

    task_slug: str
    as_of: datetime
    proposed: tuple[ProposedTarget, ...]
    passed_over: tuple[PassedOver, ...]
    waiting: tuple[str, ...]
    scored_rounds: tuple[int, ...]
    problem: str
