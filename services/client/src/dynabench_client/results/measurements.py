"""Results about the texts of a dataset or round. Shares are from 0 to 1."""

from datetime import datetime

from pydantic import Field

from dynabench_client.results.base import Result
from dynabench_client.results.datasets import Failure


class LabelBalance(Result):
    """Examples by label: as gold, and as their authors claimed."""

    gold: dict[str, int]
    claimed: dict[str, int]


class Bin(Result):
    """Examples whose number is from `low` to below `high`; in the last bin also at `high`."""

    low: float
    high: float
    count: int


class Distribution(Result):
    """How a number of each example is spread."""

    n: int
    mean: float | None
    p5: float | None
    p50: float | None
    p95: float | None
    max: float | None
    histogram: tuple[Bin, ...]


class Lengths(Result):
    """How long the texts of a field are; characters are Unicode code points."""

    words: Distribution
    characters: Distribution


class Growth(Result):
    """Among the first so many `examples`, since the point before, words that were `new` per 1,000 examples."""

    examples: int
    new: float


class Vocabulary(Result):
    """Different words (`types`) among all words (`tokens`), and how many are new with more examples."""

    types: int
    tokens: int
    type_token_ratio: float | None
    new_per_1000: tuple[Growth, ...]


class DuplicatePairs(Result):
    """Pairs of examples that read almost the same; `share` is that of the examples that are in a pair."""

    pairs: int
    share: float | None


class AuthorConcentration(Result):
    """How evenly people wrote; `hhi` is the sum of the squared shares, 1 for a single author."""

    people: int
    top5_share: float | None
    top1_share: float | None
    hhi: float | None


class MeasuredAuthors(AuthorConcentration):
    """The same of a dataset or round; the shares are of `examples`, those by known authors."""

    examples: int | None


class Association(Result):
    """How much more often a token comes with a label than by chance (pointwise mutual information)."""

    token: str
    label: str
    pmi: float
    low: float
    high: float
    count: int


class InputOnlyBaseline(Result):
    """How well the label is guessed from the input without its context, beside the `majority` label's share."""

    accuracy: float | None
    low: float | None
    high: float | None
    majority: float | None
    n: int
    reason: str | None


class Measurements(Result):
    """What a dataset's texts look like; `state` is computing, done or failed.

    While they are computed for the first time, and where that failed, everything else is left out. `context_overlap`
    is the share of each input's words that stand in its context; None where no context has text.
    """

    state: str
    measured_at: datetime | None = None
    error: Failure | None = None
    examples: int = 0
    label_balance: LabelBalance = LabelBalance.blank()
    lengths: dict[str, Lengths] = Field(default_factory=dict)
    vocabulary: Vocabulary = Vocabulary.blank()
    near_duplicates: DuplicatePairs = DuplicatePairs.blank()
    context_overlap: Distribution | None = Field(default=None, alias="overlap")
    authors: MeasuredAuthors = MeasuredAuthors.blank()
    associations: tuple[Association, ...] = ()
    associations_reason: str | None = None
    input_only_baseline: InputOnlyBaseline = InputOnlyBaseline.blank()

    @property
    def overlap(self) -> Distribution:
        """The spread of `context_overlap`, of no examples where there is none."""
        return self.context_overlap or Distribution.blank()

    @property
    def is_computing(self) -> bool:
        """Tell whether the worker has yet to finish."""
        return self.state == "computing"
