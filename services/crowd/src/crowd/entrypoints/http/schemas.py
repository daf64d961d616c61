"""Paths and bodies of the HTTP interface."""

from typing import Annotated, Literal
from uuid import UUID

from dynabench_api.words import CampaignState, FairPlayDecision
from dynabench_common.http.schemas import Input, PageQuery, Text
from dynabench_events.crowd import AssignmentState, Work
from pydantic import BaseModel, Field, StringConstraints

from crowd.domain.campaign import LONGEST_TITLE, MOST_MINUTES, MOST_PLACES, MOST_UNITS, Terms
from crowd.domain.money import MOST_MINOR
from crowd.domain.platforms import RejectionCategory

LONGEST_REASON, SHORTEST_REASON = 1_000, 100
MOST_TOTAL = 2**53 - 1
"""The largest whole number that every JSON reader keeps."""
MOST_PARAMETERS, LONGEST_PARAMETER = 20, 2_000
Units = Annotated[int, Field(ge=1, le=MOST_UNITS, description="Tries or votes in an assignment")]
Places = Annotated[int, Field(ge=1, le=MOST_PLACES)]
Amount = Annotated[int, Field(ge=0, le=MOST_MINOR)]
Word = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
Sentence = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_REASON)]
Parameter = Annotated[str, StringConstraints(max_length=LONGEST_PARAMETER)]


class RoundPath(BaseModel):
    """A round in an address."""

    round_id: UUID


class CampaignPath(BaseModel):
    """A campaign in an address."""

    campaign_id: UUID


class AssignmentPath(BaseModel):
    """An assignment in an address."""

    assignment_id: UUID


class PlatformPath(BaseModel):
    """A platform in an address."""

    platform: Text


class CampaignBody(Input):
    """The terms of a campaign. Amounts are minor units of the currency."""

    work: Work
    title: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_TITLE)]
    platform: str
    units: Units
    places: Places
    reward_minor: Amount
    bonus_minor: Amount = Field(default=0, description="Bonus for each validated error")
    screen_out_minor: Amount = Field(default=0, description="Payment of a person who is screened out")
    currency: str = Field(description="ISO 4217 code")
    minutes: int = Field(ge=1, le=MOST_MINUTES, description="Time limit of an assignment")
    languages: list[Word] = Field(default_factory=list)
    qualifications: list[Word] = Field(
        default_factory=list, description="Participant groups or filters of the platform"
    )

    def terms(self) -> Terms:
        """Return the terms."""
        given = self.model_dump(exclude={"languages", "qualifications"})
        return Terms(**given, languages=tuple(self.languages), qualifications=tuple(self.qualifications))


class EstimateBody(Input):
    """The terms that pay depends on. Amounts are minor units of the currency."""

    work: Work
    platform: str
    units: Units
    places: Places
    reward_minor: Amount
    bonus_minor: Amount = Field(default=0, description="Bonus for each validated error")
    currency: str = Field(description="ISO 4217 code")

    def terms(self) -> Terms:
        """Return the terms of a campaign that is not drafted yet."""
        return Terms(
            **self.model_dump(),
            title="Estimate",
            screen_out_minor=0,
            minutes=1,
            languages=(),
            qualifications=(),
        )


class PaymentBody(Input):
    """The total that the preview has shown."""

    total_minor: int = Field(ge=0, le=MOST_TOTAL, description="Minor units, as in the answer of `owed`")


class TopUpBody(Input):
    """An addition to each reward."""

    amount_minor: int = Field(ge=1, le=MOST_MINOR, description="Minor units of the campaign's currency")


class PaymentPath(BaseModel):
    """A payment in an address."""

    payment_id: UUID


class StateBody(Input):
    """A state for a campaign."""

    state: Literal[CampaignState.RUNNING, CampaignState.PAUSED, CampaignState.ENDED]


class PlacesBody(Input):
    """A larger number of places."""

    places: Places


class AssignmentsQuery(PageQuery):
    """Filter of a list of assignments."""

    state: AssignmentState | None = None


class RejectionBody(Input):
    """The reason of a rejection, which the person and the platform read."""

    category: RejectionCategory
    reason: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=SHORTEST_REASON, max_length=LONGEST_REASON),
    ]


class FairPlayBody(Input):
    """The owner's decision on evidence, with the reason, or the answer to an appeal, which the person reads."""

    decision: Literal[FairPlayDecision.NO_CONCERN, FairPlayDecision.EXCLUDED]
    reason: Sentence


class AppealBody(Input):
    """A person's appeal against their exclusion."""

    text: Sentence


class EntryBody(Input):
    """An entry through a platform's link."""

    campaign_id: UUID
    parameters: dict[str, Parameter] = Field(
        max_length=MOST_PARAMETERS,
        description="Parameters of the address that the platform sent the person to",
    )
    device: Annotated[str, StringConstraints(max_length=100)] | None = Field(
        default=None, description="Random id of the person's browser; null without one"
    )
    address: Annotated[str, StringConstraints(max_length=100)] | None = Field(
        default=None, description="Network address of the person, stored for 30 days as a keyed hash alone"
    )


class CompletionBody(Input):
    """The end of the work."""

    nothing_left: bool = Field(default=False, description="Whether the pages had no more work for the person")
