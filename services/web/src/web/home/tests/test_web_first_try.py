"""The try on the front page: without signing in, stored nowhere, within limits."""

from html import unescape

import pytest
from web_fake_platform import FakePlatform
from web_visiting import Visitor

FOOLING = {"text": "A sentence to fool it.", "claimed": "positive"}


def asked(fake: FakePlatform) -> list[str]:
    return [text for text, _ in fake.workshop.front_asked]


def test_a_stranger_tries_without_signing_in(visitor: Visitor, fake: FakePlatform) -> None:
    front = visitor.get("/").text
    assert 'action="/first-try"' in front
    assert 'maxlength="300"' in front

    page = visitor.post("/first-try", **FOOLING)

    assert page.status_code == 200
    assert "verdict-fooled is-new" in page.text
    assert "81\u00a0%" in page.text
    assert ">A sentence to fool it.</textarea>" in page.text.replace("\n", "")
    assert asked(fake) == ["A sentence to fool it."]


def test_a_model_that_hears_what_was_meant_is_not_fooled(visitor: Visitor) -> None:
    page = visitor.post("/first-try", text="A fine day.", claimed="positive").text
    assert "verdict-not-fooled" in page
    assert "The model understood you." in page


def test_the_address_that_the_edge_saw_is_passed_on(visitor: Visitor, fake: FakePlatform) -> None:
    headers = {"Sec-Fetch-Site": "same-origin", "X-Forwarded-For": "192.0.2.7"}
    visitor.client.post("/first-try", data=FOOLING, headers=headers)
    assert fake.workshop.front_asked == [("A sentence to fool it.", "192.0.2.7")]


def test_a_model_named_in_the_form_is_not_asked(visitor: Visitor, fake: FakePlatform) -> None:
    visitor.post("/first-try", **FOOLING, model="sentiment-minilm", target="sentiment-minilm")
    [body] = [body for _, path, body in fake.calls if path.endswith("/front-model/answers")]
    assert body == FOOLING


def test_nothing_but_the_question_is_sent_anywhere(visitor: Visitor, fake: FakePlatform) -> None:
    visitor.post("/first-try", **FOOLING)
    written = [path for method, path, _ in fake.calls if method != "GET"]
    assert written == ["/api/annotation/v1/front-model/answers"]


def test_another_site_can_not_ask_through_its_visitors(visitor: Visitor, fake: FakePlatform) -> None:
    answer = visitor.client.post("/first-try", data=FOOLING, headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 403
    assert asked(fake) == []


@pytest.mark.parametrize("text", ["", " ", "x" * 301])
def test_a_text_that_can_not_be_asked_is_refused_in_words(visitor: Visitor, text: str) -> None:
    page = visitor.post("/first-try", text=text, claimed="positive")
    assert page.status_code == 422
    assert "Write something." in page.text
    assert 'action="/first-try"' in page.text


def test_who_tried_enough_reads_when_it_goes_on_and_keeps_the_text(
    visitor: Visitor, fake: FakePlatform
) -> None:
    refusal = {"title": "That is enough for now", "remedy": "Sign up, or try again in 9 minutes."}
    fake.fail("POST", "/front-model/answers$", 429, "front-tries-used-up", 1, retry_after=540, **refusal)

    page = visitor.post("/first-try", **FOOLING)

    assert (page.status_code, page.headers["Retry-After"]) == (429, "540")
    assert "That is enough for now" in page.text
    assert "try again in 9 minutes" in page.text
    assert "A sentence to fool it." in page.text


def test_without_a_model_one_example_shows_how_it_goes(visitor: Visitor, fake: FakePlatform) -> None:
    fake.workshop.front = {"model": None, "labels": [], "longest_text": 300}
    page = unescape(visitor.get("/").text)
    assert "No model is available without signing in right now." in page
    assert "/first-try" not in page
    assert "People call it" in page


def test_a_model_that_got_into_a_round_meanwhile_is_told_with_the_example(
    visitor: Visitor, fake: FakePlatform
) -> None:
    fake.fail(
        "POST", "/front-model/answers$", 409, "front-model-closed", title="There is no model to try just now"
    )
    fake.workshop.front = {"model": None, "labels": [], "longest_text": 300}
    page = visitor.post("/first-try", **FOOLING)
    assert page.status_code == 409
    assert "There is no model to try just now" in page.text
    assert "People call it" in page.text


def test_the_front_page_stands_while_the_model_can_not_be_asked_for(
    visitor: Visitor, fake: FakePlatform
) -> None:
    fake.fail("GET", "/front-model$", 503, times=9)
    page = visitor.get("/")
    assert page.status_code == 200
    assert "No model is available without signing in right now." in page.text


def test_members_have_their_own_page(ada: Visitor, fake: FakePlatform) -> None:
    assert "first-try" not in ada.get("/").text
    assert ada.post("/first-try", **FOOLING).headers["Location"] == "/"
    assert asked(fake) == []


def test_who_comes_back_to_an_answer_is_led_to_the_form(visitor: Visitor) -> None:
    assert visitor.get("/first-try").headers["Location"] == "/"
