"""Every task type on tiny random models: predictions, batches, errors in place, explanations that add up."""

import math
from pathlib import Path
from typing import Any

import pytest
from tiny_models import Served, serve, write_tiny_network

# Emoji of several code points and combining marks, before and after plain words.
TEXTS = (
    "I ❤️ it 😂👍🏽 cafe\u0301",
    "👩‍🚀 went up, naïve e\u0301te\u0301",
    "plain words only",
    "この映画 so-so 🇬🇧",
)


def instance_of(served: Served, shift: int = 0) -> dict[str, str]:
    return {
        field: TEXTS[(index + shift) % len(TEXTS)]
        for index, field in enumerate(served.predicting.description.fields)
    }


def answer_of(prediction: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in prediction.items() if name not in ("probability", "probabilities")}


def test_the_description_names_the_fields(served_tiny: Served) -> None:
    expected = {
        "text-classification": ("text",),
        "text-pair-classification": ("premise", "hypothesis"),
        "extractive-qa": ("passage", "question"),
        "multilabel-classification": ("title", "text"),
    }
    assert served_tiny.note.fields == expected[served_tiny.note.task_type]
    assert served_tiny.predicting.description.fields == served_tiny.note.fields
    assert bool(served_tiny.note.labels) == (served_tiny.note.task_type != "extractive-qa")


def test_predictions_have_the_shape_of_the_task_type(served_tiny: Served) -> None:
    (prediction,) = served_tiny.predict([instance_of(served_tiny)])
    labels = set(served_tiny.note.labels)
    if served_tiny.note.task_type == "extractive-qa":
        passage = instance_of(served_tiny)["passage"]
        assert prediction["text"] == passage[prediction["start"] : prediction["end"]] != ""
        assert 0 < prediction["probability"] <= 1
    elif served_tiny.note.task_type == "multilabel-classification":
        likely = {label for label, share in prediction["probabilities"].items() if share >= 0.5}
        assert set(prediction["probabilities"]) == labels
        assert prediction["labels"] == sorted(prediction["labels"]) != []
        assert set(prediction["labels"]) == likely or (not likely and len(prediction["labels"]) == 1)
    else:
        assert prediction["label"] == max(prediction["probabilities"], key=prediction["probabilities"].get)
        assert sum(prediction["probabilities"].values()) == pytest.approx(1, abs=1e-5)
        assert set(prediction["probabilities"]) == labels


def test_a_batch_answers_as_singles_do(served_tiny: Served) -> None:
    instances = [instance_of(served_tiny, shift) for shift in range(4)]
    instances.append(dict.fromkeys(served_tiny.note.fields, "word and more " * 60))
    together = served_tiny.predict(instances)
    alone = [served_tiny.predict([instance])[0] for instance in instances]
    assert list(map(answer_of, together)) == list(map(answer_of, alone))


def test_errors_stand_in_the_place_of_their_instance(served_tiny: Served) -> None:
    good = instance_of(served_tiny)
    last = served_tiny.note.fields[-1]
    bad = [good | {last: " \n"}, {}, good | {last: 3}, good | {last: "x" * 20_001}]
    answers = served_tiny.predict([good, *bad, good])
    kinds = [answer["error"]["type"] for answer in answers[1:-1]]
    assert kinds == ["empty_text", "invalid_instance", "invalid_instance", "text_too_long"]
    assert all(f'"{last}"' in answers[index]["error"]["detail"] for index in (1, 3, 4))
    assert answers[0] == answers[-1]
    assert "error" not in answers[0]


def test_explanations_point_into_their_fields_and_add_up(served_tiny: Served) -> None:
    for shift in range(4):
        instance = instance_of(served_tiny, shift)
        (explanation,) = served_tiny.explain([instance], n_steps=40)
        tokens = explanation["tokens"]
        assert [token["field"] for token in tokens] == sorted(
            (token["field"] for token in tokens), key=served_tiny.note.fields.index
        )
        assert {token["field"] for token in tokens} == set(served_tiny.note.fields)
        for token in tokens:
            assert token["text"] == instance[token["field"]][token["start"] : token["end"]] != ""
        total = sum(token["weight"] for token in tokens)
        assert math.isfinite(total)
        assert total == pytest.approx(explanation["difference"] + explanation["convergence_delta"], abs=1e-4)
        assert explanation["n_steps"] == 40


def test_one_emoji_and_one_marked_letter_are_not_torn(served_tiny: Served) -> None:
    field = served_tiny.note.fields[-1]
    instance = instance_of(served_tiny) | {field: "So 👩‍🚀 cafe\u0301 👍🏽 end"}
    (explanation,) = served_tiny.explain([instance], n_steps=1)
    tokens = [token for token in explanation["tokens"] if token["field"] == field]
    assert [(token["text"], token["start"], token["end"]) for token in tokens] == [
        ("So", 0, 2),
        ("👩‍🚀", 3, 6),
        ("cafe\u0301", 7, 12),
        ("👍🏽", 13, 15),
        ("end", 16, 19),
    ]


def test_an_explanation_agrees_with_the_prediction(served_tiny: Served) -> None:
    instance = instance_of(served_tiny)
    (prediction,), (explanation,) = (
        served_tiny.predict([instance]),
        served_tiny.explain([instance], n_steps=1),
    )
    if served_tiny.note.task_type == "extractive-qa":
        assert explanation["label"] == "start"
    else:
        best = max(prediction["probabilities"], key=prediction["probabilities"].get)
        assert explanation["label"] == best
        assert explanation["probability"] == pytest.approx(prediction["probabilities"][best], abs=1e-4)


def test_any_label_may_be_explained_and_no_other(served_tiny: Served) -> None:
    instance = instance_of(served_tiny)
    known = served_tiny.note.labels or ("start", "end")
    asked = [instance | {"label": label} for label in (*known, "joyful", ["start"])]
    answers = served_tiny.explain(asked, n_steps=1)
    assert [answer["label"] for answer in answers[:-2]] == list(known)
    assert [answer["error"]["type"] for answer in answers[-2:]] == ["unknown_label"] * 2


NETWORKS: dict[str, tuple[str, dict[str, Any]]] = {
    "ConvolutionOverPieces": (
        "text-classification",
        {"vocabulary": 30522, "labels": 3, "width": 8, "filters": 4, "spans": [1, 2, 3], "dropout": 0.1},
    ),
    "DecomposableAttention": (
        "text-pair-classification",
        {"vocabulary": 30522, "labels": 3, "width": 8, "hidden": 8, "dropout": 0.1},
    ),
}


@pytest.mark.parametrize("architecture", NETWORKS)
def test_small_networks_over_word_pieces_are_served_like_encoders(architecture: str, tmp_path: Path) -> None:
    task_type, sizes = NETWORKS[architecture]
    served = serve(write_tiny_network(tmp_path / "checkpoint", architecture, sizes), tmp_path, task_type)
    test_a_batch_answers_as_singles_do(served)
    test_explanations_point_into_their_fields_and_add_up(served)
    test_an_explanation_agrees_with_the_prediction(served)
