"""Bodies and answers of the routes about a person's own votes."""

from typing import Annotated, Any, Self
from uuid import UUID

from dynabench_api.validation import OwnVoteAnswer
from dynabench_common.http.schemas import Input, Moment, Parameters
from pydantic import Field, JsonValue, StringConstraints, model_validator

from validation.domain.ballots import Remarks
from validation.entrypoints.http.schemas import RoundPath, question_about

LONGEST_EXPLANATION = 1_000
MOST_OWN_VOTES = 50


class JudgementBody(Input):
    """A voter's remarks on the revealed claim. They replace earlier remarks."""

    agrees: bool | None = Field(
        default=None,
        strict=True,
        description="True if the author's claim is right. Leave it out for votes by judgement",
    )
    corrected: JsonValue = Field(
        default=None, description="The right claim: a value of the claimed field, as in a vote"
    )
    explanation: (
        Annotated[str, StringConstraints(strip_whitespace=True, max_length=LONGEST_EXPLANATION)] | None
    ) = Field(default=None, description="Reason why the voter's own answer is right")

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.agrees is None and not self.corrected and not self.explanation:
            raise ValueError("has none of agrees, corrected and explanation")
        return self

    def remarks(self) -> Remarks:
        """Return what the domain takes."""
        return Remarks(self.agrees, self.corrected, self.explanation or "")


class OwnVotesQuery(Parameters):
    """The number of votes to list."""

    limit: int = Field(default=10, ge=1, le=MOST_OWN_VOTES, description="Maximum number of votes to return")


class VoterPath(RoundPath):
    """A voter of a round in an address."""

    voter_id: UUID


class VoteCountQuery(Parameters):
    """The moment from which votes are counted, or the assigned checks that they are for."""

    since: Moment
    order_id: UUID | None = Field(
        default=None, description="Assigned checks of certain examples: count the votes on these instead"
    )


def own_vote_answer(record: dict[str, Any]) -> OwnVoteAnswer:
    """Return the answer that tells of a vote."""
    fields = {name: value for name, value in record.items() if name != "served"}
    return OwnVoteAnswer(**fields, **question_about(record["served"]))
