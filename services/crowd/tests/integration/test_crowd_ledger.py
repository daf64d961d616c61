"""The ledger: reservations, fees, top-ups and what remains; payments by hand; and the cost of an error."""

import csv
import io
from typing import Any
from uuid import uuid4

import pytest
from crowd.domain.money import MOST_MINOR, Account
from crowd.domain.platforms import SubmissionState
from crowd.service_layer.assignments import end_late, follow_late_decisions
from crowd.service_layer.settling import carry_out_payments
from sqlalchemy import text
from sqlalchemy.exc import ProgrammingError

from .conftest import Crowd
from .paying import balances, earner, ensure_sound, owed, pay_all, settle


def test_a_reservation_covers_rewards_and_fees_and_the_rest_comes_back(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    assert balances(crowd, campaign_id)[Account.RESERVED] == 600
    earner(crowd, campaign_id, 0)
    earner(crowd, campaign_id, 0)
    crowd.send("PUT", f"/campaigns/{campaign_id}/state", {"state": "ended"})
    assert balances(crowd, campaign_id) == {
        Account.OWNER: -400,
        Account.RESERVED: 100,
        Account.OWED: 300,
        Account.PAID: 0,
        Account.LOSS: 0,
        Account.FEES: 0,
    }
    settle(crowd)
    found = balances(crowd, campaign_id)
    assert (found[Account.RESERVED], found[Account.PAID], found[Account.FEES]) == (0, 300, 100)
    ensure_sound(crowd)


def test_a_top_up_is_owed_once_to_everybody_who_has_handed_in(crowd: Crowd) -> None:
    campaign_id = crowd.launched(places=4)
    earner(crowd, campaign_id, 1)
    rejected = earner(crowd, campaign_id, 0, is_approved=False)
    crowd.entered(campaign_id, "still-working")
    for _ in range(2):
        answer = crowd.send("POST", f"/campaigns/{campaign_id}/top-up", {"amount_minor": 25})
        assert answer.status_code == 200, answer.text
    assert crowd.campaign(campaign_id)["owed_minor"] == 150 + 30 + 25 + 25
    assert owed(crowd, campaign_id)["total_minor"] == 55
    body = {"category": "low_effort", "reason": "The sentences repeat the prompt word for word. " * 3}
    crowd.send("PUT", f"/assignments/{rejected.assignment_id}/rejection", body)
    assert crowd.campaign(campaign_id)["owed_minor"] == 150 + 30 + 25
    crowd.send("POST", f"/campaigns/{campaign_id}/payments", {"total_minor": 55}, key="a-click")
    settle(crowd)
    assert list(crowd.platform.paid.values()) == [[55]]
    ensure_sound(crowd)


@pytest.mark.parametrize("amount", [0, -1, MOST_MINOR + 1, 10**30, "many"])
def test_an_unusable_top_up_is_refused(crowd: Crowd, amount: Any) -> None:
    campaign_id = crowd.launched()
    answer = crowd.send("POST", f"/campaigns/{campaign_id}/top-up", {"amount_minor": amount})
    assert answer.status_code == 422
    assert answer.get_json()["field"] == "amount_minor"


def test_the_largest_amounts_fit(crowd: Crowd) -> None:
    most = {"reward_minor": MOST_MINOR, "bonus_minor": MOST_MINOR}
    campaign_id = crowd.launched(places=10_000, units=2, **most)
    assert crowd.campaign(campaign_id)["reserved_minor"] == MOST_MINOR * 10_000 * 4 // 3
    earner(crowd, campaign_id, 2)
    assert owed(crowd, campaign_id)["total_minor"] == 2 * MOST_MINOR


def test_an_owner_pays_by_hand_and_confirms_each_payment_once(crowd: Crowd) -> None:
    crowd.platform.pays = False
    campaign_id = crowd.launched()
    first, second = earner(crowd, campaign_id, 1), earner(crowd, campaign_id, 0)
    carry_out_payments(crowd.app)
    assert (owed(crowd, campaign_id)["people"], owed(crowd, campaign_id)["total_minor"]) == (2, 330)
    made = crowd.send("POST", f"/campaigns/{campaign_id}/payments", {"total_minor": 330}, key="a-click")
    assert made.status_code == 201, made.text
    sheet = crowd.send("GET", f"/campaigns/{campaign_id}/payments.csv").text
    rows = list(csv.DictReader(io.StringIO(sheet)))
    amounts = {f"s-{row['worker_id']}": row["amount_minor"] for row in rows}
    assert amounts == {first.submission_id: "180", second.submission_id: "150"}
    for row in rows:
        for _ in range(2):
            answer = crowd.send("PUT", f"/payments/{row['payment_id']}/paid")
            assert answer.get_json()["state"] == "paid"
    campaign = crowd.campaign(campaign_id)
    assert (campaign["owed_minor"], campaign["paid_minor"]) == (0, 330)
    assert crowd.send("GET", f"/campaigns/{campaign_id}/payments.csv").text.count("\n") == 1
    balances(crowd, campaign_id)


def test_what_a_platform_pays_is_not_confirmed_by_hand(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    earner(crowd, campaign_id, 1)
    pay_all(crowd, campaign_id, crowd.app, 30, uuid4().hex)
    (payment,) = crowd.send("GET", f"/campaigns/{campaign_id}/payments").get_json()["items"]
    for outcome in ("paid", "unpaid"):
        answer = crowd.send("PUT", f"/payments/{payment['payment_id']}/{outcome}")
        assert answer.get_json()["type"] == "/problems/paid-by-platform"
    assert crowd.send("GET", f"/campaigns/{campaign_id}/payments.csv").status_code == 409


def test_the_ledger_is_listed_in_pages_and_takes_entries_alone(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    earner(crowd, campaign_id, 1)
    settle(crowd)
    kinds: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        page = crowd.send("GET", f"/campaigns/{campaign_id}/ledger?limit=2{cursor}").get_json()
        kinds += [each["kind"] for each in page["items"]]
        cursor = page["next_cursor"] and f"&cursor={page['next_cursor']}"
    assert sorted(kinds) == ["bonus", "fee", "owed", "paid", "reserved"]
    for change in ("UPDATE posting SET amount_minor = 1", "DELETE FROM posting"):
        with (
            pytest.raises(ProgrammingError, match="permission denied"),
            crowd.app.engine.begin() as connection,
        ):
            connection.execute(text(change))


def test_only_owners_see_money_and_everybody_the_cost_of_an_error(crowd: Crowd) -> None:
    campaign_id = crowd.launched()
    found = earner(crowd, campaign_id, 2)
    for path in ("owed", "payments", "ledger", "estimate", "payments.csv"):
        assert crowd.send("GET", f"/campaigns/{campaign_id}/{path}", by=found.person_id).status_code == 403
    cost = crowd.send("GET", f"/rounds/{crowd.round_id}/error-cost", by=found.person_id).get_json()
    assert cost == {
        "round_id": str(crowd.round_id),
        "items": [
            {"currency": "GBP", "spent_minor": 210, "validated_errors": 2, "per_error_minor": 105},
        ],
    }


def test_late_work_that_the_platform_takes_in_is_paid_after_the_rest_was_released(crowd: Crowd) -> None:
    campaign_id = crowd.launched(places=1)
    crowd.entered(campaign_id)
    crowd.wait(minutes=60)
    end_late(crowd.app)
    crowd.send("PUT", f"/campaigns/{campaign_id}/state", {"state": "ended"})
    assert balances(crowd, campaign_id)[Account.RESERVED] == 0
    crowd.platform.says("s-w1", SubmissionState.APPROVED)
    follow_late_decisions(crowd.app)
    settle(crowd)
    found = balances(crowd, campaign_id)
    assert (found[Account.RESERVED], found[Account.PAID], found[Account.FEES]) == (0, 150, 50)
    ensure_sound(crowd)
