"""Validators, the pool of gold items, the audit log, and the permissions to see them."""

import pytest
import web_fake_standing as figures
from web_fake_platform import FakePlatform
from web_visiting import Visitor

SOMETHING = "0198c0de-0000-7000-8000-000000000000"
VALIDATORS, GOLD = "/tasks/sentiment/validators", "/tasks/sentiment/gold"
BASE = "/tasks/sentiment/rounds/3"
PAGES = (
    "/rounds",
    f"{BASE}/standing",
    f"{BASE}/state/closed",
    f"{BASE}/targets",
    f"{BASE}/next",
    f"{BASE}/release",
    f"{BASE}/releases/{SOMETHING}",
    f"{BASE}/releases/{SOMETHING}/progress",
    f"{BASE}/work",
    f"{BASE}/work/requeue",
    f"{BASE}/work/{SOMETHING}",
    f"{BASE}/examples",
    f"{BASE}/examples/{SOMETHING}",
    VALIDATORS,
    GOLD,
    "/tasks/sentiment/audit",
    "/audit",
)
FORMS = (
    f"{BASE}/state/closed",
    f"{BASE}/targets",
    f"{BASE}/next",
    f"{BASE}/release",
    f"{BASE}/work/requeue",
    f"{BASE}/work/{SOMETHING}",
    f"{BASE}/work/{SOMETHING}/reversal",
    f"{BASE}/examples/{SOMETHING}/abstention",
    f"{BASE}/work/{SOMETHING}/duplicate-overruling",
    f"{VALIDATORS}/{SOMETHING}",
    GOLD,
    f"{GOLD}/refresh",
    f"{GOLD}/{SOMETHING}/retirement",
)


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


@pytest.mark.parametrize("path", PAGES)
def test_a_stranger_sees_no_owners_page(ada: Visitor, path: str) -> None:
    assert ada.get(path).status_code == 403


@pytest.mark.parametrize("path", [path for path in PAGES if path != "/rounds"])
def test_an_owner_sees_no_page_of_another_task(otto: Visitor, path: str) -> None:
    assert otto.get(path).status_code == 403


@pytest.mark.parametrize("path", FORMS)
def test_a_stranger_changes_nothing(otto: Visitor, fake: FakePlatform, path: str) -> None:
    begun = len(fake.calls)
    assert otto.post(path, reason="x", choice="flag", state="active").status_code == 403
    assert [call for call in fake.calls[begun:] if call[0] != "GET"] == []


@pytest.mark.parametrize("path", [*PAGES, *FORMS])
def test_who_is_not_signed_in_is_led_there(visitor: Visitor, path: str) -> None:
    answer = visitor.get(path)
    assert answer.status_code in {303, 405}


def test_validators_stand_with_intervals_and_appeals(olga: Visitor) -> None:
    page = olga.get(VALIDATORS).text
    assert "71.0\u00a0%" in page
    assert "(65.0–79.0)" in page
    assert "I was tired" in page
    assert page.index("Voter c0ffee00") < page.index("Voter a1b2c3d4")
    assert "39 (97.5\u00a0%)" in page


def test_who_confirms_one_author_alone_stands_with_number_and_chance(olga: Visitor) -> None:
    page = olga.get(VALIDATORS).text
    row = page[page.index('<section id="one-author"') :]
    for text in ("Voter c0ffee00", "Author a1b2c3d4", "6 (100.0\u00a0%)", "0.7", "under 0.0001"):
        assert text in row


def test_a_validator_is_reinstated_with_a_reason(olga: Visitor, fake: FakePlatform) -> None:
    path = f"{VALIDATORS}/{figures.VOTERS[2]}"
    refused = olga.post(path, state="active", reason="")
    assert refused.status_code == 422
    assert f'id="decide-{figures.VOTERS[2]}" open' in refused.text
    answer = olga.post(path, state="active", reason="A fresh start.")
    assert answer.headers["Location"] == f"{VALIDATORS}?notice=validator-active"
    assert fake.owners.moves == [{"state": "active", "reason": "A fresh start."}]


def test_empty_lists_say_what_comes_next(olga: Visitor, fake: FakePlatform) -> None:
    fake.owners.validators.clear()
    fake.owners.pairs.clear()
    fake.owners.one_author.clear()
    fake.owners.gold.clear()
    fake.owners.entries.clear()
    page = olga.get(VALIDATORS).text
    assert "Nobody has voted in this task yet" in page
    assert "No pair of Round 3 agrees more often" in page
    assert "Nobody agrees with one author" in page
    assert "There are no known answers yet" in olga.get(GOLD).text
    assert "No entries yet" in olga.get("/audit").text


def test_pairs_that_can_not_be_read_are_a_sentence(olga: Visitor, fake: FakePlatform) -> None:
    fake.fail("GET", "/pairs$", 503, times=2)
    answer = olga.get(VALIDATORS)
    assert answer.status_code == 200
    assert "Pairs can't be read just now" in answer.text
    assert "Nobody agrees with one author" not in answer.text


def test_an_attention_check_is_added(olga: Visitor, fake: FakePlatform) -> None:
    check = {"context.prompt": "A plain one.", "input.text": "Best meal ever.", "check.answer": "positive"}
    answer = olga.post(GOLD, **check)
    assert answer.headers["Location"] == f"{GOLD}?notice=gold-added"
    sent = next(body for method, path, body in fake.calls if method == "POST" and path.endswith("/gold"))
    assert sent == {
        "context": {"prompt": "A plain one."},
        "input": {"text": "Best meal ever."},
        "answer": "positive",
        "kind": "attention",
    }
    assert "Best meal ever." in olga.get(GOLD).text


@pytest.mark.parametrize(
    ("change", "words"),
    [({"check.answer": ""}, "The right answer is missing."), ({"input.text": "broken"}, "It is broken.")],
)
def test_a_refused_check_keeps_what_was_typed(olga: Visitor, change: dict[str, str], words: str) -> None:
    check = {
        "context.prompt": "A plain one.",
        "input.text": "Best ever.",
        "check.answer": "positive",
        **change,
    }
    answer = olga.post(GOLD, **check)
    assert answer.status_code == 422
    assert words in answer.text
    assert "A plain one.</textarea>" in answer.text


def test_the_pool_is_refreshed_and_thinned(olga: Visitor, fake: FakePlatform) -> None:
    answer = olga.post(f"{GOLD}/refresh", round_id=fake.loop.round_id)
    page = olga.get(answer.headers["Location"]).text
    assert "3 added, 1 retired. 24 items from examples are in use." in page
    assert olga.post(f"{GOLD}/refresh", round_id="another").status_code == 422
    olga.post(f"{GOLD}/{fake.owners.gold[0]['gold_id']}/retirement")
    assert "retired: an owner withdrew it" in olga.get(GOLD).text


def test_the_log_is_filtered_by_round(olga: Visitor, fake: FakePlatform) -> None:
    page = olga.get("/tasks/sentiment/audit").text
    assert page.count("We changed the guidelines.") == 4
    assert "changed the models to fool" in page
    one = olga.get(f"/tasks/sentiment/audit?round_id={fake.loop.round_id}").text
    assert one.count("We changed the guidelines.") == 3
    assert olga.get("/tasks/sentiment/audit?round_id=nonsense").status_code == 200


def test_an_owner_reads_the_log_of_their_task_alone(visitor: Visitor, fake: FakePlatform) -> None:
    fake.add_person("otto", "owner:sentiment")
    visitor.sign_in("otto")
    assert visitor.get("/tasks/sentiment/audit").status_code == 200
    assert visitor.get("/audit").status_code == 403
