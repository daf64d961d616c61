"""Campaigns, as the SDK asks for them: what is sent, what is read, and what is repeated."""

from collections.abc import Callable
from typing import Any

import pytest
from dynabench_api import crowd
from dynabench_client import Dynabench, ProblemError
from dynabench_client.areas.crowd import CrowdClient
from dynabench_client.results.base import every
from dynabench_client.transport import Transport

from services.client.tests.stub_platform import StubPlatform, Told

PLATFORM = crowd.PlatformAnswer.blank(name="prolific").document()
COST = crowd.ErrorCost.blank(currency="GBP").document()
OWED = crowd.OwedAnswer.blank(total_minor=180).document()
OFFER = crowd.CampaignOffer.blank(title="Fool a model").document()
CAMPAIGN = crowd.CampaignAnswer.blank(campaign_id="c1").document()
ESTIMATE = crowd.PayEstimate.blank(hourly_minor=640).document()
ASSIGNMENT = crowd.AssignmentAnswer.blank(assignment_id="a1").document()
PAYMENT = crowd.PaymentAnswer.blank(payment_id="p1").document()
POSTING = crowd.PostingAnswer.blank(cause="bonus:e1:1").document()
WORK = crowd.WorkAnswer.blank(assignment_id="a1").document()
ENTRY = crowd.EntryAnswer.blank(work=WORK).document()
PLAN = {
    "work": "create",
    "platform": "prolific",
    "units": 5,
    "places": 12,
    "reward_minor": 150,
    "bonus_minor": 30,
    "currency": "GBP",
}
WHOLE_PLAN = {
    **PLAN,
    "title": "Fool a model",
    "screen_out_minor": 0,
    "minutes": 30,
    "languages": ["en"],
    "qualifications": [],
}
GIVEN = {**WHOLE_PLAN, "languages": ("en",)}
Ask = Callable[[CrowdClient], Any]


@pytest.fixture
def area(stub: StubPlatform) -> CrowdClient:
    return Dynabench(stub.url, transport=Transport(sleep=lambda _: None)).crowd


@pytest.mark.parametrize(
    ("method", "path", "answer", "ask", "body"),
    [
        ("POST", "/rounds/r1/estimates", ESTIMATE, lambda area: area.estimate("r1", **PLAN), PLAN),
        ("POST", "/rounds/r1/campaigns", CAMPAIGN, lambda area: area.create("r1", **GIVEN), WHOLE_PLAN),
        ("PUT", "/campaigns/c1", CAMPAIGN, lambda area: area.change("c1", **GIVEN), WHOLE_PLAN),
        ("GET", "/campaigns/c1", CAMPAIGN, lambda area: area.campaign("c1"), None),
        ("GET", "/campaigns/c1/estimate", ESTIMATE, lambda area: area.pay_of("c1"), None),
        (
            *("PUT", "/campaigns/c1/state", CAMPAIGN),
            lambda area: area.set_state("c1", "running"),
            {"state": "running"},
        ),
        (
            *("PUT", "/campaigns/c1/places", CAMPAIGN),
            lambda area: area.set_places("c1", 20),
            {"places": 20},
        ),
        ("PUT", "/assignments/a1/approval", ASSIGNMENT, lambda area: area.approve("a1"), {}),
        (
            *("PUT", "/assignments/a1/rejection", ASSIGNMENT),
            lambda area: area.reject("a1", "low_effort", "All texts are equal."),
            {"category": "low_effort", "reason": "All texts are equal."},
        ),
        ("PUT", "/assignments/a1/screen-out", ASSIGNMENT, lambda area: area.screen_out("a1"), {}),
        (
            *("POST", "/campaigns/c1/top-up", OWED),
            lambda area: area.top_up("c1", 60),
            {"amount_minor": 60},
        ),
        ("PUT", "/payments/p1/paid", PAYMENT, lambda area: area.confirm_paid("p1"), {}),
        ("PUT", "/payments/p1/unpaid", PAYMENT, lambda area: area.confirm_unpaid("p1"), {}),
        (
            *("PUT", "/assignments/a1/completion", WORK),
            lambda area: area.complete("a1", nothing_left=True),
            {"nothing_left": True},
        ),
        ("PUT", "/assignments/a1/return", WORK, lambda area: area.give_back("a1"), {}),
        (
            *("POST", "/entries", ENTRY),
            lambda area: area.enter("c1", {"PROLIFIC_PID": "w1"}, "d1"),
            {"campaign_id": "c1", "parameters": {"PROLIFIC_PID": "w1"}, "device": "d1"},
        ),
    ],
)
def test_each_request_has_its_body_and_its_record(
    stub: StubPlatform,
    area: CrowdClient,
    method: str,
    path: str,
    answer: dict[str, Any],
    ask: Ask,
    body: object,
) -> None:
    stub.tell(method, f"/crowd/v1{path}", Told(answer, is_whole=True))
    assert ask(area).document() == answer
    assert [request.body for request in stub.requests] == [body]


@pytest.mark.parametrize(
    ("path", "item", "ask"),
    [
        ("/platforms", PLATFORM, lambda area: area.platforms()),
        ("/rounds/r1/campaigns", CAMPAIGN, lambda area: area.campaigns("r1")),
        ("/rounds/r1/error-cost", COST, lambda area: area.error_cost("r1")),
        ("/me/assignments", WORK, lambda area: area.my_work()),
    ],
)
def test_short_lists_are_whole(
    stub: StubPlatform, area: CrowdClient, path: str, item: dict[str, Any], ask: Ask
) -> None:
    stub.tell("GET", f"/crowd/v1{path}", {"items": [item]})
    (found,) = ask(area)
    assert found.document() == item


@pytest.mark.parametrize(
    ("path", "item", "ask", "query"),
    [
        (
            *("assignments", ASSIGNMENT),
            lambda area, cursor: area.assignments("c1", state="submitted", cursor=cursor),
            "state=submitted",
        ),
        ("payments", PAYMENT, lambda area, cursor: area.payments("c1", limit=10, cursor=cursor), "limit=10"),
        ("ledger", POSTING, lambda area, cursor: area.ledger("c1", limit=10, cursor=cursor), "limit=10"),
    ],
)
def test_long_lists_are_read_to_their_end(
    stub: StubPlatform, area: CrowdClient, path: str, item: dict[str, Any], ask: Any, query: str
) -> None:
    pages = [{"items": [item], "next_cursor": cursor} for cursor in ("x", None)]
    stub.tell("GET", f"/crowd/v1/campaigns/c1/{path}", *pages)
    assert len(list(every(lambda cursor: ask(area, cursor)))) == 2
    assert [request.query for request in stub.requests] == [query, f"{query}&cursor=x"]


def test_a_payment_whose_answer_is_lost_is_asked_for_once(
    stub: StubPlatform, area: CrowdClient, tell_problem: Callable[..., Told]
) -> None:
    path = "/crowd/v1/campaigns/c1/payments"
    stub.tell("GET", "/crowd/v1/campaigns/c1/owed", OWED)
    stub.tell("POST", path, tell_problem(502, "lost"), {"items": [PAYMENT]})
    (payment,) = area.pay("c1", area.owed("c1").total_minor)
    assert payment.payment_id == "p1"
    first, second = stub.seen("POST", path)
    assert first.body == second.body == {"total_minor": 180}
    assert first.headers["idempotency-key"] == second.headers["idempotency-key"]


def test_a_changed_amount_is_refused(
    stub: StubPlatform, area: CrowdClient, tell_problem: Callable[..., Told]
) -> None:
    stub.tell("POST", "/crowd/v1/campaigns/c1/payments", tell_problem(409, "owed-changed"))
    with pytest.raises(ProblemError) as refused:
        area.pay("c1", 180)
    assert refused.value.slug == "owed-changed"


def test_everything_handed_in_is_approved_also_if_the_answer_is_lost(
    stub: StubPlatform, area: CrowdClient, tell_problem: Callable[..., Told]
) -> None:
    path = "/crowd/v1/campaigns/c1/approvals"
    stub.tell("POST", path, tell_problem(502, "lost"), Told({"approved": 7}, is_whole=True))
    assert area.approve_all("c1").approved == 7


def test_payments_by_hand_are_a_file(stub: StubPlatform, area: CrowdClient) -> None:
    lines = b"worker_id,amount,currency,payment_id\r\nw1,1.50,GBP,p1\r\n"
    told = Told(lines, headers={"Content-Type": "text/csv"})
    stub.tell("GET", "/crowd/v1/campaigns/c1/payments.csv", told)
    assert b"".join(area.payments_to_make("c1")) == lines


def test_a_draft_is_deleted_and_an_offer_read_by_anybody(stub: StubPlatform, area: CrowdClient) -> None:
    stub.tell("DELETE", "/crowd/v1/campaigns/c1", Told(b"", 204))
    stub.tell("GET", "/crowd/v1/campaigns/c1/offer", OFFER)
    area.discard_draft("c1")
    assert area.offer("c1").title == "Fool a model"
    assert all("authorization" not in request.headers for request in stub.requests)
