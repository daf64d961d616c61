"""Queue position, time left and event log of an evaluation, over HTTP."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest
from dynabench_common.testing import FixedClock, Issuer
from evaluation.domain.evaluations import ModelAway
from flask.testing import FlaskClient

from services.evaluation.tests.integration.test_evaluation_of_releases import Evaluating, evaluating, says
from services.evaluation.tests.integration.test_evaluation_uploads import API, line, upload
from services.scoring.tests.conftest import Story

__all__ = ["evaluating"]
ITEMS = 300
SECONDS_OF_CALL = 2.0


@pytest.fixture
def large(client: FlaskClient, story: Story, owner: dict[str, str], evaluating: Evaluating) -> UUID:
    """Return a dataset of more requests than a shard holds, which is ready."""
    answer = upload(client, [line(number) for number in range(ITEMS)], owner)
    assert answer.status_code == 201, answer.text
    while evaluating.preparer.turn():
        pass
    return UUID(answer.get_json()["dataset_id"])


def listed(client: FlaskClient, owner: Mapping[str, str]) -> dict[str, Any]:
    found = client.get(f"{API}/evaluations", headers=owner).get_json()["items"]
    return {each["model"]: each for each in found}


def told(client: FlaskClient, evaluation_id: str, owner: Mapping[str, str]) -> list[Any]:
    answer = client.get(f"{API}/evaluations/{evaluation_id}/log", headers=owner)
    assert answer.status_code == 200, answer.text
    items: list[Any] = answer.get_json()["items"]
    return items


def test_submitters_take_turns_in_the_queue(
    client: FlaskClient, large: UUID, owner: dict[str, str], evaluating: Evaluating, clock: FixedClock
) -> None:
    greedy, modest = uuid4(), uuid4()
    for number in range(3):
        evaluating.models.add(f"a{number}", says("neutral"), greedy)
    evaluating.planner.plan()
    clock.move(1)
    evaluating.models.add("z", says("neutral"), modest)
    evaluating.planner.plan()
    found = listed(client, owner)
    assert {name: each["place"] for name, each in found.items()} == {"a0": 1, "z": 2, "a1": 3, "a2": 4}
    assert evaluating.runner.claim() is not None
    found = listed(client, owner)
    assert {name: each["place"] for name, each in found.items()} == {"a0": None, "z": 1, "a1": 2, "a2": 3}
    one = client.get(f"{API}/evaluations/{found['a2']['evaluation_id']}", headers=owner).get_json()
    assert (one["place"], one["seconds_left"]) == (3, None)
    held = evaluating.runner.claim()
    assert held is not None
    assert {name: each["state"] for name, each in listed(client, owner).items()}["z"] == "running"


def test_the_time_left_is_told_once_a_shard_is_answered(
    client: FlaskClient, large: UUID, owner: dict[str, str], evaluating: Evaluating, clock: FixedClock
) -> None:
    def slowly(instance: Mapping[str, str]) -> Mapping[str, Any]:
        clock.move(SECONDS_OF_CALL)
        return says("neutral")(instance)

    evaluating.models.add("mine", slowly, uuid4())
    evaluating.planner.plan()
    assert listed(client, owner)["mine"]["seconds_left"] is None
    assert evaluating.runner.turn()
    found = listed(client, owner)["mine"]
    dataset = client.get(f"{API}/evaluation-datasets/{large}").get_json()
    assert (found["state"], found["shards_done"]) == ("running", 1)
    assert found["seconds_left"] == pytest.approx(SECONDS_OF_CALL * (dataset["requests"] - 256))
    assert (found["dataset_items"], found["dataset_access"], found["dataset_title"]) == (
        ITEMS,
        "open",
        "challenge",
    )
    evaluating.models.trouble = [ModelAway("starting, about 10 s", 10)]
    evaluating.runner.turn()
    assert listed(client, owner)["mine"]["seconds_left"] is None


def test_what_befell_an_evaluation_is_told_in_order(
    client: FlaskClient, large: UUID, owner: dict[str, str], evaluating: Evaluating, clock: FixedClock
) -> None:
    evaluating.models.add("mine", says("neutral"), uuid4())
    evaluating.planner.plan()
    evaluating.models.trouble = [ModelAway("starting, about 10 s", 10), ModelAway("starting, about 5 s", 5)]
    evaluating.runner.turn()
    clock.move(11)
    evaluating.runner.turn()
    clock.move(6)
    evaluating.settle()
    evaluation_id = listed(client, owner)["mine"]["evaluation_id"]
    lines = told(client, evaluation_id, owner)
    assert [each["event"] for each in lines] == ["requested", "begun", "waits", "goes_on", "done"]
    assert lines[2]["reason"] == "starting, about 10 s"
    assert (lines[3]["shards_done"], lines[3]["shards"]) == (1, lines[0]["shards"])
    assert lines[0]["requests"] > ITEMS


def test_the_log_tells_of_answers_taken_over(
    client: FlaskClient, large: UUID, owner: dict[str, str], evaluating: Evaluating
) -> None:
    evaluating.models.add("first", says("neutral"), uuid4())
    evaluating.settle()
    live = evaluating.models.live()[0]
    evaluating.models.live = lambda: [live, replace(live, name="twin")]  # type: ignore[method-assign]
    evaluating.settle()
    found = listed(client, owner)
    lines = told(client, found["twin"]["evaluation_id"], owner)
    assert [each["event"] for each in lines] == ["requested", "taken_over", "done"]
    assert lines[1]["shards"] == found["twin"]["shards"]


def test_the_log_tells_of_a_second_run(
    client: FlaskClient, large: UUID, owner: dict[str, str], evaluating: Evaluating
) -> None:
    evaluating.models.add("first", says("neutral"))
    evaluating.planner.plan()
    evaluation_id = listed(client, owner)["first"]["evaluation_id"]
    for _ in range(2):
        assert (
            client.post(f"{API}/evaluations/{evaluation_id}/cancellation", headers=owner).status_code == 200
        )
        assert client.post(f"{API}/evaluations/{evaluation_id}/runs", headers=owner).status_code == 202
    events = [each["event"] for each in told(client, evaluation_id, owner)]
    assert events == ["requested", *["cancelled", "requested"] * 2]


def test_hidden_datasets_tell_no_reasons(
    client: FlaskClient, story: Story, owner: dict[str, str], evaluating: Evaluating, issuer: Issuer
) -> None:
    submitter = uuid4()
    upload(client, [line(number) for number in range(20)], owner, "secret", access="hidden")
    while evaluating.preparer.turn():
        pass
    evaluating.models.add("mine", says("neutral"), submitter)
    evaluating.planner.plan()
    evaluating.models.trouble = [ModelAway("it said: the 3rd text is long", 10)]
    evaluating.runner.turn()
    mine = issuer.headers(submitter, ["annotator"])
    (found,) = client.get(f"{API}/evaluations", headers=mine).get_json()["items"]
    lines = told(client, found["evaluation_id"], mine)
    assert [(each["event"], each["reason"]) for each in lines] == [
        ("requested", None),
        ("begun", None),
        ("waits", None),
    ]
