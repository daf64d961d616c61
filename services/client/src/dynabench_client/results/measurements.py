"""Results about the texts of a dataset or round. Shares are from 0 to 1."""

from pydantic import Field

from dynabench_client.results.base import Result
from dynabench_client.results.datasets import Failure


class LabelBalance(Result):
    """Examples by label: as gold, and as their authors claimed."""

    gold: dict[str, int] = Field(default_factory=dict)
    claimed: dict[str, int] = Field(default_factory=dict)


class Bin(Result):
    """Examples whose number is from `low` to below `high`; in the last bin also at `high`."""

    low: float = 0.0
    high: float = 0.0
    count: int = 0


class Distribution(Result):
    """How a number of each example is spread."""

    n: int = 0
    mean: float | None = None
    p5: float | None = None
    p50: float | None = None
    p95: float | None = None
    max: float | None = None
    histogram: tuple[Bin, ...] = ()


class Lengths(Result):
    """How long the texts of a field are; characters are Unicode code points."""

    words: Distribution = Distribution()
    characters: Distribution = Distribution()


class Growth(Result):
    """Among the first so many `examples`, since the point before, words that were `new` per 1,000 examples."""

    examples: int = 0
    new: float = 0.0


class Vocabulary(Result):
    """Different words (`types`) among all words (`tokens`), and how many are new with more examples."""

    types: int = 0
    tokens: int = 0
    type_token_ratio: float | None = None
    new_per_1000: tuple[Growth, ...] = ()


class DuplicatePairs(Result):
    """Pairs of examples that read almost the same; `share` is that of the examples that are in a pair."""

    pairs: int = 0
    share: float | None = None


class AuthorConcentration(Result):
    """How evenly people wrote; `hhi` is the sum of the squared shares, 1 for a single author."""

    people: int = 0
    top5_share: float | None = None
    top1_share: float | None = None
    hhi: float | None = None


class Association(Result):
    """How much more often a token comes with a label than by chance (pointwise mutual information)."""

    token: str = ""
    label: str = ""
    pmi: float | None = None
    low: float | None = None
    high: float | None = None
    count: int = 0


class InputOnlyBaseline(Result):
    """How well the label is guessed from the input without its context, beside the `majority` label's share."""

    accuracy: float | None = None
    low: float | None = None
    high: float | None = None
    majority: float | None = None
    n: int = 0
    reason: str | None = None


class Measurements(Result):
    """What a dataset's texts look like; `state` is computing, when nothing else is there yet, done or failed.

    `overlap` is the share of each input's words that stand in its context.
    """

    state: str = "done"
    error: Failure | None = None
    examples: int = 0
    label_balance: LabelBalance = LabelBalance()
    lengths: dict[str, Lengths] = Field(default_factory=dict)
    vocabulary: Vocabulary = Vocabulary()
    near_duplicates: DuplicatePairs = DuplicatePairs()
    overlap: Distribution = Distribution()
    authors: AuthorConcentration = AuthorConcentration()
    associations: tuple[Association, ...] = ()
    input_only_baseline: InputOnlyBaseline = InputOnlyBaseline()

    @property
    def is_computing(self) -> bool:
        """Tell whether the worker has yet to finish."""
        return self.state == "computing"
