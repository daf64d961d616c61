"""Bodies and answers about an example's outcome: its votes, an owner's decision, an author's appeal."""

from typing import Annotated, Literal

from dynabench_api.validation import AppealRecord
from dynabench_common.http.schemas import Input
from dynabench_tasks.votes import VoteKind
from pydantic import Field, JsonValue, StringConstraints

from validation.domain.ballots import Ballot
from validation.domain.outcomes import Appeal

LONGEST_REASON = 1_000
Reason = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_REASON)]


def appeal_record(appeal: Appeal) -> AppealRecord:
    """Return the record of an appeal."""
    return AppealRecord(reason=appeal.reason, at=appeal.appealed_at, answer=appeal.answer or None)


class AdjudicationBody(Input):
    """An owner's decision. It replaces all votes."""

    kind: Literal[VoteKind.LABEL, VoteKind.JUDGEMENT, VoteKind.FLAG] = Field(
        description="Kind of the answer, as for votes"
    )
    value: JsonValue = Field(default=None, description="The answer, as for votes; null with `flag`")
    reason: Reason = Field(description="Reason for the author and for the audit log")

    def ballot(self) -> Ballot:
        """Return what the domain takes: a flag's reason is the decision's."""
        return Ballot(VoteKind(self.kind), self.value, self.reason if self.kind is VoteKind.FLAG else "")


class AppealBody(Input):
    """The author's appeal against a resolution."""

    reason: Reason = Field(description="Reason why the resolution is wrong, for the task's owner")
