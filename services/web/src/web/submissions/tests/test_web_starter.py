"""Starter models: examples by label in a form, sent to the registry, and followed on the submission's page."""

import pytest
from web_fake_platform import FakePlatform
from web_visiting import Visitor

PATH = "/tasks/sentiment/starter"


@pytest.fixture
def olga(visitor: Visitor) -> Visitor:
    visitor.sign_in("olga")
    return visitor


def test_examples_are_sent_by_label_and_the_checks_are_shown(olga: Visitor, fake: FakePlatform) -> None:
    page = olga.get(PATH).text
    assert page.count('name="examples.') == 3
    assert 'value="sentiment-starter"' in page
    form = {"examples.0": "It rained.\r\n\r\nNobody came.", "examples.2": "A lovely day."}
    done = olga.post(PATH, model="sentiment-starter", **form)
    assert "The starter model is being checked." in olga.get(done.headers["Location"]).text
    labels = [fake.loop.task("sentiment")["configuration"]["output"][0]["labels"][place] for place in (0, 2)]
    assert fake.models.starters[0]["examples"] == [
        {"texts": ["It rained."], "labels": labels[:1]},
        {"texts": ["Nobody came."], "labels": labels[:1]},
        {"texts": ["A lovely day."], "labels": labels[1:]},
    ]


def test_a_text_under_two_labels_is_one_example(olga: Visitor, fake: FakePlatform) -> None:
    olga.post(PATH, model="sentiment-starter", **{"examples.0": "So so.", "examples.1": "So so."})
    (example,) = fake.models.starters[0]["examples"]
    assert len(example["labels"]) == 2


def test_refused_examples_stay_in_the_form(olga: Visitor, fake: FakePlatform) -> None:
    fake.fail(
        "POST",
        "/starter-models$",
        422,
        field="examples",
        detail="Example 1 must have this number of texts: 2.",
    )
    answer = olga.post(PATH, model="mine", **{"examples.0": "It rained."})
    assert answer.status_code == 422
    assert "It rained." in answer.text
    assert 'value="mine"' in answer.text


@pytest.mark.parametrize(("labels", "longest"), [(3, 5000), (100, 1100)])
def test_the_longest_examples_of_all_labels_fit_into_a_request(
    labels: int, longest: int, olga: Visitor, fake: FakePlatform, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web_fake_loop.LABELS", [f"label {number}" for number in range(labels)])
    assert olga.get(PATH).text.count(f'maxlength="{longest}"') == labels
    lines = [str(place).ljust(1000, "न") for place in range(labels)]
    form = {f"examples.{place}": "\n".join([line] * 5)[:longest] for place, line in enumerate(lines)}
    assert olga.post(PATH, model="sentiment-starter", **form).status_code == 303
    given = {label for example in fake.models.starters[0]["examples"] for label in example["labels"]}
    assert len(given) == labels


def test_a_task_of_pairs_asks_for_both_texts(olga: Visitor, fake: FakePlatform) -> None:
    fake.loop.add("nli")
    page = olga.get("/tasks/nli/starter").text
    assert "one example per line:" in page
    olga.post(
        "/tasks/nli/starter", model="nli-starter", **{"examples.0": "A dog barks. | An animal is loud."}
    )
    assert fake.models.starters[0]["examples"][0]["texts"] == ["A dog barks.", "An animal is loud."]


def test_a_task_without_labels_gets_no_starter_model(olga: Visitor, fake: FakePlatform) -> None:
    fake.loop.add("qa")
    assert "No starter model for this task" in olga.get("/tasks/qa/starter").text


def test_only_owners_make_a_starter_model(ada: Visitor) -> None:
    assert ada.get(PATH).status_code == 403


def test_owners_without_a_model_are_led_to_the_starter_model(olga: Visitor, fake: FakePlatform) -> None:
    fake.loop.rounds[fake.loop.round_id] |= {"state": "draft", "targets": []}
    assert f'href="{PATH}">Make a starter model</a>' in olga.get(f"/rounds/{fake.loop.round_id}").text
    fake.loop.rounds[fake.loop.round_id] |= {"targets": ["n-gram-b"]}
    assert PATH not in olga.get(f"/rounds/{fake.loop.round_id}").text
