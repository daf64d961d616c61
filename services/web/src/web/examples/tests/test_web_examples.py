"""The page of a public example: what it shows to whom, its link previews, reports and hiding."""

from html import unescape

import pytest
from web_fake_examples import EXAMPLE_ID, TEXTS
from web_fake_platform import FakePlatform
from web_visiting import Visitor

EXAMPLE = f"/examples/{EXAMPLE_ID}"
REPORTS = "/tasks/sentiment/reports"
SECOND = EXAMPLE_ID[:-1] + "2"
PASSAGE = "The mill burned down in 1902. It was rebuilt in 1910."


def shown(visitor: Visitor, path: str = EXAMPLE) -> str:
    answer = visitor.get(path)
    assert answer.status_code == 200, answer.text
    return unescape(answer.text)


def test_a_stranger_reads_the_text_what_people_say_and_what_each_model_said(visitor: Visitor) -> None:
    page = shown(visitor)
    assert "An example that fooled both models" in page
    assert TEXTS[0] in page
    assert "3 of 3 people say negative." in page
    assert "sentiment-minilm" in page
    assert "91\u00a0%" in page
    assert "wrong" in page
    assert "What the author started from" in page


def test_the_page_leads_to_the_open_round_the_task_the_round_and_the_dataset(
    visitor: Visitor, fake: FakePlatform
) -> None:
    page = shown(visitor)
    assert (
        f'class="button primary" href="/rounds/{fake.loop.round_id}/create">Try to fool it yourself' in page
    )
    assert 'href="/tasks/sentiment"' in page
    assert f'href="/rounds/{fake.loop.round_id}"' in page
    assert "Harbour round" in page
    assert f'href="/datasets/{fake.showcase.items[0]["dataset_id"]}"' in page


def test_without_an_open_round_the_page_leads_to_the_task(visitor: Visitor, fake: FakePlatform) -> None:
    fake.loop.rounds[fake.loop.round_id]["state"] = "closed"
    assert 'class="button primary" href="/tasks/sentiment">See the task' in shown(visitor)


@pytest.mark.parametrize(
    ("wrong", "heading"),
    [
        ([True, True], "An example that fooled both models"),
        ([True, False], "An example that fooled 1 of 2 models"),
        ([True], "An example that fooled the model"),
        ([True, True, True], "An example that fooled all 3 models"),
    ],
)
def test_the_heading_counts_the_fooled_models(
    visitor: Visitor, fake: FakePlatform, wrong: list[bool], heading: str
) -> None:
    first = fake.showcase.items[0]["answers"][0]
    fake.showcase.items[0]["answers"] = [
        {**first, "target": f"model-{number}", "wrong": each} for number, each in enumerate(wrong)
    ]
    assert heading in shown(visitor)


def test_other_answers_and_flags_of_voters_are_counted(visitor: Visitor, fake: FakePlatform) -> None:
    fake.showcase.items[0]["votes"] = [
        {"option": "negative", "count": 3},
        {"option": "neutral", "count": 1},
        {"option": "flag", "count": 1},
    ]
    page = shown(visitor)
    assert "3 of 5 people say negative." in page
    assert "1 person says neutral." in page
    assert "1 person found it unfit." in page


def test_the_premise_stands_above_a_hypothesis(visitor: Visitor, fake: FakePlatform) -> None:
    fake.loop.add("nli")
    example_id = fake.showcase.add(
        "nli", {"premise": "A dog sleeps."}, {"hypothesis": "It dreams."}, "neutral"
    )
    page = shown(visitor, f"/examples/{example_id}").partition("<main")[2]
    assert page.index("A dog sleeps.") < page.index("It dreams.")
    assert "What the author started from" not in page


def test_the_answers_of_people_and_models_are_marked_in_a_passage(
    visitor: Visitor, fake: FakePlatform
) -> None:
    fake.loop.add("qa")
    answer = {"start": 24, "end": 28, "text": "1902"}
    example_id = fake.showcase.add("qa", {"passage": PASSAGE}, {"question": "When did it burn?"}, answer)
    for each in fake.showcase.items[-1]["answers"]:
        each["value"] = {"start": 0, "end": 3, "text": "The"}
    page = shown(visitor, f"/examples/{example_id}")
    assert '<mark class="own-mark">1902</mark>' in page
    assert '<mark class="other-mark other-mark-1 other-mark other-mark-2">The</mark>' in page


def test_a_link_preview_quotes_the_text(visitor: Visitor) -> None:
    page = shown(visitor)
    assert f'property="og:title" content="An example that fooled both models: “{TEXTS[0]}”"' in page
    assert "People say negative. Both models said positive (91 %, 87 %). Sentiment" in page
    assert f'property="og:url" content="http://localhost{EXAMPLE}"' in page


def test_a_notice_holds_the_text_back_until_a_click_and_out_of_link_previews(
    visitor: Visitor, fake: FakePlatform
) -> None:
    fake.loop.add("hate-speech")
    example_id = fake.showcase.add("hate-speech", {}, {"text": "They should go home."}, "hateful")
    page = shown(visitor, f"/examples/{example_id}")
    head, _, body = page.partition("<main")
    assert "They should go home." not in head
    assert body.index('<details class="held-back">') < body.index("They should go home.")
    assert body.index("They should go home.") < body.index("</details>")
    assert "may be hateful towards groups" in body


def test_an_unknown_example_is_not_found(visitor: Visitor, fake: FakePlatform) -> None:
    fake.showcase.hidden[EXAMPLE_ID] = "It names somebody."
    assert visitor.get(EXAMPLE).status_code == 404


def test_a_stranger_is_told_to_sign_in_to_report(visitor: Visitor) -> None:
    page = shown(visitor)
    assert f"/sign-in?next={EXAMPLE}" in page
    assert "Send the report" not in page
    assert "Hide the example" not in page


def test_a_report_needs_a_reason_and_reaches_the_owners(ada: Visitor, fake: FakePlatform) -> None:
    refused = ada.post(f"{EXAMPLE}/reports", reason=" ")
    assert refused.status_code == 422
    assert 'aria-invalid="true" aria-describedby="problem"' in refused.text
    answer = ada.post(f"{EXAMPLE}/reports", reason="It names my neighbour.")
    assert answer.status_code == 303
    assert "Thank you" in ada.get(answer.headers["Location"]).text
    assert fake.showcase.reports == {EXAMPLE_ID: ["It names my neighbour."]}


def test_an_owner_hides_an_example_with_a_reason(visitor: Visitor, fake: FakePlatform) -> None:
    visitor.sign_in("olga")
    page = shown(visitor)
    assert "Hide this example" in page
    assert '<input type="hidden" name="task" value="sentiment">' in page
    assert visitor.post(f"{EXAMPLE}/hidden", task="sentiment", reason="").status_code == 422
    answer = visitor.post(f"{EXAMPLE}/hidden", task="sentiment", reason="It names somebody.")
    assert answer.headers["Location"].startswith("/tasks/sentiment/reports?")
    assert fake.showcase.hidden == {EXAMPLE_ID: "It names somebody."}
    page = visitor.get(answer.headers["Location"]).text
    assert "Show the example again" in page
    assert "It names somebody." in page
    assert visitor.get(EXAMPLE).status_code == 404


def test_an_author_hides_their_own_example_without_a_reason(ada: Visitor, fake: FakePlatform) -> None:
    person_id = str(fake.people["ada"].person_id)
    fake.showcase.authors[EXAMPLE_ID] = person_id
    fake.loop.examples[EXAMPLE_ID] = {
        **next(iter(fake.owners.cases.values())),
        "example_id": EXAMPLE_ID,
        "author_id": person_id,
    }
    page = shown(ada)
    assert "Hide my example" in page
    assert "Report this text" not in page
    assert ada.post(f"{EXAMPLE}/hidden").status_code == 303
    assert fake.showcase.hidden == {EXAMPLE_ID: None}
    assert "Show the example again</button>" in ada.get(f"{EXAMPLE}/hidden").text
    assert "Show the example again</button>" in ada.get(EXAMPLE).text
    assert ada.post(f"{EXAMPLE}/shown").status_code == 303
    assert TEXTS[0] in shown(ada)
    ada.post(f"{EXAMPLE}/hidden")
    ada.post("/sign-out")
    assert ada.get(EXAMPLE).status_code == 404


def test_the_words_that_decided_are_shown_on_request(visitor: Visitor) -> None:
    page = unescape(visitor.post(f"{EXAMPLE}/words", target="n-gram-b").text)
    assert '<section id="words-2" class="inspection"' in page
    assert "What moved n-gram-b towards" in page
    assert 'class="attribution"' in page


def test_only_models_of_the_example_are_explained(visitor: Visitor) -> None:
    assert visitor.post(f"{EXAMPLE}/words", target="another").status_code == 404


def test_a_model_that_starts_can_be_asked_again(visitor: Visitor, fake: FakePlatform) -> None:
    fake.fail("POST", "/explanations", 503, slug="inspection-unavailable", retry_after=5)
    answer = visitor.post(f"{EXAMPLE}/words", target="n-gram-b")
    assert answer.status_code == 503
    assert "Try again" in answer.text
    assert visitor.post(f"{EXAMPLE}/words", target="n-gram-b").status_code == 200


def test_owners_decide_on_reports_with_a_reason(visitor: Visitor, fake: FakePlatform) -> None:
    fake.showcase.reports = {EXAMPLE_ID: ["It names my neighbour."], SECOND: ["It is copied."]}
    visitor.sign_in("olga")
    page = shown(visitor, REPORTS)
    assert TEXTS[0] in page
    assert "It names my neighbour." in page
    assert visitor.post(f"{REPORTS}/{EXAMPLE_ID}", decision="hide", reason="").status_code == 422
    visitor.post(f"{REPORTS}/{EXAMPLE_ID}", decision="hide", reason="It does.")
    visitor.post(f"{REPORTS}/{SECOND}", decision="keep", reason="It is not.")
    assert fake.showcase.hidden == {EXAMPLE_ID: "It does."}
    assert fake.showcase.kept == {SECOND: "It is not."}
    assert "No open reports" in shown(visitor, REPORTS)


def test_owners_show_a_hidden_example_again_with_a_reason(visitor: Visitor, fake: FakePlatform) -> None:
    fake.showcase.hidden = {EXAMPLE_ID: "It names my neighbour."}
    visitor.sign_in("olga")
    page = shown(visitor, REPORTS)
    assert "Hidden: “It names my neighbour.”" in page
    assert TEXTS[0] in page
    refused = visitor.post(f"{REPORTS}/{EXAMPLE_ID}", decision="show", reason=" ")
    assert refused.status_code == 422
    answer = visitor.post(f"{REPORTS}/{EXAMPLE_ID}", decision="show", reason="It is a street.")
    assert answer.headers["Location"] == f"{REPORTS}?notice=example-shown"
    assert fake.showcase.shown == {EXAMPLE_ID: "It is a street."}
    assert "Hidden examples" not in shown(visitor, REPORTS)


def test_reports_are_shown_if_hidden_examples_can_not_be_read(visitor: Visitor, fake: FakePlatform) -> None:
    fake.fail("GET", "/hidden-examples", 500, times=9)
    visitor.sign_in("olga")
    page = shown(visitor, REPORTS)
    assert "No open reports" in page
    assert "The hidden examples can't be read just now." in page


def test_the_task_and_the_queue_lead_owners_to_the_reports(visitor: Visitor) -> None:
    visitor.sign_in("olga")
    for path in ("/tasks/sentiment/manage", "/tasks/sentiment/rounds/3/work"):
        assert f'href="{REPORTS}"' in shown(visitor, path)
