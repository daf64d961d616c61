"""Results of the scoring service: datasets, their measurements, public examples. Shares are from 0 to 1."""

from datetime import datetime

from dynabench_api import datasets, measurements, public_examples
from pydantic import Field

from dynabench_client.results.base import Result

Split = datasets.SplitAnswer
ReleasePreview = datasets.PreviewAnswer
Failure = datasets.Failure
Release = datasets.ReleaseAnswer
DatasetFile = datasets.FileAnswer
DatasetSummary = datasets.DatasetSummary
Dataset = datasets.DatasetAnswer
DatasetRows = datasets.RowsAnswer

Bin = measurements.BinAnswer
Distribution = measurements.SpreadAnswer
Association = measurements.AssociationAnswer

PublicTargetAnswer = public_examples.PublicTargetAnswer
PublicExample = public_examples.PublicExampleAnswer
ExampleReport = public_examples.ExampleReportAnswer
ReportedExample = public_examples.ReportedExampleAnswer
OwnerHiddenExample = public_examples.OwnerHiddenExampleAnswer
HiddenExample = public_examples.HiddenExampleAnswer


class Measurements(Result):
    """Measurements of a dataset's texts; `state` is computing, done or failed.

    Everything else is left out during the first computation and after a failed one. `context_overlap`
    is the share of each input's words that its context has, too; None where no context has text.
    """

    state: str
    measured_at: datetime | None = None
    error: measurements.MeasurementFailure | None = None
    examples: int = 0
    label_balance: measurements.LabelBalanceAnswer = measurements.LabelBalanceAnswer.blank()
    lengths: dict[str, measurements.LengthsAnswer] = Field(default_factory=dict)
    vocabulary: measurements.VocabularyAnswer = measurements.VocabularyAnswer.blank()
    near_duplicates: measurements.DuplicatePairsAnswer = measurements.DuplicatePairsAnswer.blank()
    context_overlap: Distribution | None = Field(default=None, alias="overlap")
    authors: measurements.AuthorConcentrationAnswer = measurements.AuthorConcentrationAnswer.blank()
    associations: tuple[Association, ...] = ()
    associations_reason: str | None = None
    input_only_baseline: measurements.InputOnlyBaselineAnswer = measurements.InputOnlyBaselineAnswer.blank()

    @property
    def overlap(self) -> Distribution:
        """The spread of `context_overlap`, of no examples where there is none."""
        return self.context_overlap or Distribution.blank()

    @property
    def is_computing(self) -> bool:
        """Return whether the worker has yet to finish."""
        return self.state == "computing"
