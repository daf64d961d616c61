"""Validation in tasks of every kind: spans, sets of labels, judgements, additional questions."""

import json
import re
from typing import Any

import pytest
from web_fake_arena import FakeTask
from web_fake_platform import FakePlatform
from web_visiting import Visitor

PASSAGE = "🙂 Die Ma\u0308rchen of Orsa were printed in Orsa in 1871."


@pytest.fixture
def qa(fake: FakePlatform) -> FakeTask:
    return fake.loop.add("qa", contexts=[{"passage": PASSAGE}])


def validate(task: FakeTask) -> str:
    return f"/rounds/{task.round_id}/validate"


def ballot(task: FakeTask, **controls: Any) -> dict[str, Any]:
    first = task.queue[0]
    shown = json.dumps({"context": task.context["fields"], "input": first["input"]})
    kind = task.document["validation"]["vote"]
    base = {"lease_id": first["lease_id"], "kind": kind, "key": "v-1", "shown": shown, "choice": "answer"}
    return {**base, **controls}


def look(visitor: Visitor, task: FakeTask, fake: FakePlatform) -> str:
    """See what the author of the newest answer's example said."""
    return visitor.post(f"{validate(task)}/reveal", vote_id=fake.loop.recent[0]["vote_id"]).text


def test_a_span_is_marked_blind_and_shown_beside_the_authors(
    ada: Visitor, qa: FakeTask, fake: FakePlatform
) -> None:
    claim = {"start": 2, "end": 5, "text": PASSAGE[2:5]}
    qa.offer({"question": "Where?"}, claim, "It says so.")
    page = ada.get(validate(qa)).text
    assert 'id="passage-passage" data-passage' in page
    assert "own-mark" not in page
    refused = ada.post(validate(qa), **ballot(qa, **{"vote.value": "Lund"}))
    assert refused.status_code == 422
    assert 'value="Lund"' in refused.text
    page = ada.post(validate(qa), **ballot(qa, **{"vote.value": "Orsa"})).text
    start = PASSAGE.index("Orsa")
    assert fake.loop.ballots[0]["value"] == {"start": start, "end": start + 4, "text": "Orsa"}
    assert "It says so." not in page
    page = look(ada, qa, fake)
    assert '<mark class="own-mark">Orsa</mark>' in page
    assert "It says so." in page


def test_a_flag_has_a_form_of_its_own(ada: Visitor, qa: FakeTask) -> None:
    """Enter in a text field presses the first button of its form, so a shared form would send the vote."""
    qa.offer({"question": "Where?"}, {"start": 2, "end": 5, "text": PASSAGE[2:5]})
    page = ada.get(validate(qa)).text
    form = re.search(r'<form(?:(?!</form>).)*name="reason".*?</form>', page, re.DOTALL)
    assert form is not None
    assert re.findall(r"<button.*?>", form.group()) == ['<button class="small" name="choice" value="flag">']


def test_a_set_of_labels_is_voted_for(ada: Visitor, fake: FakePlatform) -> None:
    task = fake.loop.add("topics", targets=3)
    task.offer({"title": "A goal", "text": "The bank scored."}, ["economy", "sport"])
    assert ada.get(validate(task)).text.count('type="checkbox" name="vote.value"') == 6
    assert ada.post(validate(task), **ballot(task)).status_code == 422
    page = ada.post(validate(task), **ballot(task, **{"vote.value": ["sport", "economy"]})).text
    assert fake.loop.ballots[0]["value"] == ["economy", "sport"]
    assert "You agree" not in page
    assert "You and the author agree" in look(ada, task, fake)


def test_a_claim_is_judged_beside_its_picture(ada: Visitor, fake: FakePlatform) -> None:
    task = fake.loop.add("visual-questions", targets=1)
    task.offer({"question": "How many?"}, "two")
    page = ada.get(validate(task)).text
    assert "The author says" in page
    assert "<img" in page
    answer = ada.post(validate(task), **ballot(task, choice="option:correct"))
    assert answer.status_code == 303
    assert fake.loop.ballots == [{"kind": "judgement", "value": "correct"}]


def test_metadata_is_asked_for_with_its_vote(ada: Visitor, fake: FakePlatform) -> None:
    fields = [
        {"name": "how", "type": "string", "label": "How so?", "when": {"vote": ["negative"]}},
        {"name": "slur", "type": "multiclass", "labels": ["yes", "no"], "when": {"vote": ["flag"]}},
    ]
    task = fake.loop.add("sentiment", changes={"metadata": {"validate": fields}})
    for text in ("One.", "Two.", "Three."):
        task.offer({"text": text}, "negative")
    page = ada.get(validate(task)).text
    assert 'type="radio" name="vote.value"' in page
    assert 'data-shown-when="vote.value"' in page
    refused = ada.post(validate(task), **ballot(task, **{"vote.value": "negative"}))
    assert 'id="problem-field-metadata-how"' in refused.text
    said = {"metadata.how": "It groans.", "metadata.slur": "no"}
    for number, (choice, value) in enumerate((("answer", "negative"), ("answer", "neutral"), ("flag", ""))):
        controls = {"vote.value": value, **said, "choice": choice, "reason": "unfit", "key": f"v-{number}"}
        assert ada.post(validate(task), **ballot(task, **controls)).status_code == 200
    assert [each.get("metadata") for each in fake.loop.ballots] == [
        {"how": "It groans."},
        None,
        {"slur": "no"},
    ]
