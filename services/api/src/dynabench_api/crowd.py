"""Campaigns that recruit and pay people, from the crowd service. Amounts are in minor units of their currency."""

from datetime import datetime

from pydantic import Field

from dynabench_api.base import Id, Page, Record
from dynabench_api.words import (
    AssignmentState,
    CampaignState,
    CampaignWork,
    EvidenceKind,
    FairPlayDecision,
    PaymentKind,
    PaymentState,
)


class PlatformAnswer(Record):
    """A crowd platform that the operator has connected."""

    name: str = Field(
        description="Name in a campaign's `platform`, for example `prolific`, `mturk` or `sona`"
    )
    title: str
    currencies: tuple[str, ...] = Field(description="ISO 4217 codes of accepted currencies")
    proves_people: bool = Field(
        description="Whether the platform signs an entry or confirms it when asked; others are weaker"
    )
    pays: bool = Field(
        description="Whether payments are made through the platform; else the owner pays by hand"
    )
    is_test: bool = Field(description="Whether no real money moves, as in a sandbox")


class PayEstimate(Record):
    """Expected time, hourly pay and cost of a campaign."""

    minutes: float | None = Field(description="Median minutes of an assignment; null without a measurement")
    measured_on: str = Field(description="`campaign`, `task`, or `nothing` if no such work has been measured")
    n: int = Field(description="Number of assignments or of equal amounts of work measured")
    hourly_minor: int | None = Field(
        description="Median pay for an hour without bonuses; null without minutes"
    )
    floor_minor: int = Field(description="The operator's lowest permitted hourly pay")
    recommended_minor: int
    is_below_floor: bool
    top_up_minor: int = Field(description="Amount to add to each assignment to reach the floor; 0 if none")
    cost_minor: int = Field(description="Rewards and platform's fees of all places")
    most_bonus_minor: int = Field(description="Bonuses if every example becomes a validated error")
    currency: str


class CampaignAnswer(Record):
    """A campaign with its progress and money."""

    campaign_id: Id
    task: str
    round_id: Id
    work: CampaignWork
    state: CampaignState
    title: str
    platform: str
    units: int = Field(description="Tries or votes in an assignment")
    places: int
    reward_minor: int
    bonus_minor: int = Field(description="Bonus for each validated error; 0 for none")
    screen_out_minor: int = Field(description="Payment of a person who is screened out; 0 if nobody is")
    currency: str
    minutes: int = Field(description="Time limit of an assignment")
    languages: tuple[str, ...]
    qualifications: tuple[str, ...] = Field(description="Participant groups or filters of the platform")
    study_id: str | None = Field(description="The study on the platform; null before the launch")
    study_url: str | None
    entry_url: str = Field(description="Address to which the platform sends people")
    problem: str | None = Field(
        description="Why the last launch or change on the platform failed; null if it did not"
    )
    counts: dict[str, int] = Field(description="Number of assignments in each state")
    open_appeals: int = Field(description="Number of appeals against an exclusion without an answer")
    units_done: int
    validated_errors: int
    reserved_minor: int
    owed_minor: int
    paid_minor: int
    lost_minor: int = Field(description="Bonuses paid for examples whose resolution was reversed afterwards")
    created_at: datetime
    launched_at: datetime | None
    ended_at: datetime | None


class CampaignOffer(Record):
    """Offer that a person reads before accepting."""

    campaign_id: Id
    task: str
    task_title: str
    work: CampaignWork
    state: CampaignState
    title: str
    platform: str
    platform_title: str
    units: int
    reward_minor: int
    bonus_minor: int
    currency: str
    minutes: int
    typical_minutes: float | None = Field(
        description="Median minutes of this work; null without a measurement"
    )
    languages: tuple[str, ...]
    is_open: bool = Field(description="Whether a new person can accept now")


class CrowdSession(Record):
    """Tokens of a worker, as a signed-in person has them."""

    access_token: str
    refresh_token: str
    expires_in: int


class FairPlayAnswer(Record):
    """The owner's decision on evidence against a person, and the person's appeal."""

    decision: FairPlayDecision
    reason: str = Field(description="The owner's reason before an appeal")
    decided_at: datetime
    appeal: str | None = Field(description="The person's appeal, once; null without one")
    appealed_at: datetime | None
    answer: str | None = Field(description="The owner's answer to the appeal; null before")
    answered_at: datetime | None


class WorkAnswer(Record):
    """A worker's assignment."""

    assignment_id: Id
    campaign_id: Id
    task: str
    round_id: Id
    work: CampaignWork
    state: AssignmentState
    units: int
    done: int
    validated_errors_in_round: int = Field(
        description="Validated errors of the person in the round, including those outside this assignment"
    )
    reward_minor: int
    bonus_minor: int
    currency: str
    deadline: datetime
    can_finish: bool = Field(
        description="Whether the work can be handed in: all units are done, or none can be done any more"
    )
    why: str | None = Field(
        description="Why fewer units are enough, `round_ended`, `nothing_left` or `handed_in_there`; the reason of a "
        "rejection; else null"
    )
    code: str | None = Field(description="Completion code; null before the work is handed in")
    back_url: str | None = Field(
        description="Address that returns the person to the platform; null if there is none"
    )
    fair_play: FairPlayAnswer | None = Field(
        description="The exclusion of the person, also if an appeal has ended it; else null"
    )


class EntryAnswer(Record):
    """An accepted entry."""

    work: WorkAnswer
    session: CrowdSession


class OwnWork(Record):
    """The caller's assignments, newest first."""

    items: tuple[WorkAnswer, ...]


class AssignmentAnswer(Record):
    """An assignment as the owner sees it."""

    assignment_id: Id
    person_id: Id
    state: AssignmentState
    done: int
    validated_errors: int
    accepted_at: datetime
    submitted_at: datetime | None
    minutes: float | None = Field(description="Minutes from accepting to handing in; null before")
    owed_minor: int
    paid_minor: int
    rejection_category: str | None = Field(description="The category of a rejection; else null")
    rejection: str | None = Field(description="The reason of a rejection; else null")
    why: str | None = Field(
        description="Why fewer units were handed in: `round_ended`, `nothing_left` or `handed_in_there`; else null"
    )
    is_proved: bool = Field(description="Whether the platform proved or confirmed the person's entry")


class AssignmentPage(Page[AssignmentAnswer]):
    """A part of a campaign's assignments, newest first."""


class ApprovedAnswer(Record):
    """The number of assignments that were approved."""

    approved: int


class FindingAnswer(Record):
    """One sign of unfair work of one person, with the same figure of other people."""

    kind: EvidenceKind
    figure: float = Field(
        description="`fast`: median seconds of a unit. `pasted`, `alike`, `alone`: share of units, 0 to 1. `device`, "
        "`address`: number of the campaign's people, this person included"
    )
    units: int = Field(
        description="Number of units behind the figure; of `device` and `address` that of entries"
    )
    characters: int | None = Field(description="`pasted`: number of pasted characters; else null")
    base_rate: float = Field(
        description="`pasted`, `alone`: the share of other people's units. Else the share of compared people or texts "
        "with such a finding"
    )
    people: tuple[Id, ...] = Field(description="People that `alike`, `device` and `address` connect with")


class ComparisonAnswer(Record):
    """Distribution of one figure over the people that it was compared among."""

    kind: EvidenceKind
    compared: int = Field(description="Number of people with enough work to compare")
    base_rate: float | None = Field(description="Null if there is too little work to find anything")
    typical: float | None = Field(description="`fast`: the median person's seconds of a unit; else null")


class PersonEvidence(Record):
    """Findings about a person of a campaign, and the owner's decision."""

    assignment_id: Id
    person_id: Id
    state: AssignmentState
    findings: tuple[FindingAnswer, ...]
    fair_play: FairPlayAnswer | None = Field(description="Null before the owner decides")


class EvidenceAnswer(Record):
    """Evidence for review in a campaign: people with a finding or a decision, open appeals first."""

    comparisons: tuple[ComparisonAnswer, ...]
    people: tuple[PersonEvidence, ...]


class PostingAnswer(Record):
    """One entry of the ledger: an amount moves from one account to another."""

    posting_id: Id
    at: datetime
    kind: str = Field(description="reserved, released, owed, bonus, reversed, paid, fee or loss")
    from_account: str
    to_account: str
    amount_minor: int
    currency: str
    assignment_id: Id | None
    cause: str


class PostingPage(Page[PostingAnswer]):
    """A part of a campaign's ledger, newest first."""


class PaymentAnswer(Record):
    """One payment to one person."""

    payment_id: Id
    assignment_id: Id
    person_id: Id
    kind: PaymentKind
    amount_minor: int
    currency: str
    state: PaymentState
    is_unconfirmed: bool = Field(
        description="Whether the platform does not list the payment, so that the owner decides if it was made"
    )
    is_unpaid: bool = Field(
        description="Whether the payment was refused and its amount is still owed, so that the owner may pay outside "
        "the platform and confirm it"
    )
    problem: str | None
    made_at: datetime
    settled_at: datetime | None


class PaymentPage(Page[PaymentAnswer]):
    """A part of a campaign's payments, newest first."""


class OwedAnswer(Record):
    """Amounts that *Pay all that is owed* would pay now."""

    people: int
    rewards_minor: int
    bonuses_minor: int
    total_minor: int
    currency: str
    waiting: int = Field(description="Number of assignments that must be approved or rejected first")
    unsettled: int = Field(description="Number of payments whose outcome the platform has not confirmed yet")


class ErrorCost(Record):
    """Cost of a validated error in one currency."""

    currency: str
    spent_minor: int = Field(description="Paid and owed in campaigns of the round")
    validated_errors: int = Field(description="Validated errors by people of these campaigns")
    per_error_minor: int | None = Field(description="Null without a validated error")


class ErrorCostAnswer(Record):
    """Cost of a round's validated errors that were paid for; empty without campaigns."""

    round_id: Id
    items: tuple[ErrorCost, ...]
