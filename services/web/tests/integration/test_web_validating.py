"""Validating with plain forms."""

import json
import re

import pytest
from web_fake_loop import WAITING
from web_fake_platform import FakePlatform
from web_visiting import Visitor


@pytest.fixture
def path(fake: FakePlatform) -> str:
    return f"/rounds/{fake.loop.round_id}/validate"


def ballot(fake: FakePlatform, **changes: str) -> dict[str, str]:
    lease_id = fake.loop.queue[0]["lease_id"]
    shown = json.dumps({"context": {}, "input": {"text": WAITING[0]}})
    return {"lease_id": lease_id, "kind": "label", "key": "v-1", "shown": shown, **changes}


def test_an_example_is_shown_blind(ada: Visitor, path: str) -> None:
    page = ada.get(path).text
    assert WAITING[0] in page
    assert "The author said" not in page
    assert re.findall(r'data-key="(\d)"', page) == ["1", "2", "3", "4"]
    assert "12 today · agreement 0.87 on 29\u00a0examples" in page


def test_an_answer_is_followed_by_the_authors_label_and_a_judgement(
    ada: Visitor, path: str, fake: FakePlatform
) -> None:
    page = ada.post(path, **ballot(fake, choice="option:positive")).text
    assert fake.loop.ballots == [{"kind": "label", "value": "positive"}]
    assert "The author said" in page
    assert "The dog ate it because I would not." in page
    assert WAITING[0] in page
    vote_id = next(iter(fake.loop.votes.values()))["vote_id"]
    answer = ada.post(f"{path}/judgement", vote_id=vote_id, agrees="yes")
    assert answer.headers["Location"] == f"{path}?notice=judged"
    assert fake.loop.judgements == {vote_id: True}
    assert WAITING[1] in ada.get(answer.headers["Location"]).text


def test_a_resent_answer_is_one_vote_and_shows_the_same(ada: Visitor, path: str, fake: FakePlatform) -> None:
    form = ballot(fake, choice="option:negative")
    ada.post(path, **form)
    again = ada.post(path, **form)
    assert again.status_code == 200
    assert "The author said" in again.text
    assert len(fake.loop.ballots) == 1


def test_one_may_go_straight_on(ada: Visitor, path: str, fake: FakePlatform) -> None:
    answer = ada.post(path, **ballot(fake, choice="option:negative", advance="1"))
    assert answer.status_code == 303
    page = ada.get(answer.headers["Location"]).text
    assert WAITING[1] in page
    assert 'name="advance" value="1" checked' in page


def test_a_flag_needs_a_reason_and_keeps_the_example(ada: Visitor, path: str, fake: FakePlatform) -> None:
    answer = ada.post(path, **ballot(fake, choice="flag", reason=" "))
    assert answer.status_code == 422
    assert 'id="reason-problem"' in answer.text
    assert WAITING[0] in answer.text
    ada.post(path, **ballot(fake, choice="flag", reason="gibberish"))
    assert fake.loop.ballots == [{"kind": "flag", "reason": "gibberish"}]


def test_unsure_is_an_answer_of_its_own(ada: Visitor, path: str, fake: FakePlatform) -> None:
    ada.post(path, **ballot(fake, choice="unsure"))
    assert fake.loop.ballots == [{"kind": "unsure"}]


def test_skipping_gives_the_example_back(ada: Visitor, path: str, fake: FakePlatform) -> None:
    answer = ada.post(f"{path}/skip", lease_id=fake.loop.queue[0]["lease_id"])
    assert WAITING[1] in ada.get(answer.headers["Location"]).text


def test_an_expired_lease_says_so_and_goes_on(ada: Visitor, path: str, fake: FakePlatform) -> None:
    form = ballot(fake, choice="option:negative", lease_id="0198c0de-0000-7000-8000-000000000000")
    answer = ada.post(path, **form)
    assert answer.status_code == 409
    assert "The lease has expired" in answer.text
    assert WAITING[0] in answer.text


def test_an_empty_queue_says_why_and_when_to_come_back(ada: Visitor, path: str, fake: FakePlatform) -> None:
    fake.loop.queue.clear()
    page = ada.get(path).text
    assert "You have answered or skipped every example that waits" in page
    assert "30\u00a0s" in page
    assert "load delay:30s" in page


def test_validation_being_away_is_told_in_the_page(ada: Visitor, path: str, fake: FakePlatform) -> None:
    fake.fail("POST", "/leases$", 503, retry_after=3, times=9)
    answer = ada.get(path)
    assert answer.status_code == 503
    assert "Try again in 3\u00a0s." in answer.text
