"""Confirmed errors that anybody may read, reports about them, and decisions on the reports."""

from datetime import datetime

from pydantic import Field

from dynabench_api.base import FieldValue, Id, Page, Record, Value, Values
from dynabench_api.validation import OptionCount


class PublicTargetAnswer(Record):
    """A target's answer. Everything but the name is null if the target was not asked or gave no answer in time."""

    target: str
    value: Value | None = Field(
        description="The answer, a value of the claimed field; null without an answer"
    )
    wrong: bool | None = Field(description="True if the example is a validated error of this target")
    confidence: float | None
    probabilities: dict[str, float] | None = Field(description="Probability of each label; null if not known")
    model_digest: str | None


class PublicExampleAnswer(Record):
    """A validated error that anybody may read. It names nobody: neither author nor voters."""

    example_id: Id
    task_slug: str
    task_title: str
    round_id: Id
    round_number: int
    round_title: str
    configuration_version: int = Field(
        description="Version of the task's configuration that defines the fields"
    )
    context: Values | None = Field(description="Fields of the context; null if the author did not see it")
    input: Values = Field(description="Fields that the author wrote, without the claim")
    claimed: Value | None = Field(description="The author's claim; null if the author claimed nothing")
    golds: tuple[FieldValue, ...] = Field(description="Answers that stand as gold")
    answers: tuple[PublicTargetAnswer, ...] = Field(description="An answer for each target of the round")
    votes: tuple[OptionCount, ...] = Field(
        description="Votes that count, by answer; the most frequent answer first"
    )
    tags: tuple[str, ...] = Field(description="Tags of the context")
    cohort: str
    author: str | None = Field(
        description="Pseudonym of the author in the released dataset; null before the release, or if unknown"
    )
    content_notice: str | None = Field(
        description="Warning to show before the texts; null if the task has none"
    )
    created_at: datetime
    resolved_at: datetime
    dataset_id: Id | None = Field(description="Dataset that holds the example; null before the release")


class PublicExamplesAnswer(Page[PublicExampleAnswer]):
    """A page of validated errors that anybody may read."""


class ExampleReportAnswer(Record):
    """A person's report about a public example."""

    example_id: Id
    reason: str
    reported_at: datetime


class ReportedExampleAnswer(Record):
    """An example with open reports, for the task's owners. It does not name the reporters."""

    example_id: Id
    round_id: Id
    round_number: int
    context: Values
    input: Values
    is_public: bool = Field(description="True if anybody can read the example now")
    reports: int = Field(description="Number of open reports")
    reasons: tuple[str, ...] = Field(description="Reasons of the newest open reports, at most 10")
    reported_at: datetime = Field(description="Time of the newest open report")


class ReportedExamplesAnswer(Page[ReportedExampleAnswer]):
    """A page of examples with open reports."""


class OwnerHiddenExampleAnswer(Record):
    """An example that an owner of its task hides."""

    example_id: Id
    round_id: Id
    round_number: int
    context: Values
    input: Values
    reason: str = Field(description="The reason that the owner gave")
    hidden_at: datetime


class OwnerHiddenExamplesAnswer(Page[OwnerHiddenExampleAnswer]):
    """A page of examples that owners of their task hide."""


class HiddenExampleAnswer(Record):
    """An example as hidden from the public, or as shown again."""

    example_id: Id
    is_hidden: bool = Field(description="True while its author or an owner hides it")
    reports_closed: int = Field(description="Number of reports that this decision closed")
