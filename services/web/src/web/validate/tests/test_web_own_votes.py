"""A validator's actions on a given answer, with plain forms: judging, correcting, undoing, changing."""

import json
import re
from datetime import UTC, datetime, timedelta

import pytest
from web_fake_platform import FakePlatform
from web_fake_votes import WAITING
from web_visiting import Visitor

HOSTILE = "<script>alert(1)</script> & “quotes”"


@pytest.fixture
def path(fake: FakePlatform) -> str:
    return f"/rounds/{fake.loop.round_id}/validate"


@pytest.fixture
def vote_id(ada: Visitor, path: str, fake: FakePlatform) -> str:
    """One's newest answer: `neutral`, where the author said `negative`."""
    lease_id = fake.loop.queue[0]["lease_id"]
    shown = json.dumps({"context": {}, "input": {"text": WAITING[0]}})
    ada.post(path, lease_id=lease_id, kind="label", key="v-1", shown=shown, choice="option:neutral")
    return str(fake.loop.recent[0]["vote_id"])


def look(visitor: Visitor, path: str, vote_id: str) -> str:
    """See what the author said."""
    return visitor.post(f"{path}/reveal", vote_id=vote_id).text


def answer_all(visitor: Visitor, fake: FakePlatform, path: str) -> None:
    """Answer the rest of the queue with `positive`."""
    for number, entry in enumerate(list(fake.loop.queue)):
        form = {"lease_id": entry["lease_id"], "kind": "label", "key": f"rest-{number}"}
        visitor.post(path, **form, choice="option:positive")


def test_after_a_no_it_is_asked_what_is_right_with_ones_own_label_first(
    ada: Visitor, path: str, vote_id: str, fake: FakePlatform
) -> None:
    look(ada, path, vote_id)
    answer = ada.post(f"{path}/judgement", vote_id=vote_id, agrees="no", explanation="It groans.")
    assert fake.loop.judgements == {vote_id: {"agrees": False, "explanation": "It groans."}}
    assert answer.headers["Location"] == f"{path}/correction?vote={vote_id}"
    page = ada.get(answer.headers["Location"]).text
    assert 'value="option:neutral" data-key="2 Enter"' in page
    assert 'value="option:positive" data-key="3"' in page
    assert 'value="option:negative"' not in page
    assert "It groans." in page
    corrected = ada.post(
        f"{path}/correction", vote_id=vote_id, choice="option:neutral", explanation="It is dry."
    )
    assert corrected.headers["Location"] == f"{path}?notice=judged"
    said = {"agrees": False, "corrected": "neutral", "explanation": "It is dry."}
    assert fake.loop.judgements[vote_id] == said


def test_a_correction_may_be_left_open(ada: Visitor, path: str, vote_id: str, fake: FakePlatform) -> None:
    look(ada, path, vote_id)
    answer = ada.post(f"{path}/correction", vote_id=vote_id, choice="", explanation=" ")
    assert answer.headers["Location"] == path
    assert fake.loop.judgements == {}


def test_one_goes_on_without_judging_and_a_reason_is_kept_all_the_same(
    ada: Visitor, path: str, vote_id: str, fake: FakePlatform
) -> None:
    assert ada.post(f"{path}/judgement", vote_id=vote_id, agrees="").headers["Location"] == path
    assert fake.loop.judgements == {}
    ada.post(f"{path}/judgement", vote_id=vote_id, agrees="", explanation="Hard to say.")
    assert fake.loop.judgements == {vote_id: {"explanation": "Hard to say."}}


def test_a_refused_judgement_keeps_what_was_typed(
    ada: Visitor, path: str, vote_id: str, fake: FakePlatform
) -> None:
    fake.fail("PUT", "/judgement$", 409, detail="The example was withdrawn.")
    answer = ada.post(f"{path}/judgement", vote_id=vote_id, agrees="yes", explanation=HOSTILE)
    assert answer.status_code == 409
    assert "The example was withdrawn." in answer.text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; “quotes”" in answer.text
    assert WAITING[1] in answer.text


def test_a_correction_of_a_vote_that_is_not_ones_own_leads_on(ada: Visitor, path: str) -> None:
    assert ada.get(f"{path}/correction?vote=x").headers["Location"] == path
    assert ada.post(f"{path}/correction", vote_id="x", choice="option:neutral").headers["Location"] == path


def test_the_newest_answer_is_taken_back_within_the_minute(
    ada: Visitor, path: str, vote_id: str, fake: FakePlatform
) -> None:
    page = ada.get(path).text
    assert "data-expires" in page
    assert "Undo · " in page
    answer = ada.post(f"{path}/undo", vote_id=vote_id)
    assert answer.headers["Location"] == f"{path}?notice=undone"
    page = ada.get(answer.headers["Location"]).text
    assert WAITING[0] in page
    assert "Undo · " not in page
    assert fake.loop.recent == []


def test_an_answer_taken_back_that_had_settled_the_example_is_another_persons(
    ada: Visitor, path: str, vote_id: str, fake: FakePlatform
) -> None:
    fake.loop.settles_on_undo = True
    answer = ada.post(f"{path}/undo", vote_id=vote_id)
    page = ada.get(answer.headers["Location"]).text
    assert "Your answer is undone. Another person will check that text." in page
    assert WAITING[1] in page


def test_whoever_has_looked_takes_nothing_back_and_changes_nothing(
    ada: Visitor, path: str, vote_id: str, fake: FakePlatform
) -> None:
    assert "The author said" in look(ada, path, vote_id)
    assert "Undo · " not in ada.get(path).text
    page = ada.get(f"{path}/back").text
    assert "You have seen the author&#39;s answer" in page
    assert 'id="vote-form"' not in page
    for answer in (
        ada.post(f"{path}/undo", vote_id=vote_id),
        ada.post(f"{path}/back", vote_id=vote_id, kind="label", choice="option:positive"),
    ):
        assert answer.status_code == 409
        assert "You have seen what the author says." in answer.text


def test_without_a_look_there_is_nothing_to_correct(ada: Visitor, path: str, vote_id: str) -> None:
    assert ada.get(f"{path}/correction?vote={vote_id}").headers["Location"] == path


def test_a_look_at_a_vote_that_is_not_ones_own_says_so(ada: Visitor, path: str) -> None:
    assert ada.post(f"{path}/reveal", vote_id="x").status_code == 404


def test_after_the_minute_there_is_no_undo_and_a_late_one_says_why(
    ada: Visitor, path: str, vote_id: str, fake: FakePlatform
) -> None:
    fake.loop.recent[0]["undo_until"] = (datetime.now(UTC) - timedelta(seconds=1)).isoformat()
    assert "Undo · " not in ada.get(path).text
    answer = ada.post(f"{path}/undo", vote_id=vote_id)
    assert answer.status_code == 409
    assert "Too late to take the vote back" in answer.text
    assert WAITING[1] in answer.text


def test_one_goes_back_through_the_last_answers(
    ada: Visitor, path: str, vote_id: str, fake: FakePlatform
) -> None:
    assert f'href="{path}/back" data-key="b"' in ada.get(path).text
    answer_all(ada, fake, path)
    newest = ada.get(f"{path}/back").text
    assert "Your answer 1 of 2" in newest
    assert WAITING[1] in newest
    assert f'href="{path}/back?vote={vote_id}" data-key="b"' in newest
    oldest = ada.get(f"{path}/back?vote={vote_id}").text
    assert "Your answer 2 of 2" in oldest
    assert WAITING[0] in oldest
    assert 'data-key="b"' not in oldest
    assert 'data-key="l"' in oldest


def test_an_answer_that_still_waits_is_asked_anew_without_the_authors(
    ada: Visitor, path: str, vote_id: str, fake: FakePlatform
) -> None:
    page = ada.get(f"{path}/back").text
    assert "The author said" not in page
    assert 'aria-description="your answer so far" name="choice" value="option:neutral"' in page
    answer = ada.post(f"{path}/back", vote_id=vote_id, kind="label", choice="option:positive")
    assert answer.headers["Location"] == f"{path}?notice=changed"
    assert fake.loop.ballots[-1] == {"kind": "label", "value": "positive"}
    assert "Your new answer replaces" in ada.get(answer.headers["Location"]).text


def test_a_change_that_lacks_something_comes_back_as_it_was(
    ada: Visitor, path: str, vote_id: str, fake: FakePlatform
) -> None:
    answer = ada.post(f"{path}/back", vote_id=vote_id, kind="label", choice="flag", reason=" ")
    assert answer.status_code == 422
    assert 'id="reason-problem"' in answer.text
    ada.post(f"{path}/back", vote_id=vote_id, kind="label", choice="flag", reason=HOSTILE)
    assert fake.loop.ballots[-1] == {"kind": "flag", "reason": HOSTILE}
    page = ada.get(f"{path}/back").text
    assert "You flagged it." in page
    assert "<script>alert" not in page


def test_a_settled_answer_is_shown_with_all_that_was_said_and_why_it_stands(
    ada: Visitor, path: str, vote_id: str, fake: FakePlatform
) -> None:
    ada.post(f"{path}/judgement", vote_id=vote_id, agrees="no", explanation=HOSTILE)
    fake.loop.settle(vote_id)
    page = ada.get(f"{path}/back").text
    assert "Others have checked this text" in page
    assert "The dog ate it because I would not." in page
    assert "You said that the author is not right." in page
    assert "&lt;script&gt;" in page
    assert 'id="vote-form"' not in page


def test_a_settled_answer_leads_to_what_the_author_said(
    ada: Visitor, path: str, vote_id: str, fake: FakePlatform
) -> None:
    fake.loop.settle(vote_id)
    page = ada.get(f"{path}/back").text
    assert "The author said" not in page
    assert "See what the author says" in page
    refused = ada.post(f"{path}/back", vote_id=vote_id, kind="label", choice="option:positive")
    assert refused.status_code == 409
    assert "The vote is settled" in refused.text
    assert "The dog ate it because I would not." in look(ada, path, vote_id)


def test_a_withdrawn_example_says_so(ada: Visitor, path: str, vote_id: str, fake: FakePlatform) -> None:
    fake.loop.recent[0]["can_change"] = False
    assert "This text is no longer being checked" in ada.get(f"{path}/back").text


def test_going_back_with_nothing_to_go_back_to_leads_on(ada: Visitor, path: str) -> None:
    assert WAITING[0] in ada.get(f"{path}/back").text


def test_an_answer_that_is_not_among_the_last_leads_to_the_newest(
    ada: Visitor, path: str, vote_id: str
) -> None:
    assert ada.get(f"{path}/back?vote=x").headers["Location"] == f"{path}/back"


def test_a_mark_is_asked_anew_and_corrected_in_its_text(ada: Visitor, fake: FakePlatform) -> None:
    passage = "In Orsa, and again in Orsa."
    task = fake.loop.add("qa", contexts=[{"passage": passage}])
    path = f"/rounds/{task.round_id}/validate"
    lease_id = task.offer({"question": "Where?"}, {"start": 0, "end": 2, "text": "In"})
    shown = json.dumps({"context": {"passage": passage}, "input": {"question": "Where?"}})
    form = {"kind": "label", "key": "v-1", "shown": shown, "choice": "answer"}
    ada.post(path, lease_id=lease_id, **form, **{"vote.value": "Orsa"})
    vote_id = fake.loop.recent[0]["vote_id"]
    page = ada.get(f"{path}/back").text
    assert 'name="vote.value" value="Orsa"' in page
    assert 'name="vote.value.start" value="3"' in page
    correction = f"{path}/correction"
    look(ada, path, vote_id)
    assert 'value="Orsa"' in ada.get(f"{correction}?vote={vote_id}").text
    refused = ada.post(
        correction, vote_id=vote_id, choice="answer", **{"vote.value": "Lund"}, explanation="so"
    )
    assert refused.status_code == 422
    assert 'value="Lund"' in refused.text
    ada.post(correction, vote_id=vote_id, choice="answer", **{"vote.value": "again"})
    assert fake.loop.judgements[vote_id]["corrected"] == {"start": 13, "end": 18, "text": "again"}


def test_a_set_of_labels_is_corrected(ada: Visitor, fake: FakePlatform) -> None:
    task = fake.loop.add("topics", targets=1)
    path = f"/rounds/{task.round_id}/validate"
    lease_id = task.offer({"title": "A goal", "text": "The bank scored."}, ["economy"])
    form = {"lease_id": lease_id, "kind": "label", "key": "v-1", "choice": "answer"}
    ada.post(path, **form, **{"vote.value": "sport"})
    vote_id = fake.loop.recent[0]["vote_id"]
    look(ada, path, vote_id)
    page = ada.get(f"{path}/correction?vote={vote_id}").text
    assert re.findall(r'name="vote.value" value="(\w+)"[^>]* checked>', page) == ["sport"]
    ada.post(f"{path}/correction", vote_id=vote_id, choice="answer", **{"vote.value": ["sport", "economy"]})
    assert fake.loop.judgements[vote_id]["corrected"] == ["economy", "sport"]


def test_who_judges_incorrect_is_asked_what_is_right_and_agrees_to_nothing(
    ada: Visitor, fake: FakePlatform
) -> None:
    task = fake.loop.add("visual-questions", targets=1)
    path = f"/rounds/{task.round_id}/validate"
    lease_id = task.offer({"question": "How many?"}, "two")
    answer = ada.post(path, lease_id=lease_id, kind="judgement", key="v-1", choice="option:incorrect")
    vote_id = fake.loop.recent[0]["vote_id"]
    assert answer.headers["Location"] == f"{path}/correction?vote={vote_id}"
    assert "What is the right answer?" in ada.get(answer.headers["Location"]).text
    ada.post(f"{path}/correction", vote_id=vote_id, choice="answer", **{"vote.value": "three"})
    assert fake.loop.judgements == {vote_id: {"corrected": "three"}}
