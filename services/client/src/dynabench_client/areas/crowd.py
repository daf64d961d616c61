"""Campaigns that recruit and pay people, their assignments and money, and the work of the people."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NotRequired, TypedDict, Unpack

from dynabench_client.areas.dead_letters import DeadLettersClient
from dynabench_client.connection import given, segment
from dynabench_client.results.base import Empty, Page, whole
from dynabench_client.results.crowd import (
    Approved,
    Campaign,
    CampaignAssignment,
    CampaignOffer,
    Entry,
    ErrorCost,
    Evidence,
    FairPlay,
    Owed,
    PayEstimate,
    Payment,
    Platform,
    Posting,
    Work,
)


class PayTerms(TypedDict):
    """The terms that pay depends on."""

    platform: str
    units: int
    places: int
    reward_minor: int
    bonus_minor: NotRequired[int]
    currency: str


class CampaignTerms(PayTerms):
    """The terms of a campaign; `minutes` is the time limit of an assignment."""

    title: str
    minutes: int
    screen_out_minor: NotRequired[int]
    languages: NotRequired[Sequence[str]]
    qualifications: NotRequired[Sequence[str]]


class CrowdClient(DeadLettersClient):
    """Client of the crowd service. Amounts are in minor units of their currency."""

    service = "crowd"

    def platforms(self) -> tuple[Platform, ...]:
        """List the crowd platforms that the operator has connected, for owners of tasks."""
        return self._list("/platforms", Platform)

    def estimate(self, round_id: str, work: str, **terms: Unpack[PayTerms]) -> PayEstimate:
        """Return the expected time, hourly pay and cost of a campaign; `work` is create or validate."""
        body = {"work": work, **terms}
        return self._post(f"/rounds/{segment(round_id)}/estimates", body, PayEstimate, idempotent=True)

    def create(
        self, round_id: str, work: str, *, idempotency_key: str | None = None, **terms: Unpack[CampaignTerms]
    ) -> Campaign:
        """Draft a campaign, which starts with `set_state`."""
        body = {"work": work, **terms}
        return self._write_once(f"/rounds/{segment(round_id)}/campaigns", body, Campaign, idempotency_key)

    def change(self, campaign_id: str, work: str, **terms: Unpack[CampaignTerms]) -> Campaign:
        """Replace a draft."""
        return self._put(f"/campaigns/{segment(campaign_id)}", {"work": work, **terms}, Campaign)

    def campaigns(self, round_id: str) -> tuple[Campaign, ...]:
        """List the campaigns of a round."""
        return self._list(f"/rounds/{segment(round_id)}/campaigns", Campaign)

    def campaign(self, campaign_id: str) -> Campaign:
        """Return a campaign with its progress and money."""
        return self._get(f"/campaigns/{segment(campaign_id)}", Campaign)

    def discard_draft(self, campaign_id: str) -> None:
        """Delete a draft."""
        self._delete(f"/campaigns/{segment(campaign_id)}", Empty)

    def pay_of(self, campaign_id: str) -> PayEstimate:
        """Return the pay of a campaign, by its own median time once people have handed in."""
        return self._get(f"/campaigns/{segment(campaign_id)}/estimate", PayEstimate)

    def set_state(self, campaign_id: str, state: str) -> Campaign:
        """Set the state to running, paused or ended; the first running launches the campaign."""
        return self._put(f"/campaigns/{segment(campaign_id)}/state", {"state": state}, Campaign)

    def set_places(self, campaign_id: str, places: int) -> Campaign:
        """Set the number of places, which can only grow."""
        return self._put(f"/campaigns/{segment(campaign_id)}/places", {"places": places}, Campaign)

    def assignments(
        self,
        campaign_id: str,
        *,
        state: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[CampaignAssignment]:
        """List the assignments of a campaign, of one state or of all; newest first."""
        path = f"/campaigns/{segment(campaign_id)}/assignments"
        return self._get(path, Page[CampaignAssignment], state=state, limit=limit, cursor=cursor)

    def approve(self, assignment_id: str) -> CampaignAssignment:
        """Approve an assignment that was handed in."""
        return self._put(f"/assignments/{segment(assignment_id)}/approval", {}, CampaignAssignment)

    def reject(self, assignment_id: str, category: str, reason: str) -> CampaignAssignment:
        """Reject an assignment that was handed in, with a category of the platform and a reason for the person."""
        body = {"category": category, "reason": reason}
        return self._put(f"/assignments/{segment(assignment_id)}/rejection", body, CampaignAssignment)

    def screen_out(self, assignment_id: str) -> CampaignAssignment:
        """End the assignment of a person who does not fit, and owe the amount for that."""
        return self._put(f"/assignments/{segment(assignment_id)}/screen-out", {}, CampaignAssignment)

    def approve_all(self, campaign_id: str) -> Approved:
        """Approve everything that was handed in."""
        return self._post(f"/campaigns/{segment(campaign_id)}/approvals", {}, Approved, idempotent=True)

    def evidence(self, campaign_id: str) -> Evidence:
        """Return the people of a campaign whose work stands out, each figure with its base rate."""
        return self._get(f"/campaigns/{segment(campaign_id)}/evidence", Evidence)

    def decide_fair_play(self, assignment_id: str, decision: str, reason: str) -> FairPlay:
        """Find `no_concern`, or have a person `excluded` from the task's campaigns; the reason answers an appeal."""
        body = {"decision": decision, "reason": reason}
        return self._put(f"/assignments/{segment(assignment_id)}/fair-play", body, FairPlay)

    def owed(self, campaign_id: str) -> Owed:
        """Return what `pay` would pay now."""
        return self._get(f"/campaigns/{segment(campaign_id)}/owed", Owed)

    def pay(
        self, campaign_id: str, total_minor: int, *, idempotency_key: str | None = None
    ) -> tuple[Payment, ...]:
        """Pay all that is owed, each person once.

        `total_minor` is the amount that `owed` showed. The problem `owed-changed` means that another is owed now.
        """
        path = f"/campaigns/{segment(campaign_id)}/payments"
        return self._write_once(path, {"total_minor": total_minor}, whole(Payment), idempotency_key).items

    def top_up(self, campaign_id: str, amount_minor: int) -> Owed:
        """Owe an addition to everybody who has handed in; nobody gets a second one. Returns what is owed now."""
        path, body = f"/campaigns/{segment(campaign_id)}/top-up", {"amount_minor": amount_minor}
        return self._post(path, body, Owed, idempotent=True)

    def payments(
        self, campaign_id: str, *, limit: int | None = None, cursor: str | None = None
    ) -> Page[Payment]:
        """List the payments of a campaign, newest first."""
        path = f"/campaigns/{segment(campaign_id)}/payments"
        return self._get(path, Page[Payment], limit=limit, cursor=cursor)

    def payments_to_make(self, campaign_id: str) -> Iterator[bytes]:
        """Yield a CSV file of the payments that the owner makes by hand, where the platform pays nobody."""
        return self._pieces(f"/campaigns/{segment(campaign_id)}/payments.csv")

    def confirm_paid(self, payment_id: str) -> Payment:
        """Confirm a payment that was made by hand, or that the platform has made but does not list."""
        return self._put(f"/payments/{segment(payment_id)}/paid", {}, Payment)

    def confirm_unpaid(self, payment_id: str) -> Payment:
        """State that a payment was not made, so that the amount is owed again."""
        return self._put(f"/payments/{segment(payment_id)}/unpaid", {}, Payment)

    def ledger(
        self, campaign_id: str, *, limit: int | None = None, cursor: str | None = None
    ) -> Page[Posting]:
        """List the entries of a campaign's ledger, newest first."""
        path = f"/campaigns/{segment(campaign_id)}/ledger"
        return self._get(path, Page[Posting], limit=limit, cursor=cursor)

    def error_cost(self, round_id: str) -> tuple[ErrorCost, ...]:
        """Return the cost of a round's validated errors by currency; there is none without campaigns."""
        return self._list(f"/rounds/{segment(round_id)}/error-cost", ErrorCost)

    def offer(self, campaign_id: str) -> CampaignOffer:
        """Return what a campaign asks of people and pays."""
        return self._get(f"/campaigns/{segment(campaign_id)}/offer", CampaignOffer)

    def enter(
        self,
        campaign_id: str,
        parameters: Mapping[str, str],
        device: str | None = None,
        address: str | None = None,
    ) -> Entry:
        """Accept a person whom a platform sent with these parameters; for the pages alone.

        A person who comes again continues the same assignment in a new session. `device` is an id of their browser,
        `address` that of their network.
        """
        known = given(device=device, address=address)
        body = {"campaign_id": campaign_id, "parameters": dict(parameters), **known}
        return self._post("/entries", body, Entry, idempotent=True)

    def my_work(self) -> tuple[Work, ...]:
        """Return your own assignments, newest first."""
        return self._list("/me/assignments", Work)

    def complete(self, assignment_id: str, *, nothing_left: bool = False) -> Work:
        """Hand your assignment in; the result has the completion code.

        `nothing_left` says that the platform had no more work for you, so fewer units are enough.
        """
        body = {"nothing_left": nothing_left}
        return self._put(f"/assignments/{segment(assignment_id)}/completion", body, Work)

    def appeal(self, assignment_id: str, text: str) -> Work:
        """Appeal once against your exclusion."""
        return self._post(f"/assignments/{segment(assignment_id)}/appeal", {"text": text}, Work)

    def give_back(self, assignment_id: str) -> Work:
        """Return your place, so that another person gets it."""
        return self._put(f"/assignments/{segment(assignment_id)}/return", {}, Work)
