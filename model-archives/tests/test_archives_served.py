"""The archive in a real TorchServe, registered once for predictions and once for explanations."""

import pytest

NAME = "sentiment-minilm"
EXPLAIN = "sentiment-minilm-explain"


@pytest.fixture(scope="module")
def served(torchserve):
    torchserve.register(f"{NAME}.mar", NAME)
    torchserve.register(f"{NAME}.mar", EXPLAIN)
    return torchserve


def test_predictions_and_explanations_of_one_archive_agree(served):
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


def test_a_bad_instance_gets_an_error_in_its_place(served):
    instances = [{"text": "Lovely."}, {"text": "   "}, {"txt": "x"}, {"text": "Dreadful."}]
    status, answer = served.predict(NAME, {"instances": instances})
    assert status == 200
    kinds = [entry.get("label") or entry["error"]["type"] for entry in answer["predictions"]]
    assert kinds == ["positive", "empty_text", "invalid_instance", "negative"]


@pytest.mark.parametrize("body", [b"{", b"", b"[]", b'{"instances": "x"}', b'{"instances": []}', b"\xff\xfe"])
@pytest.mark.parametrize("name", [NAME, EXPLAIN])
def test_a_malformed_request_is_a_400_and_the_worker_lives_on(served, name, body):
    status, answer = served.predict(name, body)
    assert (status, answer["error"]["type"]) == (400, "invalid_request")
    assert served.predict(NAME, {"instances": [{"text": "Fine."}]})[0] == 200


def test_unknown_explanation_parameters_are_a_400(served):
    status, answer = served.predict(EXPLAIN, {"instances": [{"text": "Fine."}], "parameters": {"n_steps": 0}})
    assert (status, answer["error"]["type"]) == (400, "invalid_parameters")


def test_calls_without_a_token_are_refused(served):
    import urllib.error
    import urllib.request

    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"http://127.0.0.1:{served.inference}/predictions/{NAME}", b"{}", timeout=10)
    assert refused.value.code == 400
