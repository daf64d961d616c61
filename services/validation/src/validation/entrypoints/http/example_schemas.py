"""The query and the answers about a round's examples."""

from datetime import datetime
from uuid import UUID

from dynabench_common.schemas import PageQuery, Text, cursor_invalid, decode_cursor, encode_cursor
from dynabench_tasks.values import Value
from dynabench_tasks.verdict import Verdict
from pydantic import BaseModel, Field

from validation.domain.example_filters import Became, ExampleFilter
from validation.domain.owner_work import Disagreement
from validation.entrypoints.http.lease_schemas import LONGEST_NAME
from validation.entrypoints.http.work_schemas import OptionCount
from validation.queries.votes import Record
from validation.queries.work import Position

LONGEST_SEARCH = 200


class ExamplesQuery(PageQuery):
    """Which examples of a round are asked for."""

    text: Text | None = Field(
        default=None,
        max_length=LONGEST_SEARCH,
        description="Words that the context or the input must all have, or begin with, in upper or lower case",
    )
    verdict: Verdict | None = None
    became: Became | None = Field(
        default=None,
        description="The resolution; waiting: for votes; unasked: not sent to voters; retracted: taken back",
    )
    tag: Text | None = Field(default=None, max_length=LONGEST_NAME, description="A tag of the context")
    author_id: UUID | None = None
    disagreement: Disagreement | None = Field(
        default=None,
        description="author: no vote says what the author claims; voters: the votes don't all say the same",
    )

    def wanted(self) -> ExampleFilter:
        """Return what the view takes; a search for nothing finds everything."""
        text = (self.text or "").strip() or None
        return ExampleFilter(
            text, self.verdict, self.became, self.tag or None, self.author_id, self.disagreement
        )

    def after(self) -> Position | None:
        """Return what the page before ended with. Raises Problem 422 for a cursor of another list."""
        if self.cursor is None:
            return None
        try:
            at, example_id = decode_cursor(self.cursor)
            return datetime.fromisoformat(at), UUID(example_id)
        except (TypeError, ValueError, AttributeError) as err:
            raise cursor_invalid() from err


class RoundExample(BaseModel):
    """An example of a round, for those who look after it."""

    example_id: UUID
    author_id: UUID
    created_at: datetime
    context: dict[str, Value] = Field(description="Empty once the example was taken back")
    input: dict[str, Value] = Field(description="Empty once the example was taken back")
    verdict: Verdict | None = Field(description="Null while the caller holds it, or may answer otherwise")
    tags: list[str] = Field(description="Those of the context")
    is_hidden: bool = Field(
        description="True if you may still vote on it: then it seems to wait, and claim and votes are left out"
    )
    became: Became
    claimed: Value | None
    votes: list[OptionCount] = Field(description="The votes that count, the most frequent answer first")


class RoundExamplesAnswer(BaseModel):
    """A page of a round's examples, the newest first."""

    items: list[RoundExample]
    next_cursor: str | None

    @classmethod
    def of(cls, found: list[Record], limit: int) -> "RoundExamplesAnswer":
        """Return the page of `found`, which holds one item more if there is a next page."""
        items = [RoundExample.model_validate(record) for record in found[:limit]]
        if len(found) <= limit:
            return cls(items=items, next_cursor=None)
        last = items[-1]
        return cls(items=items, next_cursor=encode_cursor(last.created_at.isoformat(), str(last.example_id)))
