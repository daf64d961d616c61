"""Datasets that models are scored on: the list, their pages, their items, suspect labels, and uploading one."""

import io
import re
from html import unescape

import pytest
from web.datasets.samples_view import changed_characters
from web_fake_model_board import DATASET_ID
from web_fake_platform import FakePlatform
from web_visiting import Visitor

HTMX = {"HX-Request": "true"}
PAGE = f"/datasets/scored/{DATASET_ID}"
NEW = "/tasks/sentiment/datasets/new"
ITEM = b'{"id": "1", "context": {"prompt": "x"}, "input": {"text": "y"}, "label": "neutral"}\n'


@pytest.fixture
def olga(visitor: Visitor) -> Visitor:
    visitor.sign_in("olga")
    return visitor


def shown(text: str) -> str:
    """Return a page as it is read."""
    main = text.partition('id="main"')[2]
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", main)).split())


def upload(visitor: Visitor, content: bytes | None = ITEM, **form: str) -> tuple[int, str, str]:
    file = {} if content is None else {"file": (io.BytesIO(content), "items.jsonl")}
    given = {"name": "my-items", "title": "My items", "access": "scoring", "licence": "MIT", **form}
    answer = visitor.client.post(NEW, data={**given, **file}, headers={"Origin": "http://localhost"})
    return answer.status_code, answer.headers.get("Location", ""), answer.text


def test_the_list_says_who_sees_the_items(visitor: Visitor, fake: FakePlatform) -> None:
    text = shown(visitor.get("/datasets/scored").text)
    assert "Sentiment, round 2 sentiment-round-2 v1 · released round 2" in text
    assert "everybody (open) 720 280 ✓ Ready since" in text
    assert "Upload items" not in text
    fake.models.evaluations.sets = []
    assert "There are no datasets for scoring yet" in visitor.get("/datasets/scored").text


def test_owners_are_led_to_uploading(olga: Visitor) -> None:
    assert f'href="{NEW}"' in olga.get("/datasets/scored?task=sentiment").text


def test_a_dataset_shows_its_variants_by_rule(visitor: Visitor) -> None:
    text = shown(visitor.get(PAGE).text)
    assert "gender Fairness swaps gendered words 100" in text
    assert "invisible character Robustness – 180" in text
    assert "Suspect labels" not in text


@pytest.mark.parametrize("access", ["scoring", "hidden"])
def test_whose_items_are_not_shown_says_so(access: str, visitor: Visitor, fake: FakePlatform) -> None:
    fake.models.evaluations.sets[0]["access"] = access
    assert "/samples" not in visitor.get(PAGE).text
    for rest in ("/samples", "/item?id=r2-1"):
        answer = visitor.get(PAGE + rest)
        assert answer.status_code == 403
        assert "The items are not shown" in answer.text


def leak(place: str, name: str, **more: object) -> dict[str, object]:
    about = {"task_slug": None, "round_number": None, "found_at": "2026-11-21T10:00:00Z", **more}
    return {"place": place, "reference": DATASET_ID, "name": name, **about}


def test_owners_see_whether_a_hidden_dataset_leaked(olga: Visitor, fake: FakePlatform) -> None:
    found = fake.models.evaluations.sets[0]
    assert "Signs of a leak" not in olga.get(PAGE).text
    found.update(access="hidden", leaks={"words": 3, "found": 0, "items": []})
    text = shown(olga.get(PAGE).text)
    assert (
        "No sign of a leak so far. Its requests contain 3 made-up words, which were found nowhere else."
        in text
    )
    found["leaks"] = {"words": 0, "found": 0, "items": []}
    assert "its requests contain no made-up words" in shown(olga.get(PAGE).text)
    found["state"] = "preparing"
    assert "made-up words are added to a few requests" in shown(olga.get(PAGE).text)


def test_places_where_a_hidden_dataset_turned_up_are_linked(olga: Visitor, fake: FakePlatform) -> None:
    items = [
        leak("answers", "minilm-a-v3"),
        leak("dataset", "copied, version 1"),
        leak("example", "", task_slug="sentiment", round_number=2),
        leak("example", ""),
        leak("card", "<b>"),
    ]
    leaks = {"words": 3, "found": 1_204, "items": items}
    fake.models.evaluations.sets[0].update(access="hidden", leaks=leaks)
    page = olga.get(PAGE).text
    for address in (
        f"/evaluations/{DATASET_ID}",
        f"/datasets/scored/{DATASET_ID}",
        f"/tasks/sentiment/rounds/2/examples/{DATASET_ID}",
        f"/submissions/{DATASET_ID}",
    ):
        assert page.count(f'href="{address}"') == 1
    text = shown(page)
    assert "Made-up words of this dataset were found in 1,204 places." in text
    assert "Answers of a model minilm-a-v3" in text
    assert "These are the newest 5 of 1,204 places." in text
    leaks.update(found=1, items=items[:1])
    text = shown(olga.get(PAGE).text)
    assert "A made-up word of this dataset was found in 1 place." in text
    assert "These are the newest" not in text


def test_a_dataset_that_is_prepared_is_looked_at_until_it_is_ready(
    visitor: Visitor, fake: FakePlatform
) -> None:
    found = fake.models.evaluations.sets[0]
    found.update(state="preparing", variants={}, requests=None)
    text = visitor.get(PAGE).text
    assert f'hx-get="{PAGE}/state"' in text
    assert "They are made during preparation." in text
    assert "Being prepared" in visitor.get(f"{PAGE}/state", **HTMX).text
    found.update(state="failed", reason="No example has an agreed label.")
    assert visitor.get(f"{PAGE}/state", **HTMX).headers["HX-Refresh"] == "true"
    assert "No example has an agreed label." in visitor.get(PAGE).text


def test_samples_mark_what_a_rule_changed(visitor: Visitor, fake: FakePlatform) -> None:
    text = visitor.get(f"{PAGE}/samples").text
    assert "Fairness: gender" in text
    assert "<del>She</del><ins>He</ins> said" in text or "<del>S</del><ins>H</ins>" in text
    assert "‹U+043E›" in text
    assert "‹U+200B›" in text
    assert f'href="{PAGE}/samples?seed=1"' in text
    fake.models.evaluations.samples = []
    assert "No rule found anything to change" in visitor.get(f"{PAGE}/samples").text
    assert visitor.get(f"{PAGE}/samples?seed=-7").status_code == 200
    assert visitor.get(f"{PAGE}/samples?seed=none").status_code == 200


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a cat sat", "a dog sat"),
        ("receive it", "recieve it"),
        ("soup", "so\u200bup"),
        ("cop", "c\u043ep"),
        ("", "all new"),
        ("all gone", ""),
        ("same", "same"),
        ("He's here.", "He is here"),
        ("one two", "on e two"),
    ],
)
def test_the_pieces_make_both_texts(before: str, after: str) -> None:
    pieces = changed_characters(before, after)
    assert "".join(each.text for each in pieces if each.kind != "added") == before
    made = "".join(each.text for each in pieces if each.kind != "removed")
    assert re.sub("‹U\\+[0-9A-F]+›", "", made) == after.replace("\u200b", "")


def test_only_the_changed_characters_of_a_word_are_marked() -> None:
    pieces = changed_characters("I received it", "I recieved it")
    marked = "".join(each.text for each in pieces if each.kind != "same")
    assert len(marked) <= 4


def test_an_item_says_who_answers_it_right(visitor: Visitor) -> None:
    text = shown(visitor.get(f"{PAGE}/item?id=r2-1").text)
    assert "2 of 4 models are right." in text
    assert text.index("sentiment-minilm") < text.index("sentiment-mini-v1")
    assert "no answer: the model failed ✕ wrong" in text
    assert "offline predictions only" in text
    missing = visitor.get(f"{PAGE}/item?id=nobody")
    assert missing.status_code == 404
    assert "Back to the dataset" in missing.text
    assert visitor.get(f"{PAGE}/item").headers["Location"] == PAGE


def test_what_may_hurt_is_shown_after_the_notice_of_the_task(visitor: Visitor, fake: FakePlatform) -> None:
    fake.loop.add("hate-speech")
    fake.models.evaluations.sets[0]["task_slug"] = "hate-speech"
    for rest in ("/samples", "/item?id=r2-1"):
        text = visitor.get(PAGE + rest).text
        assert "Before you continue" in text
        assert "soup" not in text


def test_suspect_labels_are_evidence_for_owners(olga: Visitor, fake: FakePlatform) -> None:
    text = shown(olga.get(f"{PAGE}/suspects").text)
    assert "Check each item." in text
    assert "41 of the 300 items on which models differ have a negative correlation." in text
    assert "r2-9 She said the soup was cold. negative 2 of 5 -0.91" in text.replace("−", "-")
    fake.models.evaluations.suspects["items"] = []
    assert "No suspect labels" in olga.get(f"{PAGE}/suspects").text
    fake.models.evaluations.suspects["models"] = ["a"]
    assert (
        "1 model was scored on it. At least 5 different models are needed."
        in olga.get(f"{PAGE}/suspects").text
    )


def test_an_upload_leads_to_the_datasets_page(olga: Visitor, fake: FakePlatform) -> None:
    assert upload(olga) == (303, f"{PAGE}?notice=dataset-uploaded", upload(olga)[2])
    query, content = fake.models.evaluations.uploads[0]
    assert query == {"name": "my-items", "title": "My items", "access": "scoring", "licence": "MIT"}
    assert content == ITEM


def test_every_wrong_line_is_named_and_what_was_filled_in_stays(olga: Visitor) -> None:
    status, _location, text = upload(olga, ITEM.replace(b"neutral", b"angry"))
    assert status == 422
    assert "8 problems found in the file. Nothing was stored." in shown(text)
    assert "2 label is 'angry' Choose: neutral." in shown(text)
    assert "And 7 more; mend these first." in text
    assert 'value="my-items"' in text
    assert '<option value="scoring" selected>' in text


@pytest.mark.parametrize(
    ("content", "form", "status", "words"),
    [
        (None, {}, 422, "Nothing was sent, so nothing was stored."),
        (ITEM, {"name": "taken"}, 409, "Somebody else's dataset has this name."),
    ],
)
def test_what_stands_in_the_way_is_said_beside_its_field(
    content: bytes | None, form: dict[str, str], status: int, words: str, olga: Visitor
) -> None:
    given, _location, text = upload(olga, content, **form)
    assert given == status
    assert words in unescape(text)
    assert 'aria-invalid="true"' in text


def test_a_line_is_shown_as_the_task_needs_it(olga: Visitor) -> None:
    line = re.search(r"<code>(\{.*?\})</code>", olga.get(NEW).text)
    assert line
    assert '"label": "negative"' in unescape(line[1])


def test_others_may_not_upload(ada: Visitor, visitor: Visitor) -> None:
    assert upload(ada)[0] == 403
