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
    """New words per 1,000 examples since the previous point, up to this number of examples."""

    examples: int
    new: float


class VocabularyAnswer(Record):
    """Distinct words (`types`) and all words (`tokens`), with the number of new words as examples are added."""

    types: int
    tokens: int
    type_token_ratio: float | None
    new_per_1000: tuple[GrowthAnswer, ...]


class DuplicatePairsAnswer(Record):
    """Pairs of near-duplicate examples. `share` is the share of examples that are in a pair."""

    pairs: int
    share: float | None


class AuthorConcentrationAnswer(Record):
    """Concentration of authors. `hhi` is the sum of squared shares; 1 for a single author."""

    people: int
    examples: int | None = Field(
        description="Examples by known authors, the denominator of the shares; null in old results"
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
    reason: str | None = Field(description="Reason for a missing accuracy")


class MeasurementFailure(Failure):
    """The reason for a failed measurement, and the remedy."""


class FoundAnswer(Record):
    """A measurement. While it is repeated, or if the repetition failed, the previous result."""

    state: Annotated[str, words("computing", "done", "failed")]
    measured_at: datetime
    error: MeasurementFailure | SkipJsonSchema[None] = Field(
        default=None, description="Present only if failed"
    )
    examples: int
    label_balance: LabelBalanceAnswer
    lengths: dict[str, LengthsAnswer] = Field(description="By text field")
    vocabulary: VocabularyAnswer
    near_duplicates: DuplicatePairsAnswer
    overlap: SpreadAnswer | None = Field(
        description="Share of an input's words that are also in its context; null if no context has text"
    )
    authors: AuthorConcentrationAnswer
    associations: tuple[AssociationAnswer, ...]
    associations_reason: str | None = Field(
        description="Reason why there are no associations; null if there are some"
    )
    input_only_baseline: InputOnlyBaselineAnswer


class FailedAnswer(Record):
    """A failed measurement without an earlier result."""

    state: Annotated[str, words("failed")]
    error: MeasurementFailure


class PendingAnswer(Record):
    """A first measurement that is still running."""

    state: Annotated[str, words("computing")]


class MeasurementsAnswer(RootModel[FoundAnswer | FailedAnswer]):
    """Measurements, or the reason why there are none."""
