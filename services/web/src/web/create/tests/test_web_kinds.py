"""Creating and validating with plain forms, for tasks of every kind."""

import re
import time
from typing import Any
from uuid import UUID

import pytest
from web_fake_arena import FakeTask
from web_fake_platform import FakePlatform
from web_visiting import Visitor

PASSAGE = "🙂 Die Ma\u0308rchen of Orsa were printed in Orsa in 1871."


def create(task: FakeTask) -> str:
    return f"/rounds/{task.round_id}/create"


def form(task: FakeTask, **controls: Any) -> dict[str, Any]:
    return {"context_id": task.context["context_id"], "key": f"key-{len(controls)}", **controls}


def only(fake: FakePlatform) -> dict[str, Any]:
    return next(iter(fake.loop.examples.values()))


def verdict_of(visitor: Visitor, task: FakeTask, **controls: Any) -> str:
    answer = visitor.post(create(task), **form(task, **controls))
    assert answer.status_code == 303, answer.text
    return visitor.get(answer.headers["Location"]).text


def agree(visitor: Visitor, slug: str) -> None:
    visitor.post(f"/tasks/{slug}/content-notice", next="/")


@pytest.fixture
def qa(fake: FakePlatform) -> FakeTask:
    return fake.loop.add("qa", contexts=[{"passage": PASSAGE}])


@pytest.fixture
def hate(fake: FakePlatform, ada: Visitor) -> FakeTask:
    task = fake.loop.add("hate-speech")
    agree(ada, "hate-speech")
    return task


HATEFUL = {"input.text": "They fool us all.", "input.label": "hateful"}
SAID = {"metadata.target_group": ["age", "gender"], "metadata.statement_type": "excluding"}


def test_an_answer_is_found_in_the_passage_without_a_script(
    ada: Visitor, qa: FakeTask, fake: FakePlatform
) -> None:
    page = verdict_of(ada, qa, **{"input.question": "What was fool-printed?", "input.answer": "Orsa"})
    start = PASSAGE.index("Orsa")
    assert only(fake)["claimed"] == {"start": start, "end": start + 4, "text": "Orsa"}
    assert '<mark class="own-mark">Orsa</mark>' in page
    assert '<mark class="other-mark other-mark-1 other-mark other-mark-2">🙂</mark>' in page


def test_words_that_are_not_in_the_passage_are_refused_beside_their_field(
    ada: Visitor, qa: FakeTask, fake: FakePlatform
) -> None:
    answer = ada.post(create(qa), **form(qa, **{"input.question": "Where?", "input.answer": "Lund"}))
    assert answer.status_code == 422
    assert 'id="problem-field-answer"' in answer.text
    assert 'value="Lund"' in answer.text
    assert not fake.loop.examples


def test_a_claim_that_cuts_a_word_is_asked_about_before_it_is_stored(
    ada: Visitor, qa: FakeTask, fake: FakePlatform
) -> None:
    controls = {"input.question": "When?", "input.answer": "Orsa in 18"}
    page = ada.post(create(qa), **form(qa, **controls)).text
    assert "“Orsa in 18” cuts a word. Do you mean “Orsa in 1871”?" in page
    assert 'value="Orsa in 18"' in page
    assert not fake.loop.examples

    start = PASSAGE.index("Orsa in 18")
    asked = {**controls, "cut_at": f"{start}-{start + 10}"}
    verdict_of(ada, qa, **asked, cut="whole")
    assert only(fake)["claimed"]["text"] == "Orsa in 1871"
    verdict_of(ada, qa, **asked, cut="as-marked", hint_shown="0")
    assert [each["claimed"]["text"] for each in fake.loop.examples.values()] == ["Orsa in 1871", "Orsa in 18"]


def test_an_answer_about_one_mark_says_nothing_of_another(
    ada: Visitor, qa: FakeTask, fake: FakePlatform
) -> None:
    controls = {"input.question": "When?", "input.answer": "were pri", "cut": "as-marked", "cut_at": "0-3"}
    assert "“were pri” cuts a word." in ada.post(create(qa), **form(qa, **controls)).text
    assert not fake.loop.examples


def test_a_mark_in_a_context_that_is_gone_is_not_taken(
    ada: Visitor, qa: FakeTask, fake: FakePlatform
) -> None:
    controls = {"input.question": "Where?", "input.answer": "Orsa", "context_id": fake.loop.round_id}
    answer = ada.post(create(qa), **{**form(qa), **controls})
    assert answer.status_code == 409
    assert "You have a different text now" in answer.text
    assert "Where?" in answer.text


def test_the_next_text_is_called_as_the_task_calls_it(ada: Visitor, qa: FakeTask, fake: FakePlatform) -> None:
    assert "Next text" in ada.get(create(qa)).text
    prompted = fake.loop.add("sentiment", contexts=[{"prompt": "Our hotel was near."}])
    assert "New prompt" in ada.get(create(prompted)).text


def test_a_near_miss_is_told_and_counts_as_a_hint(ada: Visitor, qa: FakeTask, fake: FakePlatform) -> None:
    written = {"input.question": "What was printed?", "input.answer": "Orsa"}
    page = verdict_of(ada, qa, **written)
    assert "It was only 58\u00a0% sure of its answer: you nearly fooled it." in page
    assert 'name="hint_shown" value="margin"' in page
    assert "Ask for the exception" not in page
    ada.post(create(qa), **form(qa, **written, hint_shown="margin"))
    assert [example["hint_shown"] for example in fake.loop.examples.values()] == [False, True]


def test_a_text_that_starts_from_the_context_is_shown_as_an_edit(ada: Visitor, fake: FakePlatform) -> None:
    task = fake.loop.add("sentiment", contexts=[{"prompt": "Our hotel was near."}])
    assert ">\nOur hotel was near.</textarea>" in ada.get(create(task)).text
    controls = {"input.text": "Our hotel was far, to fool you.", "input.label": "negative"}
    page = verdict_of(ada, task, **controls)
    assert "<del>near</del><ins>far, to fool you</ins>" in page


def test_in_the_arm_without_a_prompt_nothing_is_given(ada: Visitor, fake: FakePlatform) -> None:
    arm = {"condition": "no_prompt", "context_shown": False, "has_targets": True}
    task = fake.loop.add("sentiment", contexts=[{"prompt": "Our hotel was near."}], condition=arm)
    page = ada.get(create(task)).text
    assert "hotel was near" not in page
    assert "No text this time" in page
    controls = {"input.text": "Free.", "input.label": "negative"}
    assert "<ins>" not in verdict_of(ada, task, **controls)


def test_a_control_arm_says_that_no_model_is_asked(ada: Visitor, fake: FakePlatform) -> None:
    arm = {"condition": "control", "context_shown": True, "has_targets": False}
    task = fake.loop.add("sentiment", condition=arm)
    page = ada.get(create(task)).text
    assert "No model answers this time" in page
    assert "Try without saving" not in page
    page = verdict_of(ada, task, **{"input.text": "Free.", "input.label": "negative"})
    assert "No model answered." in page
    assert "You decide" not in page


def test_an_assigned_label_stands_in_place_of_the_choice(ada: Visitor, fake: FakePlatform) -> None:
    task = fake.loop.add("nli")
    page = ada.get(create(task)).text
    assert "Write for this one:" in page
    assert '<input type="hidden" name="input.label" value="contradiction">' in page
    assert 'type="radio"' not in page
    assert "context is-pinned" in page


def test_a_reason_that_is_needed_is_asked_for(ada: Visitor, fake: FakePlatform) -> None:
    task = fake.loop.add("nli")
    controls = {"input.hypothesis": "They fool us.", "input.label": "contradiction"}
    page = verdict_of(ada, task, **controls)
    assert "Say why the model was fooled" in page
    answer = ada.post(create(task), **form(task, action="another"))
    assert answer.status_code == 409
    assert "Say why it was fooled" in answer.text
    assert 'id="explanations"' in answer.text
    ada.post(f"/examples/{only(fake)['example_id']}/explanations", model="fool is a rare word")
    assert ada.post(create(task), **form(task, action="another")).status_code == 303


def test_a_set_of_labels_is_claimed(ada: Visitor, fake: FakePlatform) -> None:
    task = fake.loop.add("topics", targets=3)
    written = {"input.title": "A goal", "input.text": "The bank scored."}
    page = verdict_of(ada, task, **written, **{"input.topics": ["sport", "economy"]})
    assert only(fake)["claimed"] == ["economy", "sport"]
    assert "You win if at least 2 of the 3 models are wrong." in page
    answer = ada.post(create(task), **form(task, **written))
    assert answer.status_code == 422
    assert 'id="problem-field-topics"' in answer.text


def test_content_that_may_hurt_waits_for_a_word_of_the_person(ada: Visitor, fake: FakePlatform) -> None:
    task = fake.loop.add("hate-speech", contexts=[{"prompt": "A neighbour speaks."}])
    for path in (create(task), f"/rounds/{task.round_id}/validate", "/tasks/hate-speech/sandbox"):
        page = ada.get(path).text
        assert "Before you continue" in page
        assert "A neighbour speaks." not in page
    answer = ada.post("/tasks/hate-speech/content-notice", next=create(task))
    assert answer.headers["Location"] == create(task)
    assert "A neighbour speaks." in ada.get(create(task)).text
    ada.post("/sign-out")
    ada.sign_in("olga")
    assert "Before you continue" in ada.get(create(task)).text


@pytest.mark.parametrize(
    ("minutes", "began", "seen", "is_due"),
    [
        (None, 31, 1, True),
        (None, 29, 1, False),
        (None, 31, 11, False),
        (5, 6, 1, True),
        (0, 600, 1, False),
    ],
)
def test_a_break_is_proposed_once_after_work_without_a_pause(
    ada: Visitor, hate: FakeTask, fake: FakePlatform, minutes: int | None, began: int, seen: int, is_due: bool
) -> None:
    if minutes is not None:
        hate.document["break_after_minutes"] = minutes
    now, person = int(time.time()), fake.people["ada"].person_id
    ada.client.set_cookie("dynabench_break", f"{person}:{now - 60 * began}:{now - 60 * seen}", path="/rounds")
    paths = (create(hate), f"/rounds/{hate.round_id}/validate")
    assert ["Time for a break?" in ada.get(path).text for path in paths] == [is_due, False]


@pytest.mark.parametrize(
    "noted", ["x", "a:b:c", "::", f"{UUID(int=1)}:0:0", "{person}:" + "9" * 5_000 + ":1", "{person}:²:1"]
)
def test_a_forged_note_of_work_proposes_nothing(
    ada: Visitor, hate: FakeTask, fake: FakePlatform, noted: str
) -> None:
    noted = noted.replace("PERSON", str(fake.people["ada"].person_id))
    ada.client.set_cookie("dynabench_break", noted, path="/rounds")
    assert "Time for a break?" not in ada.get(create(hate)).text


def test_metadata_is_asked_for_with_its_claim(ada: Visitor, hate: FakeTask, fake: FakePlatform) -> None:
    page = ada.get(create(hate)).text
    assert 'data-shown-when="input.label" data-shown-words="[&#34;hateful&#34;]"' in page
    assert "Only for “hateful”." in page
    verdict_of(ada, hate, **HATEFUL, **SAID)
    assert only(fake)["metadata"] == {"target_group": ["age", "gender"], "statement_type": "excluding"}
    answer = ada.post(create(hate), **form(hate, **HATEFUL))
    assert answer.status_code == 422
    assert 'id="problem-field-metadata-target_group"' in answer.text


def test_metadata_of_another_claim_is_not_sent(ada: Visitor, hate: FakeTask, fake: FakePlatform) -> None:
    verdict_of(ada, hate, **{**HATEFUL, "input.label": "not hateful"}, **SAID)
    assert only(fake)["metadata"] == {}


def test_metadata_of_the_verdict_is_asked_after_it(ada: Visitor, fake: FakePlatform) -> None:
    why = {"name": "why", "type": "string", "label": "Why them?", "when": {"verdict": ["fooled"]}}
    task = fake.loop.add("sentiment", changes={"metadata": {"create": [why]}})
    assert "Why them?" not in ada.get(create(task)).text
    page = verdict_of(ada, task, **{"input.text": "You fool.", "input.label": "negative"})
    assert "Why them?" in page
    example_id = only(fake)["example_id"]
    answer = ada.post(f"/examples/{example_id}/metadata", **{"metadata.why": " "})
    assert answer.status_code == 422
    assert 'id="problem-field-metadata-why"' in answer.text
    answer = ada.post(f"/examples/{example_id}/metadata", **{"metadata.why": "They know."})
    assert "Your answers are saved." in ada.get(answer.headers["Location"]).text
    assert only(fake)["metadata"] == {"why": "They know."}


def test_the_smallest_edit_is_stored_with_what_it_edits(
    ada: Visitor, hate: FakeTask, fake: FakePlatform
) -> None:
    page = verdict_of(ada, hate, **HATEFUL, **SAID)
    link = re.search(r'href="([^"]+&amp;edit=[^"]+)"', page)
    assert link
    page = ada.get(link.group(1).replace("&amp;", "&")).text
    assert "Smallest edit that changes the label" in page
    assert "You called this" in page
    assert "People called this" not in page
    assert ">\nThey fool us all.</textarea>" in page
    assert re.search(r'value="not hateful"[^>]* checked', page)
    original = only(fake)["example_id"]
    assert f'name="perturbation_of" value="{original}"' in page
    flipped = {"input.text": "They fool none of us.", "input.label": "not hateful"}
    page = verdict_of(ada, hate, **flipped, perturbation_of=original)
    assert [each["perturbation_of"] for each in fake.loop.examples.values()] == [None, original]
    assert "Your smallest edit" in page
    assert "<ins>" in page


def test_a_refused_edit_stays_one(ada: Visitor, hate: FakeTask, fake: FakePlatform) -> None:
    verdict_of(ada, hate, **HATEFUL, **SAID)
    original = only(fake)["example_id"]
    fake.fail("POST", "/examples$", 422, "input-unusable", field="input.label", detail="It is the same.")
    answer = ada.post(create(hate), **form(hate, **HATEFUL, **SAID, perturbation_of=original))
    assert answer.status_code == 422
    assert f'name="perturbation_of" value="{original}"' in answer.text
    assert "It is the same." in answer.text


def test_the_author_decides_where_the_task_says_so(ada: Visitor, fake: FakePlatform) -> None:
    task = fake.loop.add("visual-questions", targets=1)
    page = ada.get(create(task)).text
    assert 'alt="Two cows behind a fence, seen from the left."' in page
    assert 'src="/api/annotation/v1/images/' in page
    page = verdict_of(ada, task, **{"input.question": "How many?", "input.answer": "two"})
    assert "You decide" in page
    example_id, target = only(fake)["example_id"], task.targets[0]
    unsaid = ada.post(f"/examples/{example_id}/decision", target=target)
    assert unsaid.status_code == 422
    answer = ada.post(f"/examples/{example_id}/decision", target=target, **{f"wrong.{target}": "yes"})
    assert "You fooled the model" in ada.get(answer.headers["Location"]).text
    again = ada.post(f"/examples/{example_id}/decision", target=target, **{f"wrong.{target}": "no"})
    assert again.status_code == 409
    assert "Nothing to decide" in again.text


def test_a_try_without_saving_shows_answers_and_keeps_the_text(
    ada: Visitor, hate: FakeTask, fake: FakePlatform
) -> None:
    page = ada.post(create(hate), **form(hate, **HATEFUL, action="probe")).text
    assert "Not saved. We only note" in page
    assert "They fool us all.</textarea>" in page
    assert len(hate.probes) == 1
    assert not fake.loop.examples


def test_near_duplicates_are_told_while_one_writes_and_after(
    ada: Visitor, hate: FakeTask, fake: FakePlatform
) -> None:
    twin = {"example_id": fake.loop.round_id, "text": "They fool us both.", "similarity": 0.91}
    hate.similar = {"own": [twin], "others": 2}
    notes = ada.post(f"{create(hate)}/notes", **form(hate, **HATEFUL)).text
    assert "Similar to 1 of yours and to 2\u00a0texts of other people" in notes
    assert "They fool us both." in notes
    page = verdict_of(ada, hate, **HATEFUL, **SAID)
    assert "They fool us both." in page
    hate.similar = {"own": [{**twin, "example_id": only(fake)["example_id"]}], "others": 0}
    page = ada.get(f"{create(hate)}?example={only(fake)['example_id']}").text
    assert "Similar to" not in page


def test_notes_fail_in_silence(visitor: Visitor, fake: FakePlatform) -> None:
    task = fake.loop.add("sentiment")
    assert visitor.post(f"{create(task)}/notes", **form(task)).status_code == 204
    visitor.sign_in("ada")
    fake.fail("POST", "/similar$", 503, times=9)
    assert visitor.post(f"{create(task)}/notes", **form(task, **HATEFUL)).status_code == 200


def test_a_field_of_an_unknown_type_is_told_and_breaks_nothing(ada: Visitor, fake: FakePlatform) -> None:
    sound = {"name": "sound", "type": "audio", "label": "Sound"}
    changes = {"context": [sound], "metadata": {"create": [{**sound, "optional": True}]}}
    task = fake.loop.add("sentiment", changes=changes, contexts=[{"sound": {"id": "x"}}])
    page = ada.get(create(task)).text
    assert "show fields of the type “audio”" in page
    assert "can&#39;t show otherwise" in page or "can't show otherwise" in page
