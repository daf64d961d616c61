"""Votes on their examples as authors see them, and the one appeal, with plain forms."""

import pytest
from web_fake_platform import FakePlatform
from web_visiting import Visitor

HOSTILE = "<script>alert(1)</script>"
SOMEBODY = "0198c0de-0000-7000-8000-00000000b0d1"


@pytest.fixture
def tries(fake: FakePlatform) -> str:
    return f"/rounds/{fake.loop.round_id}/tries"


@pytest.fixture
def example_id(ada: Visitor, fake: FakePlatform) -> str:
    create = f"/rounds/{fake.loop.round_id}/create"
    context_id = fake.loop.contexts[0]["context_id"]
    written = {"input.text": "Such a great choice.", "input.label": "negative"}
    ada.post(create, context_id=context_id, key="k-1", **written)
    return next(iter(fake.loop.examples))


def test_votes_are_shown_with_reasons_and_never_with_people(
    ada: Visitor, tries: str, example_id: str, fake: FakePlatform
) -> None:
    fake.loop.receive(
        example_id,
        "disputed",
        {"option": "positive", "agrees": False, "corrected": "neutral", "explanation": HOSTILE},
        {"option": "negative", "agrees": True},
        {"kind": "flag", "option": "flag", "reason": "no sentence"},
        {"kind": "unsure", "option": "unsure", "counted": False},
        {"option": "mixed", "counted": False, "voter_id": SOMEBODY},
        {"option": "neutral", "counted": False, "set_aside": True},
    )
    page = ada.get(tries).text
    assert "What people said" in page
    assert "did not agree after seeing your answer: the right answer would be" in page
    assert "agreed with you after seeing your answer" in page
    assert "flagged it</strong>, because “no sentence”" in page
    assert "was unsure" in page
    assert "recorded, but not counted" in page
    assert "asked for new votes" in page
    assert "mixed" in page
    assert "&lt;script&gt;" in page
    assert HOSTILE not in page
    assert SOMEBODY not in page
    assert "No agreement" in page
    assert "6\u00a0votes" in page


def test_an_appeal_is_sent_once_and_its_state_is_shown(
    ada: Visitor, tries: str, example_id: str, fake: FakePlatform
) -> None:
    fake.loop.receive(example_id, "incorrect", {"option": "positive"}, {"option": "positive"})
    assert f'action="/examples/{example_id}/appeal"' in ada.get(tries).text
    answer = ada.post(f"/examples/{example_id}/appeal", reason=HOSTILE, back=tries)
    assert answer.headers["Location"] == f"{tries}?notice=appealed"
    page = ada.get(answer.headers["Location"]).text
    assert "You appealed" in page
    assert "The owner has not answered yet." in page
    assert HOSTILE not in page
    assert f'action="/examples/{example_id}/appeal"' not in page


def test_a_refused_appeal_keeps_its_words_where_they_were_written(
    ada: Visitor, tries: str, example_id: str, fake: FakePlatform
) -> None:
    fake.loop.receive(example_id, "incorrect", {"option": "positive"})
    fake.fail("POST", "/appeal$", 409, detail="The round is released.", remedy="Use the next round.")
    answer = ada.post(f"/examples/{example_id}/appeal", reason="I meant it <b>so</b>.", back=tries)
    assert answer.status_code == 409
    assert "The round is released. Use the next round." in answer.text
    assert "I meant it &lt;b&gt;so&lt;/b&gt;.</textarea>" in answer.text
    assert f'<input type="hidden" name="back" value="{tries}">' in answer.text


def test_the_owners_decision_and_answer_are_shown(
    ada: Visitor, tries: str, example_id: str, fake: FakePlatform
) -> None:
    fake.loop.receive(
        example_id,
        "correct",
        {"option": "positive"},
        appeal={"reason": "Irony.", "at": "2026-01-07T10:00:00Z", "answer": "Indeed."},
        adjudication={"resolution": "correct", "reason": "It is irony.", "at": "2026-01-08T10:00:00Z"},
    )
    page = ada.get(tries).text
    assert "The owner decided:" in page
    assert "“It is irony.”" in page
    assert "<strong>The owner's answer:</strong> “Indeed.”" in page


@pytest.mark.parametrize(
    ("resolution", "state", "retracted_at"),
    [
        (None, "open", None),
        ("correct", "open", None),
        ("incorrect", "released", None),
        ("incorrect", "open", "2026-01-07T10:00:00Z"),
    ],
    ids=["still waits", "correct", "released", "retracted"],
)
def test_there_is_no_appeal_where_none_is_allowed(
    resolution: str | None,
    state: str,
    retracted_at: str | None,
    ada: Visitor,
    tries: str,
    example_id: str,
    fake: FakePlatform,
) -> None:
    fake.loop.receive(example_id, resolution, {"option": "positive"})
    fake.loop.rounds[fake.loop.round_id]["state"] = state
    fake.loop.examples[example_id]["retracted_at"] = retracted_at
    assert "/appeal" not in ada.get(tries).text


def test_tries_are_listed_while_votes_cannot_be_read(
    ada: Visitor, tries: str, example_id: str, fake: FakePlatform
) -> None:
    fake.fail("GET", "/votes$", 503)
    page = ada.get(tries)
    assert page.status_code == 200
    assert "Such a great choice." in page.text


def test_votes_on_a_mark_are_shown_as_the_marked_words(ada: Visitor, fake: FakePlatform) -> None:
    task = fake.loop.add("qa", contexts=[{"passage": "In Orsa."}])
    context_id = task.context["context_id"]
    written = {"input.question": "Where?", "input.answer": "Orsa", "context_id": context_id, "key": "k"}
    ada.post(f"/rounds/{task.round_id}/create", **written)
    example_id = next(iter(fake.loop.examples))
    broken = {"option": "{broken"}
    fake.loop.receive(example_id, "incorrect", {"option": '{"end":2,"start":0,"text":"In"}'}, broken)
    page = ada.get(f"/rounds/{task.round_id}/tries").text
    assert '<span class="value-span">“In”</span>' in page
    assert "{broken" in page


def test_a_try_that_says_what_an_earlier_one_said_is_told_so(
    ada: Visitor, tries: str, example_id: str, fake: FakePlatform
) -> None:
    said = "The same text with the same answer has fooled before"
    assert said not in ada.get(tries).text
    fake.loop.examples[example_id]["duplicate_of"] = SOMEBODY
    assert said in ada.get(tries).text
    create = f"/rounds/{fake.loop.round_id}/create?example={example_id}"
    assert said in ada.get(create).text
    fake.loop.examples[example_id]["duplicate_overruled_at"] = "2026-01-08T12:00:00Z"
    assert said not in ada.get(tries).text
