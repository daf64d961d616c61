"""Paths, filters and answers about public examples."""

import math
from collections import Counter
from typing import Annotated
from uuid import UUID

from dynabench_api.public_examples import PublicExampleAnswer, PublicTargetAnswer
from dynabench_api.validation import OptionCount
from dynabench_common.auth.private_tasks import hidden_tasks
from dynabench_common.http.schemas import Input, PageQuery, Text, cursor_id, cursor_moment, page_start
from pydantic import BaseModel, Field, StringConstraints

from scoring.adapters.public_examples import Position
from scoring.dataset.rows import ExampleRow, TargetAnswer
from scoring.domain.public_examples import Order, PublicExample, Wanted

LARGEST_PAGE = 50
LONGEST_REASON = 1_000


class PublicExamplePath(BaseModel):
    """A public example in an address."""

    example_id: UUID


class TaskPath(BaseModel):
    """A task in an address."""

    slug: Text = Field(max_length=100)


class ModerationQuery(PageQuery):
    """The requested part of the reported or the hidden examples."""

    limit: int = Field(default=20, ge=1, le=LARGEST_PAGE, description="Most items to return")

    def after(self) -> UUID | None:
        """Return the id that the page starts after. Raises Problem 422 for a cursor of another list."""
        return page_start(self.cursor, cursor_id)


Reason = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_REASON)]


class ReportBody(Input):
    """A report about a public example."""

    reason: Reason = Field(description="Reason why nobody should read it, for the task's owners")


class HideBody(Input):
    """The hiding of an example."""

    reason: Reason | None = Field(
        default=None, description="Reason for the audit log; authors need none for their own examples"
    )


class ReasonedBody(Input):
    """A decision about an example of another person."""

    reason: Reason = Field(description="Reason for the audit log")


class PublicExamplesQuery(PageQuery):
    """Filters and order of public examples."""

    limit: int = Field(default=20, ge=1, le=LARGEST_PAGE, description="Most items to return")
    task: Text | None = Field(
        default=None, max_length=100, description="Slug of a task; all tasks if left out"
    )
    round_id: UUID | None = Field(default=None, description="A round")
    dataset_id: UUID | None = Field(default=None, description="A dataset: only the examples in it")
    target: Text | None = Field(
        default=None, max_length=200, description="A target: only examples that it got wrong"
    )
    order: Order = Field(
        default=Order.NEWEST,
        description="newest: by the time of the decision. best: by the number of targets that were wrong, then "
        "unanimous votes, then the confidence of the wrong answers",
    )

    def wanted(self) -> Wanted:
        """Return the part of the public examples that these filters describe."""
        return Wanted(
            self.task, self.round_id, self.dataset_id, self.target or "", self.order, hidden_tasks()
        )

    def after(self) -> Position | None:
        """Return the place that the page starts after. Raises Problem 422 for a cursor of another list."""
        return page_start(self.cursor, self._position)

    def _position(self, key: object, example_id: object) -> Position:
        read = cursor_moment if self.order is Order.NEWEST else _merit
        return Position(read(key), cursor_id(example_id))


def _merit(value: object) -> float:
    """Return the merit of the last example of a page. Raises ValueError for an impossible one."""
    if not isinstance(value, str) or not math.isfinite(number := float(value)):
        raise ValueError(value)
    return number


def public_example_answer(found: PublicExample) -> PublicExampleAnswer:
    """Return the answer about a public example."""
    row = found.row
    return PublicExampleAnswer(
        example_id=row.example_id,
        task_slug=found.task_slug,
        task_title=found.task_title,
        round_id=str(found.round_id),
        round_number=found.round_number,
        round_title=found.round_title,
        configuration_version=found.configuration_version,
        context=dict(row.context) if found.shows_context else None,
        input=dict(row.input),
        claimed=row.claimed,
        golds=row.golds,
        answers=tuple(_answer(each, found.errors_of) for each in row.targets),
        votes=_votes(row),
        tags=row.tags if found.shows_context else (),
        cohort=row.cohort,
        author=row.author if found.dataset_id else None,
        content_notice=str(found.configuration.get("content_warning") or "") or None,
        created_at=row.created_at,
        resolved_at=found.resolved_at,
        dataset_id=str(found.dataset_id) if found.dataset_id else None,
    )


def _answer(given: TargetAnswer, errors_of: frozenset[str]) -> PublicTargetAnswer:
    is_given = given.answer is not None
    return PublicTargetAnswer(
        target=given.name,
        value=given.answer,
        wrong=given.name in errors_of if is_given else None,
        confidence=given.confidence,
        probabilities=dict(given.probabilities) if given.probabilities else None,
        model_digest=given.digest if is_given else None,
    )


def _votes(row: ExampleRow) -> tuple[OptionCount, ...]:
    counts = Counter(vote.option for vote in row.votes)
    ordered = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    return tuple(OptionCount(option=option, count=count) for option, count in ordered)
