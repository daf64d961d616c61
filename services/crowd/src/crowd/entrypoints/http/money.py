"""Routes about money: estimates, what is owed, payments, the ledger, and the cost of errors."""

import csv
import io
from uuid import UUID

from dynabench_api.base import Record
from dynabench_api.crowd import (
    ErrorCostAnswer,
    OwedAnswer,
    PayEstimate,
    PaymentAnswer,
    PaymentPage,
    PostingPage,
)
from dynabench_common.auth.permissions import Permission, requires, signed_in_person
from dynabench_common.http.openapi import content
from dynabench_common.http.schemas import PageQuery, cursor_id, cut_page, page_start
from dynabench_common.http.service import idempotency_key, json_response
from dynabench_common.problems import Problem
from dynabench_tasks.text import safe_cell
from flask import Response
from flask_openapi import APIBlueprint

from crowd.domain.campaign import Campaign, Terms
from crowd.domain.errors import PaidByPlatform
from crowd.entrypoints.http.access import dependencies, owned_campaign, owned_round
from crowd.entrypoints.http.schemas import (
    CampaignPath,
    EstimateBody,
    PaymentBody,
    PaymentPath,
    RoundPath,
    TopUpBody,
)
from crowd.queries import money
from crowd.queries.error_cost import error_costs
from crowd.queries.estimates import pay_estimate
from crowd.service_layer.campaigns import on_platform
from crowd.service_layer.payments import PayOwed, TopUp, confirm_by_hand, pay_owed, top_up

blueprint = APIBlueprint("money", __name__, url_prefix="/api/crowd/v1")
CSV = "text/csv; charset=utf-8"
SHEET = ("worker_id", "amount_minor", "currency", "payment_id")


class PaymentList(Record):
    """Payments, newest first."""

    items: tuple[PaymentAnswer, ...]


@blueprint.post("/rounds/<round_id>/estimates", responses={200: PayEstimate})
@requires(Permission.MANAGE_CAMPAIGNS)
def post_estimate(path: RoundPath, body: EstimateBody) -> Response:
    """Estimate time, hourly pay and cost of a campaign before it is drafted. Nothing is stored."""
    owned_round(path.round_id)
    return json_response(_estimate(path.round_id, body.terms()))


@blueprint.get("/campaigns/<campaign_id>/estimate", responses={200: PayEstimate})
@requires(Permission.MANAGE_CAMPAIGNS)
def get_estimate(path: CampaignPath) -> Response:
    """Estimate time, hourly pay and cost of a campaign, by its own median time once there is one."""
    campaign = owned_campaign(path.campaign_id)
    return json_response(_estimate(campaign.round_id, campaign.terms, path.campaign_id))


@blueprint.get("/campaigns/<campaign_id>/owed", responses={200: OwedAnswer})
@requires(Permission.MANAGE_CAMPAIGNS)
def get_owed(path: CampaignPath) -> Response:
    """Preview what *Pay all that is owed* would pay now."""
    return json_response(_owed(owned_campaign(path.campaign_id)))


@blueprint.post("/campaigns/<campaign_id>/payments", responses={201: PaymentList})
@requires(Permission.MANAGE_CAMPAIGNS)
def post_payments(path: CampaignPath, body: PaymentBody) -> Response:
    """Pay all that is owed. The total must be that of the preview. A repeated Idempotency-Key pays nothing more.

    The platform is called soon afterwards: list the payments to see what became of them.
    """
    owned_campaign(path.campaign_id)
    app, key = dependencies(), idempotency_key()
    if key is None:
        raise Problem(
            422,
            "idempotency-key-missing",
            "Idempotency-Key missing",
            "A payment needs a key, so that it is made once.",
            field="Idempotency-Key",
            remedy="Send a fresh UUID with a new payment, and the same one with a retry.",
        )
    payment_ids = pay_owed(PayOwed(path.campaign_id, signed_in_person(), body.total_minor, key), app)
    return json_response(
        PaymentList(items=money.payments_with_ids(app.engine, payment_ids, app.clock.now())), 201
    )


@blueprint.get("/campaigns/<campaign_id>/payments", responses={200: PaymentPage})
@requires(Permission.MANAGE_CAMPAIGNS)
def get_payments(path: CampaignPath, query: PageQuery) -> Response:
    """List a campaign's payments, newest first."""
    owned_campaign(path.campaign_id)
    before = page_start(query.cursor, cursor_id)
    app = dependencies()
    found = money.payments(app.engine, path.campaign_id, before, query.limit + 1, app.clock.now())
    items, cursor = cut_page(found, query.limit, lambda each: each["payment_id"])
    return json_response(PaymentPage.model_validate({"items": items, "next_cursor": cursor}))


@blueprint.get("/campaigns/<campaign_id>/payments.csv", responses={200: content("text/csv")})
@requires(Permission.MANAGE_CAMPAIGNS)
def get_payment_sheet(path: CampaignPath) -> Response:
    """Download the payments to make by hand, if the platform makes none. Worker ids are the platform's."""
    campaign, app = owned_campaign(path.campaign_id), dependencies()
    if app.platform(campaign.platform).pays:
        raise PaidByPlatform(campaign.platform)
    sheet = io.StringIO()
    lines = csv.DictWriter(sheet, SHEET, lineterminator="\n")
    lines.writeheader()
    for row in money.payments_by_hand(app.engine, path.campaign_id):
        lines.writerow({**row, "worker_id": safe_cell(row["worker_id"])})
    headers = {"Content-Disposition": f'attachment; filename="payments-{path.campaign_id}.csv"'}
    return Response(sheet.getvalue(), content_type=CSV, headers=headers)


@blueprint.put("/payments/<payment_id>/paid", responses={200: PaymentAnswer})
@requires(Permission.MANAGE_CAMPAIGNS)
def put_paid(path: PaymentPath) -> Response:
    """Confirm a payment that you made by hand, or that the platform does not list. Repeating it changes nothing."""
    return _confirmed(path.payment_id, is_paid=True)


@blueprint.put("/payments/<payment_id>/unpaid", responses={200: PaymentAnswer})
@requires(Permission.MANAGE_CAMPAIGNS)
def put_unpaid(path: PaymentPath) -> Response:
    """State that a payment was not made: the amount is owed again. Look at the platform's own list first."""
    return _confirmed(path.payment_id, is_paid=False)


def _confirmed(payment_id: UUID, *, is_paid: bool) -> Response:
    app = dependencies()
    owned_campaign(money.campaign_of_payment(app.engine, payment_id))
    confirm_by_hand(payment_id, signed_in_person(), app, is_paid=is_paid)
    (record,) = money.payments_with_ids(app.engine, [payment_id], app.clock.now())
    return json_response(PaymentAnswer.model_validate(record))


@blueprint.post("/campaigns/<campaign_id>/top-up", responses={200: OwedAnswer})
@requires(Permission.MANAGE_CAMPAIGNS)
def post_top_up(path: CampaignPath, body: TopUpBody) -> Response:
    """Owe an addition to everybody whose work is handed in or approved. Nobody gets a second one."""
    campaign = owned_campaign(path.campaign_id)
    top_up(TopUp(path.campaign_id, signed_in_person(), body.amount_minor), dependencies())
    return json_response(_owed(campaign))


@blueprint.get("/campaigns/<campaign_id>/ledger", responses={200: PostingPage})
@requires(Permission.MANAGE_CAMPAIGNS)
def get_ledger(path: CampaignPath, query: PageQuery) -> Response:
    """List the entries of a campaign's ledger, newest first."""
    owned_campaign(path.campaign_id)
    before = page_start(query.cursor, cursor_id)
    found = money.postings(dependencies().engine, path.campaign_id, before, query.limit + 1)
    items, cursor = cut_page(found, query.limit, lambda each: each["posting_id"])
    return json_response(PostingPage.model_validate({"items": items, "next_cursor": cursor}))


@blueprint.get("/rounds/<round_id>/error-cost", responses={200: ErrorCostAnswer})
@requires(Permission.READ_PUBLIC)
def get_error_cost(path: RoundPath) -> Response:
    """Return what a validated error of the round's campaigns cost, by currency."""
    items = error_costs(dependencies().engine, path.round_id)
    return json_response(ErrorCostAnswer.model_validate({"round_id": path.round_id, "items": items}))


def _estimate(round_id: UUID, terms: Terms, campaign_id: UUID | None = None) -> PayEstimate:
    app = dependencies()
    platform = app.platform(terms.platform)
    terms.check(platform.currencies)
    cost = on_platform(
        platform, lambda: platform.cost_minor(terms.reward_minor, terms.places, terms.currency)
    )
    found = pay_estimate(app.engine, round_id, terms, cost, app.rates, campaign_id)
    return PayEstimate.model_validate(found)


def _owed(campaign: Campaign) -> OwedAnswer:
    app = dependencies()
    by_platform = app.platform(campaign.platform).pays
    found = money.owed(app.engine, campaign.campaign_id, campaign.currency, by_platform=by_platform)
    return OwedAnswer.model_validate(found)
