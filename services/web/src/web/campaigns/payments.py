"""Payments of a campaign: what is owed, what was paid, and the ledger."""

from dataclasses import dataclass
from functools import partial
from uuid import UUID, uuid4

from dynabench_client.results.crowd import Owed, Payment, Posting
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.campaigns.owned import OwnedCampaign, owned_campaign
from web.campaigns.people import person_name
from web.campaigns.plan import SAME_KEY
from web.campaigns.words import ACCOUNTS, PAYMENT_KINDS, POSTING_KINDS, named, payment_state
from web.kit import form
from web.kit.dependencies import platform
from web.kit.form import whole_number
from web.kit.money import money
from web.kit.numbers import TimeView, count, moment, short_id
from web.kit.outcomes import attempt
from web.kit.problems import ProblemView
from web.kit.rendering import download, go_to, page
from web.kit.service_words import service_words
from web.kit.words import Word

PAGE = 50

blueprint = Blueprint("campaign_payments", __name__, url_prefix="/tasks/<slug>/campaigns/<uuid:campaign_id>")


@dataclass(frozen=True)
class OwedView:
    """The amounts that a click would pay now."""

    people: int
    people_words: str
    rewards: str
    bonuses: str
    total: str
    total_minor: int
    waiting: int
    unsettled: int


@dataclass(frozen=True)
class PaymentRow:
    """A payment to a person."""

    payment_id: str
    person: str
    kind: str
    amount: str
    state: Word
    problem: str
    made: TimeView | None
    settled: TimeView | None
    can_be_confirmed: bool
    is_unconfirmed: bool
    is_unpaid: bool


@dataclass(frozen=True)
class PostingRow:
    """An entry of the ledger."""

    kind: str
    at: TimeView | None
    from_account: str
    to_account: str
    amount: str
    assignment: str


@blueprint.get("/pay")
@requires(Permission.MANAGE_CAMPAIGNS)
def get_pay(slug: str, campaign_id: UUID) -> Response:
    """Preview the payment of all that is owed."""
    return _pay_page(owned_campaign(slug, campaign_id))


@blueprint.post("/pay")
@requires(Permission.MANAGE_CAMPAIGNS)
def post_pay(slug: str, campaign_id: UUID) -> Response:
    """Pay all that is owed: the previewed total, once however often the form is sent."""
    owned, key = owned_campaign(slug, campaign_id), form.key()
    total = whole_number(request.form.get("total_minor", "")) or 0
    outcome = attempt(
        partial(platform().crowd.pay, owned.campaign_id, total_minor=total, idempotency_key=key)
    )
    if outcome.value is None:
        return _pay_page(owned, outcome.problem)
    return go_to(owned.address("payments"), "payments-listed" if owned.pays_by_hand else "payments-made")


@blueprint.get("/payments")
@requires(Permission.MANAGE_CAMPAIGNS)
def get_payments(slug: str, campaign_id: UUID) -> Response:
    """List the payments."""
    return _payments_page(owned_campaign(slug, campaign_id))


@blueprint.post("/payments/<uuid:payment_id>/<any(paid, unpaid):outcome>")
@requires(Permission.MANAGE_CAMPAIGNS)
def post_paid(slug: str, campaign_id: UUID, payment_id: UUID, outcome: str) -> Response:
    """Confirm a payment that the owner made by hand, or settle one that the platform does not list."""
    owned, crowd = owned_campaign(slug, campaign_id), platform().crowd
    confirm = crowd.confirm_paid if outcome == "paid" else crowd.confirm_unpaid
    confirmed = attempt(partial(confirm, str(payment_id)))
    if confirmed.value is None:
        return _payments_page(owned, confirmed.problem)
    return go_to(owned.address("payments"), "payment-confirmed" if outcome == "paid" else "payment-denied")


@blueprint.get("/payments.csv")
@requires(Permission.MANAGE_CAMPAIGNS)
def get_payments_csv(slug: str, campaign_id: UUID) -> Response:
    """Send the list of payments for a platform that does not pay: the only place with its ids of people."""
    owned = owned_campaign(slug, campaign_id)
    pieces = platform().crowd.payments_to_make(owned.campaign_id)
    return download(pieces, f"payments-{short_id(owned.campaign_id)}.csv", "text/csv; charset=utf-8")


@blueprint.get("/ledger")
@requires(Permission.MANAGE_CAMPAIGNS)
def get_ledger(slug: str, campaign_id: UUID) -> Response:
    """List the entries of the campaign's ledger."""
    owned, cursor = owned_campaign(slug, campaign_id), request.args.get("cursor")
    listed = platform().crowd.ledger(owned.campaign_id, cursor=cursor, limit=PAGE)
    return page(
        "campaigns/ledger.html",
        **owned.views(),
        postings=[posting_row(each) for each in listed.items],
        next_cursor=listed.next_cursor,
        is_first=not cursor,
    )


def _pay_page(owned: OwnedCampaign, problem: ProblemView | None = None) -> Response:
    return page(
        "campaigns/pay.html",
        problem.status if problem else 200,
        **owned.views(),
        owed=owed_view(platform().crowd.owed(owned.campaign_id)),
        form_key=form.key() if problem is None or problem.slug in SAME_KEY else uuid4().hex,
        problem=problem,
    )


def _payments_page(owned: OwnedCampaign, problem: ProblemView | None = None) -> Response:
    cursor = request.args.get("cursor")
    listed = platform().crowd.payments(owned.campaign_id, cursor=cursor, limit=PAGE)
    return page(
        "campaigns/payments.html",
        problem.status if problem else 200,
        **owned.views(),
        payments=[payment_row(each, by_hand=owned.pays_by_hand) for each in listed.items],
        next_cursor=listed.next_cursor,
        is_first=not cursor,
        problem=problem,
    )


def owed_view(found: Owed) -> OwedView:
    """Return the view of what is owed."""
    return OwedView(
        people=found.people,
        people_words=count(found.people),
        rewards=money(found.rewards_minor, found.currency),
        bonuses=money(found.bonuses_minor, found.currency),
        total=money(found.total_minor, found.currency),
        total_minor=found.total_minor,
        waiting=found.waiting,
        unsettled=found.unsettled,
    )


def payment_row(found: Payment, *, by_hand: bool) -> PaymentRow:
    """Return the row of a payment; owners confirm those that they make by hand."""
    return PaymentRow(
        payment_id=found.payment_id,
        person=person_name(found.person_id),
        kind=named(found.kind, PAYMENT_KINDS),
        amount=money(found.amount_minor, found.currency),
        state=payment_state(found.state),
        problem=service_words(found.problem or ""),
        made=moment(found.made_at),
        settled=moment(found.settled_at),
        can_be_confirmed=(by_hand and found.state in {"prepared", "unknown"}) or found.is_unconfirmed,
        is_unconfirmed=found.is_unconfirmed,
        is_unpaid=found.is_unpaid,
    )


def posting_row(found: Posting) -> PostingRow:
    """Return the row of an entry of the ledger."""
    return PostingRow(
        kind=named(found.kind, POSTING_KINDS),
        at=moment(found.at),
        from_account=named(found.from_account, ACCOUNTS),
        to_account=named(found.to_account, ACCOUNTS),
        amount=money(found.amount_minor, found.currency),
        assignment=short_id(found.assignment_id) if found.assignment_id else "",
    )
