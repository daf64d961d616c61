"""The archive in a real TorchServe, registered once for predictions and once for explanations."""

from pathlib import Path

import pytest
from archive_fixtures import RunningTorchServe
from model_archives.packaging import package
from tiny_models import write_checkpoint_of

NAME = "sentiment-minilm"
EXPLAIN = "sentiment-minilm-explain"


@pytest.fixture(scope="module")
def served(torchserve: RunningTorchServe) -> RunningTorchServe:
    torchserve.register(f"{NAME}.mar", NAME)
    torchserve.register(f"{NAME}.mar", EXPLAIN)
    return torchserve


def test_predictions_and_explanations_of_one_archive_agree(served: RunningTorchServe) -> None:
    text = "The soup was cold 😡 and nobody cared."
    status, predicted = served.predict(NAME, {"instances": [{"text": text}]})
    assert status == 200
    prediction = predicted["predictions"][0]
    assert prediction["label"] == "negative"
    status, explained = served.predict(EXPLAIN, {"instances": [{"text": text}]})
    assert status == 200
    explanation = explained["explanations"][0]
    assert explanation["label"] == prediction["label"]
    assert explanation["probability"] == pytest.approx(prediction["probabilities"]["negative"], abs=1e-4)
    assert {token["text"] for token in explanation["tokens"]} >= {"soup", "😡"}
    assert predicted["model_digest"] == explained["model_digest"]
    assert predicted["handler_digest"].startswith("sha256:")


def test_a_bad_instance_gets_an_error_in_its_place(served: RunningTorchServe) -> None:
    instances = [{"text": "Lovely."}, {"text": "   "}, {"txt": "x"}, {"text": "Dreadful."}]
    status, answer = served.predict(NAME, {"instances": instances})
    assert status == 200
    kinds = [entry.get("label") or entry["error"]["type"] for entry in answer["predictions"]]
    assert kinds == ["positive", "empty_text", "invalid_instance", "negative"]


@pytest.mark.parametrize("body", [b"{", b"", b"[]", b'{"instances": "x"}', b'{"instances": []}', b"\xff\xfe"])
@pytest.mark.parametrize("name", [NAME, EXPLAIN])
def test_a_malformed_request_is_a_400_and_the_worker_lives_on(
    served: RunningTorchServe, name: str, body: bytes
) -> None:
    status, answer = served.predict(name, body)
    assert (status, answer["error"]["type"]) == (400, "invalid_request")
    assert served.predict(NAME, {"instances": [{"text": "Fine."}]})[0] == 200


def test_unknown_explanation_parameters_are_a_400(served: RunningTorchServe) -> None:
    status, answer = served.predict(EXPLAIN, {"instances": [{"text": "Fine."}], "parameters": {"n_steps": 0}})
    assert (status, answer["error"]["type"]) == (400, "invalid_parameters")


def test_calls_without_a_token_are_refused(served: RunningTorchServe) -> None:
    import urllib.error
    import urllib.request

    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"http://127.0.0.1:{served.inference}/predictions/{NAME}", b"{}", timeout=10)
    assert refused.value.code == 400


def serve_tiny(
    torchserve: RunningTorchServe, store: Path, folder: Path, task_type: str, fields: tuple[str, ...] = ()
) -> str:
    """Package a tiny model into TorchServe's store and register it for predictions."""
    name = f"tiny-{task_type}"
    checkpoint = write_checkpoint_of(task_type, folder / task_type)
    package(checkpoint, store / f"{name}.mar", name, "1", lambda line: None, task_type, fields)
    torchserve.register(f"{name}.mar", name)
    return name


def test_an_answer_and_its_explanation_are_served(
    torchserve: RunningTorchServe, store: Path, tmp_path: Path
) -> None:
    name = serve_tiny(torchserve, store, tmp_path, "extractive-qa")
    torchserve.register(f"{name}.mar", f"{name}-explain")
    passage = "The bridge 🌉 was built by Jose\u0301 Bauer. " * 20
    instance = {"passage": passage, "question": "Who built it?"}
    status, answer = torchserve.predict(name, {"instances": [instance, {"passage": passage}]})
    assert status == 200
    found, refused = answer["predictions"]
    assert found["text"] == passage[found["start"] : found["end"]] != ""
    assert refused["error"]["type"] == "invalid_instance"
    asked = {"instances": [instance | {"label": "end"}], "parameters": {"n_steps": 2}}
    status, answer = torchserve.predict(f"{name}-explain", asked)
    assert status == 200
    (explanation,) = answer["explanations"]
    assert explanation["label"] == "end"
    assert {token["field"] for token in explanation["tokens"]} == {"passage", "question"}


def test_several_labels_for_several_fields_are_served(
    torchserve: RunningTorchServe, store: Path, tmp_path: Path
) -> None:
    name = serve_tiny(torchserve, store, tmp_path, "multilabel-classification", ("title", "text"))
    status, answer = torchserve.predict(name, {"instances": [{"title": "Fußball ⚽", "text": "Ein Tor."}]})
    assert status == 200
    (prediction,) = answer["predictions"]
    assert set(prediction["labels"]) <= set(prediction["probabilities"])
    assert prediction["labels"]
