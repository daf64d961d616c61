"""Tries of every type of claim against targets that answer in kind; large ensembles; targets that don't fit."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from werkzeug.test import TestResponse

from .conftest import MakePlatform, Platform

PASSAGE = "The mill at Orsa burned down on the night of 3 June."
LABELS = ["art", "money", "sport"]


def field(name: str, type_name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "type": type_name, "label": name, **more}


def of_type(make_platform: MakePlatform, claim: dict[str, Any], **more: Any) -> Platform:
    """Return a platform whose task claims this field on a passage, with an additional free text."""
    platform = make_platform(
        context=[field("passage", "string")],
        input=[field("text", "string"), claim],
        output=[claim],
        instance={"passage": "passage", "question": "text"},
        **{"validation": None, **more},
    )
    platform.context = lambda n: {"passage": PASSAGE if n == 0 else f"{PASSAGE} {n}"}
    for target in platform.gateway.targets.values():
        target.fields = ["passage", "question"]
        target.labels = claim.get("labels", [])
    return platform


def submit(
    platform: Platform, round_id: str, person: UUID, name: str, claimed: object, **more: Any
) -> TestResponse:
    context_id = platform.assign(round_id, person)["context"]["context_id"]
    body = {"context_id": context_id, "input": {"text": "When?", name: claimed}, **more}
    return platform.call("POST", f"/rounds/{round_id}/examples", body, person=person)


def span(text: str) -> dict[str, Any]:
    start = PASSAGE.index(text)
    return {"start": start, "end": start + len(text), "text": text}


@pytest.fixture
def marking(make_platform: MakePlatform) -> Platform:
    platform = of_type(
        make_platform,
        field("answer", "span", of="passage"),
        wrong_when={"token_f1": {"field": "answer", "below": 0.4}},
    )
    for target in platform.gateway.targets.values():
        target.task_type = "extractive-qa"
    return platform


@pytest.mark.parametrize(
    ("answered", "verdict"),
    [
        ("the night of 3 June", "not_fooled"),
        ("3 June", "not_fooled"),
        ("Orsa", "fooled"),
        ("at Orsa burned down on the night", "fooled"),
    ],
)
def test_a_marked_answer_is_compared_by_its_tokens(marking: Platform, answered: str, verdict: str) -> None:
    marking.gateway.targets["alpha"].answer = {**span(answered), "probability": 0.75}

    round_id = marking.open_round(contexts=1)
    example = submit(marking, round_id, uuid4(), "answer", span("night of 3 June")).get_json()

    [answer] = example["answers"]
    assert (example["verdict"], answer["value"], answer["confidence"]) == (verdict, span(answered), 0.75)
    assert example["claimed"] == span("night of 3 June")
    assert marking.gateway.targets["alpha"].instances == [{"passage": PASSAGE, "question": "When?"}]


@pytest.mark.parametrize(
    "answer",
    [{"start": 4, "end": 8, "text": "Orsa"}, {"text": "mill"}, {"start": 4, "end": 400, "text": "mill"}],
)
def test_a_target_that_marks_nothing_usable_has_not_answered(
    marking: Platform, answer: dict[str, Any]
) -> None:
    marking.gateway.targets["alpha"].answer = answer
    response = submit(marking, marking.open_round(), uuid4(), "answer", span("mill"))
    assert (response.status_code, response.get_json()["type"]) == (503, "/problems/verdict-undecidable")


def test_a_marked_answer_is_inspected_at_its_start_or_its_end(marking: Platform) -> None:
    marking.gateway.targets["alpha"].answer = {**span("Orsa"), "probability": 0.75}
    example = submit(marking, marking.open_round(), uuid4(), "answer", span("mill")).get_json()
    path = f"/examples/{example['example_id']}/inspections"

    for label in (None, "end"):
        response = marking.call(
            "POST", path, {"target": "alpha", "label": label}, person=example["author_id"]
        )
        assert response.status_code == 200

    place = {"start": span("Orsa")["start"], "end": span("Orsa")["end"]}
    asked = marking.gateway.targets["alpha"].instances[1:]
    assert [(each["label"], each["answer"]) for each in asked] == [("start", place), ("end", place)]


@pytest.fixture
def sorting(make_platform: MakePlatform) -> Platform:
    claim = field("topics", "multilabel", labels=LABELS)
    platform = of_type(make_platform, claim, wrong_when={"exact_match": {"fields": ["topics"]}})
    for target in platform.gateway.targets.values():
        target.task_type = "multilabel-classification"
    return platform


@pytest.mark.parametrize(
    ("claimed", "answered", "verdict"),
    [
        (["sport", "art"], ["art", "sport"], "not_fooled"),
        (["art"], ["art", "sport"], "fooled"),
        (["art"], [], "fooled"),
    ],
)
def test_sets_of_labels_are_equal_in_any_order(
    sorting: Platform, claimed: list[str], answered: list[str], verdict: str
) -> None:
    sorting.gateway.targets["alpha"].answer = {
        "labels": answered,
        "probabilities": {"art": 0.9, "money": 0.2, "sport": 0.6 if "sport" in answered else 0.3},
    }
    example = submit(sorting, sorting.open_round(), uuid4(), "topics", claimed).get_json()

    assert (example["verdict"], example["claimed"]) == (verdict, sorted(claimed))
    assert example["answers"][0]["value"] == answered


def test_a_set_is_as_sure_as_its_least_sure_label(sorting: Platform) -> None:
    sorting.gateway.targets["alpha"].answer = {
        "labels": ["art"],
        "probabilities": {"art": 0.9, "money": 0.2, "sport": 0.4},
    }
    example = submit(sorting, sorting.open_round(), uuid4(), "topics", ["art"]).get_json()
    assert example["answers"][0]["confidence"] == pytest.approx(0.6)


@pytest.mark.parametrize("claimed", [[], ["art", "art"], ["music"], "art", [["art"]]])
def test_unusable_sets_are_refused(sorting: Platform, claimed: object) -> None:
    response = submit(sorting, sorting.open_round(), uuid4(), "topics", claimed)
    assert response.status_code == 422
    assert response.get_json()["field"].startswith("input.topics")


def test_free_texts_are_claimed_in_a_round_without_targets(make_platform: MakePlatform) -> None:
    platform = of_type(
        make_platform,
        field("answer", "string"),
        wrong_when={"token_f1": {"field": "answer", "below": 0.5}},
        validation={"vote": "judgement"},
    )
    example = submit(platform, platform.open_round([]), uuid4(), "answer", "On 3 June.").get_json()
    assert (example["claimed"], example["input"], example["verdict"]) == (
        "On 3 June.",
        {"text": "When?"},
        "undecided",
    )


@pytest.mark.parametrize(
    ("ensemble", "wrong", "verdict"),
    [
        ("any", 1, "fooled"),
        ("any", 0, "not_fooled"),
        ("all", 8, "fooled"),
        ("all", 7, "not_fooled"),
        ({"at_least": 5}, 5, "fooled"),
        ({"at_least": 5}, 4, "not_fooled"),
    ],
)
def test_eight_targets_are_asked_and_judged_together(
    make_platform: MakePlatform, ensemble: object, wrong: int, verdict: str
) -> None:
    platform = make_platform(ensemble=ensemble)
    names = [f"target-{n}" for n in range(8)]
    make = type(platform.gateway.targets["alpha"])
    platform.gateway.targets.update(
        {name: make(label="positive" if n < wrong else "negative") for n, name in enumerate(names)}
    )
    round_id = platform.open_round(names)

    example = platform.example(round_id, uuid4())

    assert [answer["target"] for answer in example["answers"]] == names
    assert [answer["wrong"] for answer in example["answers"]] == [n < wrong for n in range(8)]
    assert example["verdict"] == verdict


def test_a_ninth_target_is_refused(platform: Platform) -> None:
    body = {"targets": [f"target-{n}" for n in range(9)]}
    response = platform.call(
        "POST", f"/tasks/{platform.slug}/rounds", body, person=uuid4(), roles=[f"owner:{platform.slug}"]
    )
    assert (response.status_code, response.get_json()["field"]) == (422, "targets")


def test_a_round_without_targets_decides_nothing(platform: Platform) -> None:
    round_id = platform.open_round([])
    example = platform.example(round_id, uuid4())
    assert (example["verdict"], example["answers"]) == ("undecided", [])
    assert platform.counts(round_id) == {"tries": 1, "fooled": 0, "not_fooled": 0, "retracted": 0}


@pytest.mark.parametrize(
    ("unfit", "said"),
    [
        ({"task_type": "extractive-qa"}, "extractive-qa"),
        ({"task_type": ""}, "an unknown kind of task"),
        ({"labels": ["yes", "no"]}, "yes, no"),
        ({"labels": ["negative", "positive"]}, "negative, positive"),
        ({"fields": ["premise", "hypothesis"]}, "premise, hypothesis"),
        ({"ready": False}, "not ready"),
    ],
)
def test_a_round_opens_only_with_targets_that_fit(
    platform: Platform, unfit: dict[str, Any], said: str
) -> None:
    for name, value in unfit.items():
        setattr(platform.gateway.targets["beta"], name, value)
    round_id = platform.draft(["alpha", "beta"])

    response = platform.call(
        "PUT",
        f"/rounds/{round_id}/state",
        {"state": "open"},
        person=uuid4(),
        roles=[f"owner:{platform.slug}"],
    )

    problem = response.get_json()
    assert (response.status_code, problem["type"]) == (409, "/problems/target-unfit")
    assert "beta" in problem["detail"]
    assert said in problem["detail"]
