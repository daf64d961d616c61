"""An owner's pages about campaigns, as plain forms: drafting, launching, approving, paying."""

import re
from typing import Any

import pytest
from web_fake_campaigns import WORKER_ID
from web_fake_platform import FakePlatform
from web_visiting import Visitor

SOMETHING = "0198c0de-0000-7000-8000-000000000000"
LIST = "/tasks/sentiment/rounds/3/campaigns"
HERE = f"/tasks/sentiment/campaigns/{SOMETHING}"
PAGES = (
    *(LIST, f"{LIST}/new", HERE, f"{HERE}/edit", f"{HERE}/people", f"{HERE}/pay", f"{HERE}/payments"),
    *(f"{HERE}/payments.csv", f"{HERE}/ledger", f"{HERE}/state/running"),
    f"{HERE}/fair-play",
)
FORMS = (
    *(f"{LIST}/new", f"{LIST}/estimate", f"{HERE}/edit", f"{HERE}/state/running", f"{HERE}/places"),
    *(f"{HERE}/top-up", f"{HERE}/deletion", f"{HERE}/approvals", f"{HERE}/pay"),
    *(f"{HERE}/people/{SOMETHING}/{what}" for what in ("approval", "rejection", "screen-out", "fair-play")),
    f"{HERE}/payments/{SOMETHING}/paid",
)
PLAN = {
    "title": "Fool a model about food",
    "work": "create",
    "platform": "prolific",
    "units": "5",
    "places": "20",
    "minutes": "60",
    "currency": "GBP",
    "reward": "1.50",
    "bonus": "0.30",
    "screen_out": "",
    "languages": "en, de",
    "qualifications": "native speakers\r\n\r\nhas written before\r\n",
}


@pytest.fixture
def olga(visitor: Visitor) -> Visitor:
    visitor.sign_in("olga")
    return visitor


@pytest.fixture
def otto(visitor: Visitor, fake: FakePlatform) -> Visitor:
    """An owner of another task."""
    fake.add_person("otto", "owner:nli")
    visitor.sign_in("otto")
    return visitor


def here(fake: FakePlatform, state: str = "running", **changes: Any) -> str:
    return f"/tasks/sentiment/campaigns/{fake.campaigns.add(state, **changes)}"


def hidden(page: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert found, name
    return found[1]


def only(campaigns: dict[str, dict[str, Any]]) -> dict[str, Any]:
    (found,) = campaigns.values()
    return found


@pytest.mark.parametrize("path", PAGES)
def test_only_owners_of_the_task_see_its_campaigns(path: str, otto: Visitor) -> None:
    assert otto.get(path).status_code == 403


@pytest.mark.parametrize("path", FORMS)
def test_only_owners_of_the_task_change_its_campaigns(path: str, otto: Visitor, fake: FakePlatform) -> None:
    begun = len(fake.calls)
    assert otto.post(path, reason="x").status_code == 403
    assert [call for call in fake.calls[begun:] if call[0] != "GET"] == []


def test_a_campaign_of_another_task_is_not_found_in_this_one(olga: Visitor, fake: FakePlatform) -> None:
    assert olga.get(here(fake).replace("sentiment", "nli")).status_code == 404


def test_an_empty_list_leads_to_the_form(olga: Visitor) -> None:
    assert f'href="{LIST}"' in olga.get("/tasks/sentiment/manage").text
    page = olga.get(LIST).text
    assert "This round has no campaign yet" in page
    assert f'href="{LIST}/new"' in page


def test_the_list_has_progress_and_money(olga: Visitor, fake: FakePlatform) -> None:
    address = here(fake)
    page = olga.get(LIST).text
    for shown in (f'href="{address}"', "4 of 20", "5\u00a0tries for £1.50", "£2.10"):
        assert shown in page


def test_without_the_service_the_tab_says_so_and_other_pages_work(olga: Visitor, fake: FakePlatform) -> None:
    fake.fail("GET", "/api/crowd/", 503, slug="unavailable", times=99)
    page = olga.get(LIST)
    assert page.status_code == 200
    assert 'class="problem"' in page.text
    assert 'class="tabs"' in page.text
    for path in ("/tasks/sentiment/manage", f"/rounds/{fake.loop.round_id}"):
        assert olga.get(path).status_code == 200


def test_a_draft_is_made_of_typed_amounts(olga: Visitor, fake: FakePlatform) -> None:
    key = hidden(olga.get(f"{LIST}/new").text, "key")
    answer = olga.post(f"{LIST}/new", key=key, **PLAN)
    again = olga.post(f"{LIST}/new", key=key, **PLAN)
    made = only(fake.campaigns.campaigns)
    address = f"/tasks/sentiment/campaigns/{made['campaign_id']}?notice=campaign-drafted"
    assert answer.headers["Location"] == again.headers["Location"] == address
    amounts = (made["reward_minor"], made["bonus_minor"], made["screen_out_minor"])
    assert amounts == (150, 30, 0)
    assert made["languages"] == ["en", "de"]
    assert made["qualifications"] == ["native speakers", "has written before"]


@pytest.mark.parametrize(
    ("change", "control", "words"),
    [
        ({"reward": "1.505"}, "reward", "Give an amount such as 1.50."),
        ({"reward": "£1.50"}, "reward", "The amount is not valid."),
        ({"reward": "0"}, "reward", "It is zero."),
        ({"bonus": "-1"}, "bonus", "The amount is not valid."),
        ({"units": "1.5"}, "units", "Give a whole number such as 5."),
        ({"places": ""}, "places", "The number is not valid."),
    ],
)
def test_a_refused_form_names_the_field_and_keeps_what_was_typed(
    change: dict[str, str], control: str, words: str, olga: Visitor
) -> None:
    answer = olga.post(f"{LIST}/new", key="key-1", **{**PLAN, **change})
    assert answer.status_code == 422
    assert f'id="plan-{control}-problem"' in answer.text
    assert words in answer.text
    assert "Fool a model about food" in answer.text
    assert hidden(answer.text, "key") != "key-1"


def test_the_estimate_follows_the_form_with_and_without_scripts(olga: Visitor) -> None:
    fragment = olga.post(f"{LIST}/estimate", **PLAN).text
    assert "<h1" not in fragment
    page = olga.get(f"{LIST}/new?units=5&places=20&reward=1.50&bonus=0.30").text
    for text in (fragment, page):
        for shown in ("£9.00", "£40.00", "£30.00", "10\u00a0minutes", "recommended pay is £12.00"):
            assert shown in text
        assert "lowest permitted" not in text


def test_below_the_floor_a_reward_is_proposed_and_taken(olga: Visitor) -> None:
    low = {**PLAN, "reward": "1.00"}
    fragment = olga.post(f"{LIST}/estimate", **low).text
    assert "less than the lowest permitted pay of £9.00 an hour" in fragment
    assert hidden(fragment, "proposed") == "1.50"
    page = olga.get(f"{LIST}/new?reward=1.00&proposed=1.50").text
    assert 'name="reward" value="1.50"' in page


@pytest.mark.parametrize("reward", ["", "much"])
def test_an_unfinished_form_has_no_estimate_and_no_complaint(reward: str, olga: Visitor) -> None:
    fragment = olga.post(f"{LIST}/estimate", **{**PLAN, "reward": reward}).text
    assert "Give units, places and a reward" in fragment
    assert 'class="problem"' not in fragment


def test_without_a_platform_the_form_says_whom_to_ask(olga: Visitor, fake: FakePlatform) -> None:
    fake.campaigns.platforms.clear()
    assert "No platform is connected" in olga.get(f"{LIST}/new").text


def test_a_draft_is_changed_and_deleted(olga: Visitor, fake: FakePlatform) -> None:
    address = here(fake, "draft")
    page = olga.get(f"{address}/edit").text
    for shown in ('value="1.50"', 'value="0.30"', 'value="0.20"', "native speakers"):
        assert shown in page
    assert olga.post(f"{address}/edit", **{**PLAN, "reward": "2"}).status_code == 303
    assert only(fake.campaigns.campaigns)["reward_minor"] == 200
    assert olga.post(f"{address}/deletion").headers["Location"] == f"{LIST}?notice=campaign-deleted"
    assert fake.campaigns.campaigns == {}


def test_a_launch_shows_its_cost_first(olga: Visitor, fake: FakePlatform) -> None:
    address = here(fake, "draft")
    assert "Launch campaign" in olga.get(address).text
    page = olga.get(f"{address}/state/running").text
    for shown in ("all 20 places", "Rewards and fees of £40.00", "up to £30.00", "no real money moves"):
        assert shown in page
    answer = olga.post(f"{address}/state/running")
    assert answer.headers["Location"] == f"{address}?notice=campaign-running"


MOVES = [
    ("draft", {"Launch campaign"}),
    ("running", {"Pause campaign", "End campaign"}),
    ("paused", {"Resume campaign", "End campaign"}),
    ("ended", set()),
]


@pytest.mark.parametrize(("state", "buttons"), MOVES)
def test_a_state_offers_what_may_follow(
    state: str, buttons: set[str], olga: Visitor, fake: FakePlatform
) -> None:
    page = olga.get(here(fake, state)).text
    assert set(re.findall(r">(\w+ campaign)</a>", page)) == buttons


def test_a_refused_change_of_state_says_why(olga: Visitor, fake: FakePlatform) -> None:
    address = here(fake, "ended")
    assert "This is not possible now" in olga.get(f"{address}/state/paused").text
    fake.fail("PUT", "/state$", 409, slug="campaign-ended")
    assert olga.post(f"{address}/state/running").status_code == 409


def test_the_page_of_a_campaign_has_progress_results_and_money(olga: Visitor, fake: FakePlatform) -> None:
    address = here(fake, problem="The balance is too low.")
    page = olga.get(address).text
    for shown in (
        "4 of 20 places are taken.",
        "Handed in</dt><dd>2",
        "Free places</dt><dd>16",
        "18\u00a0tries",
        "<dd>£0.84</dd>",
        "42 assignments of this campaign",
        "<dd>£36.00</dd>",
        "The balance is too low.",
        "Nothing is taken back from people",
    ):
        assert shown in page
    assert "https://lab.example/crowd" not in page


def test_a_link_platform_gets_an_address_to_copy(olga: Visitor, fake: FakePlatform) -> None:
    page = olga.get(here(fake, platform="sona", currency="EUR")).text
    assert "https://lab.example/crowd/" in page
    assert 'data-copy="entry-address"' in page


def test_places_only_grow(olga: Visitor, fake: FakePlatform) -> None:
    address = here(fake)
    assert olga.post(f"{address}/places", places="many").status_code == 422
    fewer = olga.post(f"{address}/places", places="3")
    assert fewer.status_code == 409
    assert 'id="add-places" open' in fewer.text
    assert olga.post(f"{address}/places", places="30").headers["Location"].endswith("places-added")
    assert only(fake.campaigns.campaigns)["places"] == 30


def test_pay_below_the_floor_is_topped_up(olga: Visitor, fake: FakePlatform) -> None:
    address = here(fake, reward_minor=100)
    page = olga.get(address).text
    assert "The pay is too low" in page
    assert 'name="amount"' in page
    assert 'value="0.50"' in page
    assert olga.post(f"{address}/top-up", amount="half").status_code == 422
    olga.post(f"{address}/top-up", amount="0.50")
    assert fake.campaigns.top_ups == [50]


def test_people_are_listed_by_state_without_ids_of_the_platform(olga: Visitor, fake: FakePlatform) -> None:
    address = here(fake)
    page = olga.get(f"{address}/people").text
    assert page.count("<tr>") == 9
    assert "did not confirm this entry" in page
    assert "Too little effort: The texts have nothing to do with the task" in page
    assert "there was no more to do" in page
    assert olga.get(f"{address}/people?state=returned").text.count("<tr>") == 2
    for path in ("", "/people", "/pay", "/payments", "/ledger"):
        assert WORKER_ID not in olga.get(address + path).text


def test_one_person_is_approved_and_then_all(olga: Visitor, fake: FakePlatform) -> None:
    address = here(fake)
    campaign_id = address.rpartition("/")[2]
    first = fake.campaigns.assignments[campaign_id][0]
    answer = olga.post(f"{address}/people/{first['assignment_id']}/approval", state="submitted")
    assert answer.headers["Location"] == f"{address}/people?state=submitted&notice=assignment-approved"
    assert first["state"] == "approved"
    page = olga.get(f"{address}/people").text
    assert "1 person gets £1.50." in page
    olga.post(f"{address}/approvals")
    assert "submitted" not in fake.campaigns.campaigns[campaign_id]["counts"]


def test_a_rejection_needs_a_reason_that_the_person_understands(olga: Visitor, fake: FakePlatform) -> None:
    address = here(fake)
    first = fake.campaigns.assignments[address.rpartition("/")[2]][0]
    target = f"{address}/people/{first['assignment_id']}/rejection"
    short = olga.post(target, category="low_effort", reason="Bad.")
    assert short.status_code == 422
    assert f'id="reject-{first["assignment_id"]}" open' in short.text
    assert "Bad.</textarea>" in short.text
    assert '<option value="low_effort" selected>' in short.text
    olga.post(target, category="low_effort", reason="Every text is a copy of the context. " * 4)
    assert first["state"] == "rejected"


def test_a_person_who_does_not_fit_is_screened_out(olga: Visitor, fake: FakePlatform) -> None:
    address = here(fake)
    working = fake.campaigns.assignments[address.rpartition("/")[2]][2]
    assert "stops working and gets £0.20" in olga.get(f"{address}/people").text
    olga.post(f"{address}/people/{working['assignment_id']}/screen-out")
    assert working["state"] == "screened_out"
    assert "Screen out" not in olga.get(f"{here(fake, screen_out_minor=0)}/people").text


def test_all_that_is_owed_is_paid_once_after_a_preview(olga: Visitor, fake: FakePlatform) -> None:
    address = here(fake)
    page = olga.get(f"{address}/pay").text
    for shown in (
        "<dd>£1.50</dd>",
        "<dd>£0.60</dd>",
        "<dd>£2.10</dd>",
        "2 assignments wait",
        "1 payment yet",
    ):
        assert shown in page
    form = {name: hidden(page, name) for name in ("key", "total_minor")}
    before = len(fake.campaigns.payments[address.rpartition("/")[2]])
    for _ in range(2):
        assert olga.post(f"{address}/pay", **form).headers["Location"] == (
            f"{address}/payments?notice=payments-made"
        )
    assert len(fake.campaigns.payments[address.rpartition("/")[2]]) == before + 1
    assert "Nothing is owed now" in olga.get(f"{address}/pay").text


def test_a_total_that_changed_is_previewed_again_under_a_new_key(olga: Visitor, fake: FakePlatform) -> None:
    address = here(fake)
    form = {name: hidden(olga.get(f"{address}/pay").text, name) for name in ("key", "total_minor")}
    only(fake.campaigns.campaigns)["owed_minor"] = 240
    answer = olga.post(f"{address}/pay", **form)
    assert answer.status_code == 409
    assert hidden(answer.text, "total_minor") == "240"
    assert hidden(answer.text, "key") != form["key"]


def test_a_payment_with_an_unknown_outcome_keeps_its_key(olga: Visitor, fake: FakePlatform) -> None:
    address = here(fake)
    form = {name: hidden(olga.get(f"{address}/pay").text, name) for name in ("key", "total_minor")}
    fake.fail("POST", "/payments$", 409, slug="idempotency-key-in-use")
    assert hidden(olga.post(f"{address}/pay", **form).text, "key") == form["key"]


def test_payments_by_hand_are_downloaded_and_marked(olga: Visitor, fake: FakePlatform) -> None:
    address = here(fake, platform="sona", currency="EUR")
    page = olga.get(f"{address}/payments").text
    assert (page.count("Mark as paid<"), page.count("Mark as not paid<")) == (3, 2)
    listed = olga.get(f"{address}/payments.csv")
    assert listed.headers["Content-Type"].startswith("text/csv")
    assert WORKER_ID in listed.text
    first = fake.campaigns.payments[address.rpartition("/")[2]][0]
    olga.post(f"{address}/payments/{first['payment_id']}/paid")
    assert first["state"] == "paid"
    assert olga.get(f"{address}/payments").text.count("Mark as paid<") == 2
    assert "1 payment is on the list and not marked yet." in olga.get(f"{address}/pay").text


def test_a_payment_that_the_platform_refused_can_be_marked_as_paid(olga: Visitor, fake: FakePlatform) -> None:
    address = here(fake)
    page = olga.get(f"{address}/payments").text
    assert (page.count("Mark as paid<"), page.count("Mark as not paid<")) == (1, 0)
    assert "pay the person outside it and mark the payment as paid." in page
    fake.campaigns.payments[address.rpartition("/")[2]][-1]["is_unpaid"] = False
    assert "Mark as paid<" not in olga.get(f"{address}/payments").text


def test_the_ledger_names_both_accounts(olga: Visitor, fake: FakePlatform) -> None:
    page = olga.get(f"{here(fake)}/ledger").text
    for shown in ("Reserved", "your money", "£36.00", "Bonus owed"):
        assert shown in page
    assert "The ledger is empty" in olga.get(f"{here(fake, 'draft')}/ledger").text


def test_without_evidence_the_page_says_what_is_compared(olga: Visitor, fake: FakePlatform) -> None:
    page = olga.get(f"{here(fake)}/fair-play").text
    assert "Nobody stands out" in page
    assert page.count("too little work yet") == 6


def test_evidence_is_in_words_with_base_rates(olga: Visitor, fake: FakePlatform) -> None:
    address = here(fake)
    fake.campaigns.add_evidence(address.rpartition("/")[2])
    page = olga.get(f"{address}/fair-play").text
    for shown in (
        "4\u00a0s a unit in the median of 5\u00a0tries; people of the task take 61\u00a0s.",
        "2.5\u00a0% of the task&#39;s people are as fast.",
        "80\u00a0% of 5\u00a0tries have pasted text: 312 characters in all.",
        "40\u00a0% of 5\u00a0tries are nearly equal to texts of Person ",
        "60\u00a0% of 5\u00a0tries on decided examples agree with nobody.",
        "The same network was used by Person ",
        "Nothing happens before you decide",
        "/examples?author_id=",
        "40\u00a0people",
    ):
        assert shown in page, shown


def test_a_decision_needs_a_reason_and_is_shown(olga: Visitor, fake: FakePlatform) -> None:
    address = here(fake)
    about = fake.campaigns.add_evidence(address.rpartition("/")[2])
    target = f"{address}/people/{about}/fair-play"
    empty = olga.post(target, decision="excluded", reason=" ")
    assert empty.status_code == 422
    assert f'id="decide-{about}" open' in empty.text
    answer = olga.post(target, decision="excluded", reason="Two texts are copies.")
    assert answer.headers["Location"] == f"{address}/fair-play?notice=person-excluded"
    page = olga.get(f"{address}/fair-play").text
    assert "You excluded this person." in page
    assert "“Two texts are copies.”" in page
    assert (
        olga.post(target, decision="no_concern", reason="I was wrong.")
        .headers["Location"]
        .endswith("no-concern")
    )


def test_an_appeal_is_counted_at_the_tab_and_answered(olga: Visitor, fake: FakePlatform) -> None:
    address = here(fake)
    fake.campaigns.add_evidence(address.rpartition("/")[2], "We share a flat. \u202e🙂")
    page = olga.get(f"{address}/fair-play").text
    for shown in (
        "appeals to answer",
        "The person appeals:",
        "We share a flat.",
        "Keep the exclusion",
        "Answer the appeal",
    ):
        assert shown in page
    about = fake.campaigns.evidence[address.rpartition("/")[2]][1]["assignment_id"]
    olga.post(f"{address}/people/{about}/fair-play", decision="no_concern", reason="That explains it.")
    assert "“That explains it.”" in olga.get(f"{address}/fair-play").text
