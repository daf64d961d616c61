"""Measurements of a dataset's or round's texts. Shares are from 0 to 1; a missing value is null."""

from datetime import datetime
from typing import Annotated

from pydantic import Field, RootModel
from pydantic.json_schema import SkipJsonSchema

from dynabench_api.base import Record, words
from dynabench_api.datasets import Failure


class BinAnswer(Record):
    """Examples whose number is from `low` to below `high`."""

    low: float
    high: float
    count: int


class SpreadAnswer(Record):
    """How a number of each example is spread; of no examples there is nothing but an empty histogram."""

    n: int
    mean: float | None
    p5: float | None
    p50: float | None
    p95: float | None
    max: float | None
    histogram: tuple[BinAnswer, ...]


class LengthsAnswer(Record):
    """How long the texts of a field are; characters are Unicode code points."""

    words: SpreadAnswer
    characters: SpreadAnswer


class LabelBalanceAnswer(Record):
    """Examples by label: as gold, and as their authors claimed."""

    gold: dict[str, int]
    claimed: dict[str, int]


class GrowthAnswer(Record):
    """Words that were new per 1,000 examples, among the examples up to so many, since the point before."""

    examples: int
    new: float


class VocabularyAnswer(Record):
    """Different words (`types`) among all words (`tokens`), and how many are new with more examples."""

    types: int
    tokens: int
    type_token_ratio: float | None
    new_per_1000: tuple[GrowthAnswer, ...]


class DuplicatePairsAnswer(Record):
    """Pairs of examples that read almost the same; `share` is that of the examples that are in a pair."""

    pairs: int
    share: float | None


class AuthorConcentrationAnswer(Record):
    """How evenly people wrote; `hhi` is the sum of the squared shares, 1 for a single author."""

    people: int
    examples: int | None = Field(
        description="Examples by known authors, of which the shares are; null in old results"
    )
    top1_share: float | None
    top5_share: float | None
    hhi: float | None


class AssociationAnswer(Record):
    """How much more often a token comes with a label than by chance (pointwise mutual information)."""

    token: str
    label: str
    pmi: float
    low: float
    high: float
    count: int


class InputOnlyBaselineAnswer(Record):
    """How well the label is guessed from the input without its context, beside the `majority` label's share."""

    accuracy: float | None
    low: float | None
    high: float | None
    majority: float | None
    n: int
    reason: str | None = Field(description="Why there is no accuracy")


class MeasurementFailure(Failure):
    """Why nothing could be measured, and what to do about it."""


class FoundAnswer(Record):
    """What was measured; while it is measured again, or if that failed, what was found before."""

    state: Annotated[str, words("computing", "done", "failed")]
    measured_at: datetime
    error: MeasurementFailure | SkipJsonSchema[None] = Field(default=None, description="Only if failed")
    examples: int
    label_balance: LabelBalanceAnswer
    lengths: dict[str, LengthsAnswer] = Field(description="By text field")
    vocabulary: VocabularyAnswer
    near_duplicates: DuplicatePairsAnswer
    overlap: SpreadAnswer | None = Field(
        description="Share of an input's words that stand in its context; null where no context has text"
    )
    authors: AuthorConcentrationAnswer
    associations: tuple[AssociationAnswer, ...]
    associations_reason: str | None = Field(description="Why no word can be named; null where one could be")
    input_only_baseline: InputOnlyBaselineAnswer


class FailedAnswer(Record):
    """Nothing could be measured."""

    state: Annotated[str, words("failed")]
    error: MeasurementFailure


class PendingAnswer(Record):
    """The first measurement is being made."""

    state: Annotated[str, words("computing")]


class MeasurementsAnswer(RootModel[FoundAnswer | FailedAnswer]):
    """Measurements, or why there are none."""
