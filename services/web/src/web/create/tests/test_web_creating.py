"""Creating examples with plain forms."""

import re
from html import unescape
from uuid import UUID

import pytest
from web_fake_platform import FakePlatform
from web_visiting import Visitor

GREAT = "Such a great choice that my dog got most of it."
WRITTEN = {"text": GREAT, "label": "negative"}


@pytest.fixture
def path(fake: FakePlatform) -> str:
    return f"/rounds/{fake.loop.round_id}/create"


def form(fake: FakePlatform, **changes: str) -> dict[str, str]:
    context_id = fake.loop.contexts[fake.loop.position]["context_id"]
    written = {f"input.{name}": changes.pop(name, default) for name, default in WRITTEN.items()}
    return {"context_id": context_id, "key": "key-1", **written, **changes}


def key_in(page: str) -> str:
    found = re.search(r'name="key" value="([^"]+)"', page.partition('id="try-form"')[2])
    assert found
    return found.group(1)


def test_the_form_has_a_context_labels_a_counter_and_a_key(
    ada: Visitor, path: str, fake: FakePlatform
) -> None:
    page = ada.get(path).text
    assert fake.loop.contexts[0]["fields"]["prompt"] in page
    assert page.count('type="radio"') == 3
    assert "Write a sentence people would call" in page
    assert "<span data-count>0</span> / 1,000" in page
    assert UUID(key_in(page))
    assert key_in(page) != key_in(ada.get(path).text)


def test_a_try_shows_its_verdict_at_an_address_that_can_be_reloaded(
    ada: Visitor, path: str, fake: FakePlatform
) -> None:
    answer = ada.post(path, **form(fake))
    assert answer.status_code == 303
    page = ada.get(answer.headers["Location"]).text
    assert "You fooled 1 of 2 models" in page
    assert "You win if at least one of the 2 models is wrong." in page
    assert "Two people will check it." in page
    assert '<meter min="0" max="1" value="0.9100"' in page
    assert "Why is “negative” right?" in page
    assert "Why was the model fooled?" in page
    assert GREAT in page.partition("</textarea>")[0]
    ada.get(answer.headers["Location"])
    assert len(fake.loop.examples) == 1


def test_the_same_form_sent_twice_is_one_example(ada: Visitor, path: str, fake: FakePlatform) -> None:
    first = ada.post(path, **form(fake))
    again = ada.post(path, **form(fake))
    assert first.headers["Location"] == again.headers["Location"]
    assert len(fake.loop.examples) == 1


def test_html_in_a_text_is_shown_as_text(ada: Visitor, path: str, fake: FakePlatform) -> None:
    answer = ada.post(path, **form(fake, text="</textarea><script>alert(1)</script> great"))
    page = ada.get(answer.headers["Location"]).text
    assert "<script>alert" not in page
    assert "&lt;/textarea&gt;&lt;script&gt;" in page


def test_line_breaks_count_once(ada: Visitor, path: str, fake: FakePlatform) -> None:
    ada.post(path, **form(fake, text="great\r\nwords"))
    assert next(iter(fake.loop.examples.values()))["input"]["text"] == "great\nwords"


@pytest.mark.parametrize(
    ("changes", "words", "place"),
    [
        ({"text": "   "}, "Write 1 to 1,000 characters.", 'id="problem-field-text"'),
        ({"text": "x" * 1001}, "It has 1001 characters.", 'id="problem-field-text"'),
        ({"label": ""}, "Choose one of the labels.", 'id="problem-field-label"'),
    ],
)
def test_a_refused_try_is_told_at_its_field_and_kept(
    changes: dict[str, str], words: str, place: str, ada: Visitor, path: str, fake: FakePlatform
) -> None:
    answer = ada.post(path, **form(fake, **changes))
    assert answer.status_code == 422
    assert words in answer.text
    assert place in answer.text
    assert changes.get("text", GREAT).strip() in answer.text
    assert key_in(answer.text) != "key-1"
    assert not fake.loop.examples


@pytest.mark.parametrize("status", [503, 429])
def test_an_undecided_try_says_what_is_waited_for_and_keeps_text_and_key(
    status: int, ada: Visitor, path: str, fake: FakePlatform
) -> None:
    detail = "Too few models answered (sentiment-minilm: starting)."
    remedy = "Nothing was stored. Try again in 12 s."
    fake.fail(
        "POST",
        "/examples$",
        status,
        "verdict-undecidable",
        retry_after=12,
        detail=detail,
        remedy=remedy,
        times=2,
    )
    answer = ada.post(path, **form(fake))
    assert answer.status_code == status
    assert answer.headers["Retry-After"] == "12"
    assert "sentiment-minilm: starting" in answer.text
    assert 'data-countdown="12"' in answer.text
    assert GREAT in answer.text
    assert key_in(answer.text) == "key-1"


def test_a_lost_answer_keeps_the_key_so_that_nothing_is_doubled(
    ada: Visitor, path: str, fake: FakePlatform
) -> None:
    fake.fail("POST", "/examples$", 503, times=9)
    answer = ada.post(path, **form(fake))
    assert key_in(answer.text) == "key-1"


def test_a_key_used_with_another_text_gets_a_fresh_key(ada: Visitor, path: str, fake: FakePlatform) -> None:
    ada.post(path, **form(fake))
    answer = ada.post(path, **form(fake, text="Another great text."))
    assert answer.status_code == 422
    assert "Another great text." in answer.text
    assert "You sent this form before" in answer.text
    assert "Idempotency" not in answer.text
    assert key_in(answer.text) != "key-1"


def test_a_closed_round_says_so_and_gives_the_text_back(ada: Visitor, path: str, fake: FakePlatform) -> None:
    fake.loop.rounds[fake.loop.round_id]["state"] = "closed"
    answer = ada.post(path, **form(fake))
    assert answer.status_code == 409
    assert "The round is not open" in answer.text
    assert "Your text is not lost" in answer.text
    assert GREAT in answer.text
    empty = ada.get(path)
    assert empty.status_code == 409
    assert "our text" not in empty.text


def test_the_verdict_is_that_of_its_try_whatever_comes_next(
    ada: Visitor, path: str, fake: FakePlatform
) -> None:
    """With one try a context the next page has another context, or none, or the round is closed by then."""
    shown = ada.post(path, **form(fake)).headers["Location"]
    other, state = fake.loop.contexts[1], fake.loop.rounds[fake.loop.round_id]
    for stopped in (False, True):
        fake.loop.position, state["state"] = 1, "closed" if stopped else "open"
        page = unescape(ada.get(shown).text)
        verdict = page[page.index('<section class="verdict') :].partition("</section>")[0]
        assert "You fooled 1 of 2 models" in verdict
        assert GREAT in verdict
        assert fake.loop.contexts[0]["fields"]["prompt"] in verdict
        assert "/inspections" in verdict
        assert 'name="model"' in verdict
        assert "Retract" in verdict
        assert other["fields"]["prompt"] not in verdict
        assert (other["fields"]["prompt"] in page) is not stopped
        assert GREAT not in page.replace(verdict, "").partition("earlier")[0]


def test_an_error_gives_back_what_was_sent(ada: Visitor, path: str, fake: FakePlatform) -> None:
    fake.fail("GET", "/rounds/", 503, times=9)
    answer = ada.post(path, **form(fake))
    assert answer.status_code == 503
    assert "Your text is not lost" in answer.text
    assert GREAT in answer.text


def test_another_context_is_given(ada: Visitor, path: str, fake: FakePlatform) -> None:
    answer = ada.post(path, **form(fake, action="another", text=" "))
    assert answer.status_code == 303
    assert "brought her a separate bowl" in ada.get(path).text


def test_what_was_typed_and_not_sent_goes_along_to_another_context(
    ada: Visitor, path: str, fake: FakePlatform
) -> None:
    page = ada.post(path, **form(fake, action="another")).text
    assert "brought her a separate bowl" in page
    assert "What you typed is still in the form." in page
    assert GREAT in page.partition("</textarea>")[0]
    assert re.search('value="negative"[^>]* checked', page)
    assert "data-draft-carried" in page
    answer = ada.post(path, **form(fake, key=key_in(page)))
    assert (
        fake.loop.examples[answer.headers["Location"].rpartition("=")[2]]["context_id"]
        == (fake.loop.contexts[1]["context_id"])
    )


def test_what_was_sent_does_not_go_along(ada: Visitor, path: str, fake: FakePlatform) -> None:
    ada.post(path, **form(fake))
    answer = ada.post(path, **form(fake, action="another"))
    assert answer.headers["Location"].endswith("?notice=another")
    assert GREAT not in ada.get(path).text.partition("</textarea>")[0]


def test_a_task_without_tips_shows_none_and_not_those_of_another(ada: Visitor, fake: FakePlatform) -> None:
    bare = fake.loop.add("nli", changes={"tips": []})
    page = ada.get(f"/rounds/{bare.round_id}/create?hint=1").text
    assert "Show tips" not in page
    assert "irony" not in page
    assert 'name="hint_shown" value="0"' in page
    told = fake.loop.add("qa")
    page = ada.get(f"/rounds/{told.round_id}/create?hint=1").text
    assert told.document["tips"][0] in unescape(page)


def test_of_a_released_round_nothing_waits_for_its_author(ada: Visitor, fake: FakePlatform) -> None:
    judged = fake.loop.add("sentiment", changes={"wrong_when": "ask_annotator"})
    context_id = judged.context["context_id"]
    ada.post(
        f"/rounds/{judged.round_id}/create",
        **{"context_id": context_id, "key": "k", "input.text": "Fine.", "input.label": "neutral"},
    )
    tries = f"/rounds/{judged.round_id}/tries"
    assert "Decide, explain or inspect" in ada.get(tries).text
    fake.loop.rounds[judged.round_id]["state"] = "released"
    assert "Decide, explain or inspect" not in ada.get(tries).text


def test_hints_are_shown_with_the_text_kept_and_are_told_to_the_service(
    ada: Visitor, path: str, fake: FakePlatform
) -> None:
    page = ada.post(path, **form(fake, action="hint")).text
    assert "Negate twice." in page
    assert GREAT in page
    assert 'name="hint_shown" value="1"' in page
    ada.post(path, **form(fake, hint_shown="1"))
    assert next(iter(fake.loop.examples.values()))["hint_shown"] is True


def test_a_flagged_context_is_reported_and_replaced(ada: Visitor, path: str, fake: FakePlatform) -> None:
    context_id = fake.loop.contexts[0]["context_id"]
    answer = ada.post(f"{path}/flag", context_id=context_id, reason="not English")
    assert answer.headers["Location"].endswith("notice=flagged")
    assert (
        "POST",
        f"/api/annotation/v1/contexts/{context_id}/flags",
        {"reason": "not English"},
    ) in fake.calls
    assert fake.loop.position == 1


def test_explanations_are_saved(ada: Visitor, path: str, fake: FakePlatform) -> None:
    ada.post(path, **form(fake))
    example_id = next(iter(fake.loop.examples))
    answer = ada.post(f"/examples/{example_id}/explanations", label="The dog ate it.", model="great")
    page = ada.get(answer.headers["Location"]).text
    assert 'value="The dog ate it."' in page
    assert "Your reasons are saved." in page


def test_a_target_is_inspected(ada: Visitor, path: str, fake: FakePlatform) -> None:
    ada.post(path, **form(fake))
    example_id = next(iter(fake.loop.examples))
    page = ada.post(f"/examples/{example_id}/inspections", target="sentiment-minilm").text
    assert 'class="weight for-4"' in page
    assert 'class="weight against-' in page
    assert "20 steps" in page
    assert "convergence delta +0.021" in page
    assert '<th scope="row">choice</th>' in page
    assert f'href="/rounds/{fake.loop.round_id}/tries/{example_id}"' in page


@pytest.mark.parametrize("state", ["open", "paused", "closed", "released"])
def test_an_earlier_try_is_explained_and_inspected_by_itself_whatever_the_round_is(
    state: str, ada: Visitor, path: str, fake: FakePlatform
) -> None:
    ada.post(path, **form(fake))
    example_id = next(iter(fake.loop.examples))
    ada.post(path, **form(fake, action="another"))
    fake.loop.rounds[fake.loop.round_id]["state"] = state
    tries = f"/rounds/{fake.loop.round_id}/tries"
    one = f"{tries}/{example_id}"
    assert f'href="{one}"' in ada.get(tries).text
    page = ada.get(one).text
    assert fake.loop.examples[example_id]["context"]["prompt"] in unescape(page)
    assert GREAT in page
    assert f'action="/examples/{example_id}/inspections"' in page
    saved = ada.post(f"/examples/{example_id}/explanations", label="so", model="great", back=one)
    assert saved.headers["Location"] == f"{one}?notice=explained"
    assert 'value="great"' in ada.get(one).text
    assert ada.get(f"/rounds/{UUID(int=9)}/tries/{example_id}").status_code == 404


def test_an_inspection_that_has_to_wait_asks_again_by_itself(
    ada: Visitor, path: str, fake: FakePlatform
) -> None:
    ada.post(path, **form(fake))
    example_id = next(iter(fake.loop.examples))
    fake.fail(
        "POST", "/inspections$", 503, detail="Explanation workers are starting.", retry_after=4, times=2
    )
    answer = ada.post(f"/examples/{example_id}/inspections", target="sentiment-minilm")
    assert answer.status_code == 503
    assert "Explanation workers are starting." in answer.text
    assert "load delay:4s" in answer.text


def test_after_a_miss_the_tip_is_kept_until_the_explanation_is_there(
    ada: Visitor, path: str, fake: FakePlatform
) -> None:
    ada.post(path, **form(fake))
    address = f"/examples/{next(iter(fake.loop.examples))}/inspections"
    fake.fail("POST", "/inspections$", 503, times=1)
    starting = ada.post(address, target="sentiment-minilm", tip="1")
    assert starting.status_code == 503
    assert 'name="tip" value="1"' in starting.text
    assert "Tip: say the same without" in ada.post(address, target="sentiment-minilm", tip="1").text
    assert "Tip: say the same without" not in ada.post(address, target="sentiment-minilm").text


def test_my_tries_are_listed_and_retracted_for_good(ada: Visitor, path: str, fake: FakePlatform) -> None:
    ada.post(path, **form(fake))
    example_id = next(iter(fake.loop.examples))
    tries = f"/rounds/{fake.loop.round_id}/tries"
    page = ada.get(tries).text
    assert "Fooled" in page
    assert "People agree with you" in page
    assert "2\u00a0votes" in page
    assert "Yes, retract it" in page
    answer = ada.post(f"/examples/{example_id}/retraction", key=example_id, back=tries)
    assert answer.headers["Location"] == f"{tries}?notice=retracted"
    page = ada.get(answer.headers["Location"]).text
    assert "Retracted" in page
    assert "Yes, retract it" not in page


def test_another_persons_example_is_refused(visitor: Visitor, path: str, fake: FakePlatform) -> None:
    visitor.sign_in("ada")
    visitor.post(path, **form(fake))
    example_id = next(iter(fake.loop.examples))
    visitor.post("/sign-out")
    visitor.sign_in("olga")
    answer = visitor.post(f"/examples/{example_id}/retraction", key=example_id)
    assert answer.status_code == 404
    assert "There is no example with this id." in answer.text
    assert "Fooled" not in visitor.get(f"{path}?example={example_id}").text


def test_no_tries_yet_says_what_to_do(ada: Visitor, fake: FakePlatform) -> None:
    assert "No tries yet" in ada.get(f"/rounds/{fake.loop.round_id}/tries").text


def test_a_change_of_the_models_is_told_on_the_next_page(ada: Visitor, path: str, fake: FakePlatform) -> None:
    ada.post(path, **form(fake))
    assert "have changed since your last try" not in ada.get(path).text
    fake.loop.rounds[fake.loop.round_id]["targets"] = ["n-gram-b", "sentiment-cnn"]
    page = ada.get(path).text
    assert "The models of this round have changed since your last try." in page
    assert "New: sentiment-cnn." in page
    assert "Removed: sentiment-minilm." in page


def test_a_change_of_the_models_is_told_with_the_verdict_of_the_first_try_after_it(
    ada: Visitor, path: str, fake: FakePlatform
) -> None:
    ada.post(path, **form(fake))
    answer = ada.post(path, **form(fake, key="key-2", text="not good"))
    _first, second = fake.loop.examples.values()
    second["created_at"] = "2026-01-06T10:00:00Z"
    assert "have changed" not in ada.get(answer.headers["Location"]).text
    second["answers"][0]["target"] = "sentiment-cnn"
    fake.loop.rounds[fake.loop.round_id]["targets"] = ["sentiment-cnn", "n-gram-b"]
    page = ada.get(answer.headers["Location"]).text
    assert "New: sentiment-cnn." in page
    third = ada.post(path, **form(fake, key="key-3", text="neither good"))
    example = fake.loop.examples[third.headers["Location"].rpartition("=")[2]]
    example["answers"][0]["target"], example["created_at"] = "sentiment-cnn", "2026-01-06T11:00:00Z"
    assert "have changed" not in ada.get(third.headers["Location"]).text


def test_another_context_is_visibly_not_to_be_had_while_a_reason_is_missing(
    ada: Visitor, fake: FakePlatform
) -> None:
    task = fake.loop.add("nli")
    create = f"/rounds/{task.round_id}/create"
    written = {"input.hypothesis": "They fool us.", "input.label": "contradiction"}
    answer = ada.post(create, context_id=task.context["context_id"], key="k", **written)
    page = ada.get(answer.headers["Location"]).text
    assert "Say why the model was fooled to get the next text." in page
    assert page.count('aria-disabled="true" aria-describedby="next-waits"') == 2
    example_id = next(iter(fake.loop.examples))
    saved = ada.post(f"/examples/{example_id}/explanations", label="so", model="It trusts the word.")
    page = ada.get(saved.headers["Location"]).text
    assert "to get the next text" not in page
    assert 'aria-describedby="next-waits"' not in page


def test_a_reason_that_another_try_needs_is_a_link_and_disables_nothing(
    ada: Visitor, fake: FakePlatform
) -> None:
    task = fake.loop.add("nli")
    create = f"/rounds/{task.round_id}/create"
    for number in range(2):
        written = {"input.hypothesis": f"They fool us {number}.", "input.label": "contradiction"}
        answer = ada.post(create, context_id=task.context["context_id"], key=f"k{number}", **written)
    first, second = fake.loop.examples
    ada.post(f"/examples/{second}/explanations", label="so", model="It trusts the word.")
    page = ada.get(answer.headers["Location"]).text
    assert 'aria-describedby="next-waits"' not in page
    assert f'href="{create}?example={first}"' in page
    assert "Why was the model fooled?" in ada.get(f"{create}?example={first}").text
