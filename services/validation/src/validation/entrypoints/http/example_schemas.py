"""The query and the answers about a round's examples."""

from uuid import UUID

from dynabench_api.validation import RoundExample, RoundExamplesAnswer
from dynabench_common.http.schemas import PageQuery, Text, cursor_moment_and_id, cut_page, page_start
from dynabench_tasks.verdict import Verdict
from pydantic import Field

from validation.domain.example_filters import Became, ExampleFilter
from validation.domain.owner_work import Disagreement
from validation.entrypoints.http.lease_schemas import LONGEST_NAME
from validation.queries.votes import Record
from validation.queries.work import Position

LONGEST_SEARCH = 200


class ExamplesQuery(PageQuery):
    """Filters of a round's examples."""

    text: Text | None = Field(
        default=None,
        max_length=LONGEST_SEARCH,
        description="Words or beginnings of words. The context or input must contain all of them; case is ignored",
    )
    verdict: Verdict | None = None
    became: Became | None = Field(
        default=None,
        description="The resolution, or waiting (for votes), unasked (not sent to voters) or retracted",
    )
    tag: Text | None = Field(default=None, max_length=LONGEST_NAME, description="A tag of the context")
    author_id: UUID | None = None
    disagreement: Disagreement | None = Field(
        default=None,
        description="author: no vote equals the author's claim. voters: the votes are not all equal",
    )

    def wanted(self) -> ExampleFilter:
        """Return what the view takes; a search for nothing finds everything."""
        text = (self.text or "").strip() or None
        return ExampleFilter(
            text, self.verdict, self.became, self.tag or None, self.author_id, self.disagreement
        )

    def after(self) -> Position | None:
        """Return what the page before ended with. Raises Problem 422 for a cursor of another list."""
        return page_start(self.cursor, cursor_moment_and_id)


def round_examples_answer(found: list[Record], limit: int) -> RoundExamplesAnswer:
    """Return the page of `found`, which holds one item more if there is a next page."""
    page, cursor = cut_page(found, limit, lambda record: (record["created_at"], record["example_id"]))
    return RoundExamplesAnswer(
        items=[RoundExample.model_validate(record) for record in page], next_cursor=cursor
    )
