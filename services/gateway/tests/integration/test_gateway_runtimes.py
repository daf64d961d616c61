"""Requirements on a runtime behind the gateway: one suite for TorchServe and KServe's model server.

Both serve the same archives of data with the same handlers, so their answers are compared as well.
"""

import json
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import urllib3
from dynabench_common.testing import wait_until
from gateway.domain.errors import CallFailed, Fault

from .conftest import PATIENCE_SECONDS
from .runtimes import ABSENT, ANSWERS, LONGEST, RUNTIMES, TOPICS, WORDS, Served, built_archives, served_by

pytestmark = pytest.mark.long

TEXTS = ("A lovely dish.", "The soup was cold 😡", "It opens at nine.", "Dreadful, dreadful service.")
PASSAGE = "The 😀 café sells bread on Mondays. It was opened by Mara in 1871."
QUESTION = {"passage": PASSAGE, "question": "When does the café sell bread?"}
CALLERS = 4
ENDED = {
    (503, f"/problems/{name}")
    for name in ("model-server-away", "model-not-ready", "model-failing", "deadline-passed")
}
TOPIC = {"title": "Fußball ⚽", "text": "The club sold its ground to pay its debts."}


@pytest.fixture(scope="module")
def runtimes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, Served]]:
    folder = tmp_path_factory.mktemp("runtimes")
    store = built_archives(folder / "home")
    with ExitStack() as stack:
        yield {name: stack.enter_context(served_by(name, folder / name, store)) for name in RUNTIMES}


@pytest.fixture(params=sorted(RUNTIMES))
def served(request: pytest.FixtureRequest, runtimes: Mapping[str, Served]) -> Served:
    return runtimes[str(request.param)]


def entries(answer: Any, member: str = "predictions") -> list[dict[str, Any]]:
    assert answer.status == 200, answer.data
    found: list[dict[str, Any]] = answer.json()[member]
    return found


def instances(*texts: str) -> list[dict[str, str]]:
    return [{"text": text} for text in texts]


def test_a_prediction_has_a_label_its_probabilities_and_the_digests(served: Served) -> None:
    answer = served.predict(WORDS, {"text": TEXTS[0]})
    [prediction] = entries(answer)
    assert prediction["label"] == max(
        prediction["probabilities"], key=prediction["probabilities"].__getitem__
    )
    assert sum(prediction["probabilities"].values()) == pytest.approx(1, abs=1e-3)
    assert answer.json()["model_digest"].startswith("sha256:")


def test_a_batch_is_answered_in_order_as_each_alone(served: Served) -> None:
    batch = entries(served.predict(WORDS, *instances(*TEXTS * 8)))
    alone = [entries(served.predict(WORDS, each))[0] for each in instances(*TEXTS)]
    assert batch == alone * 8


def test_an_answer_is_a_slice_of_its_passage(served: Served) -> None:
    [answer] = entries(served.predict(ANSWERS, QUESTION))
    assert answer["text"] == PASSAGE[answer["start"] : answer["end"]] != ""


def test_several_labels_for_several_fields(served: Served) -> None:
    [answer] = entries(served.predict(TOPICS, TOPIC))
    assert set(answer["labels"]) <= set(answer["probabilities"])
    assert answer["labels"]


def test_an_instance_that_fails_harms_no_other(served: Served) -> None:
    found = entries(served.predict(WORDS, *instances("Lovely.", "a" * 20_001, "Dreadful.")))
    kinds = [each.get("label") or each["error"]["type"] for each in found]
    assert kinds[1] == "text_too_long"
    assert "error" not in found[0] | found[2]


def test_an_explanation_is_inference_on_the_paired_model(served: Served) -> None:
    [explanation] = entries(
        served.explain(WORDS, {"text": TEXTS[1], "label": "positive"}, n_steps=7), "explanations"
    )
    assert (explanation["label"], explanation["n_steps"]) == ("positive", 7)
    assert {token["text"] for token in explanation["tokens"]} >= {"soup", "😡"}
    weights = sum(token["weight"] for token in explanation["tokens"])
    whole = explanation["difference"] + explanation["convergence_delta"]
    assert weights == pytest.approx(whole, abs=1e-4)


def test_an_explanation_of_a_given_answer(served: Served) -> None:
    given = {**QUESTION, "label": "end", "answer": {"start": 6, "end": 10}}
    [explanation] = entries(served.explain(ANSWERS, given, n_steps=2), "explanations")
    assert explanation["label"] == "end"
    assert {token["field"] for token in explanation["tokens"]} == {"passage", "question"}


def test_a_failed_explanation_has_a_reason(served: Served) -> None:
    found = served.server.explain(
        f"{WORDS}-explain", {"text": " "}, {}, timeout_seconds=60, request_id="blank"
    )
    assert found.entries[0]["error"]["type"] == "empty_text"
    with pytest.raises(CallFailed, match="n_steps") as failed:
        served.server.explain(
            f"{WORDS}-explain", {"text": "a"}, {"n_steps": 0}, timeout_seconds=60, request_id="steps"
        )
    assert failed.value.fault is Fault.REFUSED


def test_readiness_follows_the_registry_and_the_runtime_refuses_unknown_models(served: Served) -> None:
    assert served.call("GET", f"/v1/models/{WORDS}").json()["ready"] is True
    assert served.call("GET", f"/v2/models/{WORDS}-explain/ready").status == 200
    absent = served.predict(ABSENT, {"text": "a"})
    assert (absent.status, absent.json()["type"]) == (503, "/problems/model-not-ready")


def test_texts_and_bodies_have_a_greatest_length(served: Served) -> None:
    long = served.predict(WORDS, {"text": "a" * (LONGEST + 1)})
    assert (long.status, long.json()["type"]) == (422, "/problems/text-too-long")
    large = served.predict(WORDS, *instances(*["a" * 10_000] * 30))
    assert (large.status, large.json()["type"]) == (413, "/problems/body-too-large")
    with pytest.raises(CallFailed) as failed:
        served.server.predict(WORDS, instances("a" * 1_100_000), timeout_seconds=60, request_id="large")
    assert failed.value.fault in {Fault.REFUSED, Fault.AWAY}
    assert entries(served.predict(WORDS, {"text": "a"}))


def test_an_answer_that_takes_too_long_is_given_up(served: Served) -> None:
    late = served.predict(ANSWERS, *[QUESTION] * 16, **{"X-Deadline-Milliseconds": "1"})
    assert (late.status, late.json()["type"]) == (503, "/problems/deadline-passed")
    with pytest.raises(CallFailed) as failed:
        served.server.predict(ANSWERS, [QUESTION] * 16, timeout_seconds=0.03, request_id="late")
    assert failed.value.fault is Fault.TIMED_OUT
    assert entries(served.predict(ANSWERS, QUESTION))


def test_who_has_no_key_is_not_answered_and_a_new_key_is_read(served: Served, tmp_path: Path) -> None:
    key_file = tmp_path / "key_file.json"
    key_file.write_text(json.dumps({"inference": {"key": "another"}}))
    port = served.port(key_file)
    with pytest.raises(CallFailed) as failed:
        port.predict(WORDS, instances("a"), timeout_seconds=60, request_id="key")
    assert failed.value.fault is Fault.AWAY
    key_file.write_text(served.key_file.read_text())
    assert len(port.predict(WORDS, instances("a"), timeout_seconds=60, request_id="key").entries) == 1


def test_a_runtime_that_is_killed_ends_each_request_and_answers_again(served: Served) -> None:
    deadline = {"X-Deadline-Milliseconds": "10000"}
    began, killed = threading.Barrier(CALLERS + 1), threading.Event()

    def ask(_number: int) -> list[urllib3.BaseHTTPResponse]:
        first = served.predict(ANSWERS, QUESTION, **deadline)
        began.wait(PATIENCE_SECONDS)
        during = [served.predict(ANSWERS, *[QUESTION] * 8, **deadline)]
        while not killed.is_set():
            during.append(served.predict(ANSWERS, *[QUESTION] * 8, **deadline))
        return [first, *during, served.predict(ANSWERS, QUESTION, **deadline)]

    def is_ready() -> bool:
        return bool(served.call("GET", f"/v1/models/{ANSWERS}").json()["ready"])

    with ThreadPoolExecutor(CALLERS) as threads:
        asking = [threads.submit(ask, number) for number in range(CALLERS)]
        try:
            began.wait(PATIENCE_SECONDS)
            served.runs.kill()
        finally:
            killed.set()
        answers_by_caller = [each.result(PATIENCE_SECONDS) for each in asking]
    try:
        assert [each[0].status for each in answers_by_caller] == [200] * CALLERS
        refused = [each for answers in answers_by_caller for each in answers if each.status != 200]
        assert len(refused) >= CALLERS
        for each in refused:
            problem = each.json()
            assert (each.status, problem["type"]) in ENDED
            assert problem["detail"]
            assert int(each.headers["Retry-After"]) > 0
        wait_until(
            lambda: served.predict(ANSWERS, QUESTION).status == 503 and not is_ready(),
            PATIENCE_SECONDS,
            "the gateway to say that the model is not ready",
        )
    finally:
        served.runs.start()
    wait_until(lambda: served.predict(ANSWERS, QUESTION).status == 200, PATIENCE_SECONDS, "an answer")
    assert is_ready()
    assert entries(served.predict(WORDS, {"text": TEXTS[0]}))


def test_the_second_runtime_answers_others_too(runtimes: Mapping[str, Served]) -> None:
    served = runtimes["open-inference"]
    key = json.loads(served.key_file.read_text())["inference"]["key"]
    body = {"inputs": [{"name": "text", "shape": [1, 1], "datatype": "BYTES", "data": [["Lovely."]]}]}
    url = f"{served.runtime_url}/v2/models/{WORDS}"
    headers = {"Authorization": f"Bearer {key}"}
    answer = urllib3.request("POST", f"{url}/infer", json=body, headers=headers)
    [entry] = answer.json()["outputs"][0]["data"]
    assert json.loads(entry) == entries(served.predict(WORDS, {"text": "Lovely."}))[0]
    assert urllib3.request("GET", url, headers=headers).json()["inputs"][0]["name"] == "text"
    body["inputs"][0]["shape"] = [1, 2]
    assert urllib3.request("POST", f"{url}/infer", json=body, headers=headers).status >= 400


def test_both_runtimes_answer_alike(runtimes: Mapping[str, Served]) -> None:
    asked = [(WORDS, each) for each in instances(*TEXTS)] + [(ANSWERS, QUESTION), (TOPICS, TOPIC)]
    first, second = [
        [served.predict(name, instance).json() for name, instance in asked] for served in runtimes.values()
    ]
    assert first == second
    one, other = [
        entries(served.explain(ANSWERS, QUESTION, n_steps=4), "explanations")[0]
        for served in runtimes.values()
    ]
    assert [token["text"] for token in one["tokens"]] == [token["text"] for token in other["tokens"]]
    weights = [token["weight"] for token in other["tokens"]]
    assert [token["weight"] for token in one["tokens"]] == pytest.approx(weights, abs=1e-4)
