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
    """The distribution of a number over examples; without examples the histogram is empty."""

    n: int
    mean: float | None
    p5: float | None
    p50: float | None
    p95: float | None
    max: float | None
    histogram: tuple[BinAnswer, ...]


class LengthsAnswer(Record):
    """Lengths of a field's texts; characters are Unicode code points."""

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
    """Concentration of authors; `hhi` is the sum of the squared shares, 1 for a single author."""

    people: int
    examples: int | None = Field(
        description="Examples by known authors, of which the shares are; null in old results"
    )
    top1_share: float | None
    top5_share: float | None
    hhi: float | None


class AssociationAnswer(Record):
    """Association of a token with a label (pointwise mutual information)."""

    token: str
    label: str
    pmi: float
    low: float
    high: float
    count: int


class InputOnlyBaselineAnswer(Record):
    """Accuracy of a classifier that sees the input without its context, with the share of the `majority` label."""

    accuracy: float | None
    low: float | None
    high: float | None
    majority: float | None
    n: int
    reason: str | None = Field(description="Why there is no accuracy")


class MeasurementFailure(Failure):
    """Why nothing could be measured, and what to do about it."""


class FoundAnswer(Record):
    """A measurement; while it runs again, or if that failed, the result before."""

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
