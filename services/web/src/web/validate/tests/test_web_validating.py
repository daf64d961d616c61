"""Validating with plain forms."""

import json
import re
from html import unescape

import pytest
from web_fake_figures import rate
from web_fake_platform import FakePlatform
from web_fake_votes import WAITING
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
    assert "12 today · agreement 0.87 (0.78–0.94)" in page


def test_an_answer_is_followed_by_the_authors_label_and_a_judgement(
    ada: Visitor, path: str, fake: FakePlatform
) -> None:
    page = ada.post(path, **ballot(fake, choice="option:positive")).text
    assert fake.loop.ballots == [{"kind": "label", "value": "positive"}]
    assert WAITING[0] in page
    assert "You can undo or change your answer until" in page
    assert "The author said" not in page
    assert "The dog ate it because I would not." not in page
    assert "Undo · " in page
    vote_id = next(iter(fake.loop.votes.values()))["vote_id"]
    page = ada.post(f"{path}/reveal", vote_id=vote_id).text
    assert "The author said" in page
    assert "The dog ate it because I would not." in page
    assert WAITING[0] in page
    assert "Undo · " not in page
    answer = ada.post(f"{path}/judgement", vote_id=vote_id, agrees="yes")
    assert answer.headers["Location"] == f"{path}?notice=judged"
    assert fake.loop.judgements == {vote_id: {"agrees": True}}
    assert WAITING[1] in ada.get(answer.headers["Location"]).text


@pytest.mark.parametrize(
    "shown", ["[" * 100_000, '{"context": {"passage": "\\ud83d"}}', "[]", "9" * 5_000, ""]
)
def test_an_answer_is_stored_whatever_the_page_says_it_showed(
    ada: Visitor, path: str, fake: FakePlatform, shown: str
) -> None:
    answer = ada.post(path, **ballot(fake, choice="option:positive", shown=shown))
    assert answer.status_code == 200
    assert fake.loop.ballots == [{"kind": "label", "value": "positive"}]


def test_what_the_models_answered_is_read_once_the_vote_is_final(
    ada: Visitor, path: str, fake: FakePlatform
) -> None:
    page = ada.post(path, **ballot(fake, choice="option:positive")).text
    assert "The models answered:" not in page
    vote_id = next(iter(fake.loop.votes.values()))["vote_id"]
    for page in (ada.post(f"{path}/reveal", vote_id=vote_id).text, ada.get(f"{path}/back").text):
        models = page.split("The models answered:")[1].split("</ul>")[0]
        assert models.count("<li>") == 2
        assert "91\u00a0% sure" in models


def test_an_example_without_the_models_answers_says_nothing_of_them(ada: Visitor, fake: FakePlatform) -> None:
    nli = fake.loop.add("nli")
    nli.offer({"hypothesis": "It is closed for good."}, "contradiction")
    path = f"/rounds/{nli.round_id}/validate"
    ada.post(path, **ballot(fake, lease_id=nli.queue[0]["lease_id"], choice="option:neutral"))
    page = ada.post(f"{path}/reveal", vote_id=next(iter(fake.loop.votes.values()))["vote_id"]).text
    assert "The author said" in page
    assert "answered:" not in page


def test_who_agrees_with_the_author_is_asked_nothing_more(
    ada: Visitor, path: str, fake: FakePlatform
) -> None:
    ada.post(path, **ballot(fake, choice="option:negative"))
    page = ada.post(f"{path}/reveal", vote_id=next(iter(fake.loop.votes.values()))["vote_id"]).text
    assert "You and the author agree:" in page
    assert "The dog ate it because I would not." in page
    assert 'name="agrees" value="yes"' not in page
    assert "Is the author right" not in page
    answer = ada.post(f"{path}/judgement", vote_id=fake.loop.recent[0]["vote_id"], agrees="")
    assert WAITING[1] in ada.get(answer.headers["Location"]).text
    assert fake.loop.judgements == {}


def test_labels_are_said_in_plain_words_beside_their_names(ada: Visitor, fake: FakePlatform) -> None:
    nli = fake.loop.add("nli")
    nli.offer({"hypothesis": "It is closed for good."}, "contradiction")
    page = unescape(ada.get(f"/rounds/{nli.round_id}/validate").text)
    assert "The two sentences can't both be true." in page
    assert "“She has never owned a car.”" in page
    page = unescape(ada.get(f"/rounds/{nli.round_id}/create").text)
    assert "The two sentences can't both be true." in page
    assert "“She has never owned a car.”" in page


def test_a_resent_answer_is_one_vote_and_shows_the_same(ada: Visitor, path: str, fake: FakePlatform) -> None:
    form = ballot(fake, choice="option:negative")
    ada.post(path, **form)
    again = ada.post(path, **form)
    assert again.status_code == 200
    assert "You said" in again.text
    assert len(fake.loop.ballots) == 1


def test_one_may_go_straight_on(ada: Visitor, path: str, fake: FakePlatform) -> None:
    ada.post("/preferences", pace="straight", next=path)
    answer = ada.post(path, **ballot(fake, choice="option:negative"))
    assert answer.status_code == 303
    page = ada.get(answer.headers["Location"]).text
    assert WAITING[1] in page
    assert 'value="straight" aria-pressed="true"' in page


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


@pytest.mark.parametrize(
    ("state", "sentence", "looks_again"),
    [
        ("nothing_waits", "All texts here have enough votes", True),
        ("only_own", "Only your own texts are left", True),
        ("all_answered", "You have answered or skipped every text here", True),
        ("others_working", "Other people are checking every text that is left", True),
        ("round_takes_no_votes", "This round takes no votes", False),
        ("of a newer platform", "The service says: of a newer platform.", True),
    ],
)
def test_an_empty_queue_says_why_when_to_come_back_and_what_else_there_is(
    state: str, sentence: str, looks_again: bool, ada: Visitor, path: str, fake: FakePlatform
) -> None:
    fake.loop.queue.clear()
    fake.loop.empty_state = state
    page = ada.get(path).text
    assert sentence in page
    assert "30\u00a0s" in page
    assert ("load delay:30s" in page) is looks_again
    assert f'href="/rounds/{fake.loop.round_id}/create" data-key="c"' in page
    assert "pause-appeal" not in page
    if state == "of a newer platform":
        fake.breaches.clear()  # it says what is not published yet


def test_who_is_paused_is_told_what_it_means_and_may_appeal(
    ada: Visitor, path: str, fake: FakePlatform
) -> None:
    fake.loop.standing["state"] = "paused"
    page = ada.get(path).text
    assert "You are paused in this task" in page
    assert "Your earlier answers stay." in page
    assert "load delay" not in page
    assert "They vote too &lt;i&gt;fast&lt;/i&gt;." in page
    assert f'action="{path}/pause-appeal"' in page
    answer = ada.post(f"{path}/pause-appeal", reason="I read the <b>guidelines</b> again.")
    assert fake.loop.pause_appeals == ["I read the <b>guidelines</b> again."]
    sent = ada.get(answer.headers["Location"]).text
    assert "Your appeal is sent." in sent
    assert "I read the &lt;b&gt;guidelines&lt;/b&gt; again." in sent
    assert "The task's owner has not answered yet." in sent
    assert "/pause-appeal" not in sent
    again = ada.post(f"{path}/pause-appeal", reason="Once <b>more</b>.")
    assert again.status_code == 409
    assert "You can appeal once against a pause" in again.text
    assert "Once &lt;b&gt;more&lt;/b&gt;." in again.text
    fake.loop.pause_answer = "Read <i>twice</i>."
    answered = ada.get(path).text
    assert "keeps the pause: <q>Read &lt;i&gt;twice&lt;/i&gt;.</q>" in answered
    assert answered.count("Read &lt;i&gt;twice") == 1


def test_who_is_warned_is_told_so_kindly(ada: Visitor, path: str, fake: FakePlatform) -> None:
    assert "About your last answers." not in ada.get(path).text
    fake.loop.standing |= {"state": "warned", "gold": rate(0.9, 0.6, 0.98, 30)}
    page = ada.get(path).text
    assert "About your last answers." in page
    assert "known answers 0.90 (0.60–0.98)" in page


def test_the_lease_is_renewed_while_the_person_is_at_work(
    ada: Visitor, path: str, fake: FakePlatform
) -> None:
    lease_id = fake.loop.queue[0]["lease_id"]
    assert f'data-lease="{path}/renewal"' in ada.get(path).text
    assert ada.post(f"{path}/renewal", lease_id=lease_id).status_code == 204
    assert fake.loop.renewed == [lease_id]
    fake.loop.lost_leases.add(lease_id)
    assert ada.post(f"{path}/renewal", lease_id=lease_id).status_code == 409


def test_a_lost_lease_keeps_what_was_typed(ada: Visitor, path: str, fake: FakePlatform) -> None:
    gone = "0198c0de-0000-7000-8000-000000000000"
    answer = ada.post(path, **ballot(fake, choice="flag", reason="It <i>leaks</i>.", lease_id=gone))
    assert answer.status_code == 409
    assert "What you typed" in answer.text
    assert "It &lt;i&gt;leaks&lt;/i&gt;." in answer.text
    assert 'name="reason" maxlength="500" autocomplete="off" value=""' in answer.text


def test_what_one_wants_after_an_answer_is_remembered(ada: Visitor, path: str) -> None:
    for pace, pressed in (("timed", "timed"), ("nonsense", "timed"), ("wait", "wait")):
        ada.post("/preferences", pace=pace, next=path)
        assert f'value="{pressed}" aria-pressed="true"' in ada.get(path).text


def test_a_context_without_words_is_not_shown(ada: Visitor, fake: FakePlatform) -> None:
    task = fake.loop.add("sentiment", contexts=[{"prompt": " "}])
    page = ada.get(f"/rounds/{task.round_id}/create").text
    assert "No text this time" in page
    assert "context-label-prompt" not in page
    task.offer({"text": "One."}, "negative")
    page = ada.get(f"/rounds/{task.round_id}/validate").text
    assert "One." in page
    assert "context-label-prompt" not in page


def test_validation_being_away_is_told_in_the_page(ada: Visitor, path: str, fake: FakePlatform) -> None:
    fake.fail("POST", "/leases$", 503, retry_after=3, times=9)
    answer = ada.get(path)
    assert answer.status_code == 503
    assert "Try again in 3\u00a0s." in answer.text
