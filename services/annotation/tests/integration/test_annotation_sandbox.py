"""The sandbox: which models fit a task, and asking them outside of any round."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest
from dynabench_common.testing import service_headers
from werkzeug.test import TestResponse

from .conftest import MakePlatform, Platform

WRITTEN = {"context": {"prompt": "Say it."}, "input": {"text": "So be it."}}


@pytest.fixture
def free(platform: Platform) -> str:
    """The name of a model that is in no loop: other tests share the database, so it is this test's own."""
    name = f"free-{uuid4().hex[:8]}"
    platform.gateway.targets[name] = replace(platform.gateway.targets["alpha"], instances=[])
    return name


def sandbox(
    platform: Platform,
    target: str,
    roles: Sequence[str] = ("annotator",),
    path: str = "sandbox",
    person: UUID | None = None,
    **more: Any,
) -> TestResponse:
    body = {"target": target, **WRITTEN, **more}
    return platform.call(
        "POST", f"/tasks/{platform.slug}/{path}", body, person=person or uuid4(), roles=roles
    )


def test_a_model_in_no_loop_answers_anybody_signed_in(platform: Platform, free: str) -> None:
    response = sandbox(platform, free)

    assert response.status_code == 200, response.get_data(as_text=True)
    [answer] = response.get_json()["answers"]
    assert (answer["target"], answer["value"], answer["wrong"]) == (free, "positive", None)
    assert platform.gateway.targets[free].instances == [{"text": "So be it."}]


def test_only_who_is_signed_in_may_ask(platform: Platform, free: str) -> None:
    body = {"target": free, **WRITTEN}
    assert platform.call("POST", f"/tasks/{platform.slug}/sandbox", body).status_code == 401


@pytest.mark.parametrize(
    ("state", "status"), [("draft", 200), ("open", 403), ("paused", 403), ("closed", 200)]
)
@pytest.mark.parametrize("path", ["sandbox", "sandbox/inspections"])
def test_a_target_of_a_round_in_progress_is_refused(
    platform: Platform, free: str, state: str, status: int, path: str
) -> None:
    round_id = platform.draft([free])
    for step in {"draft": [], "open": ["open"]}.get(state, ["open", state]):
        platform.set_state(round_id, step)

    response = sandbox(platform, free, path=path)

    assert response.status_code == status, response.get_data(as_text=True)
    if status == 403:
        assert response.get_json()["type"] == "/problems/target-in-the-loop"
        assert platform.gateway.targets[free].instances == []


def test_a_target_is_refused_to_owners_of_other_tasks_and_not_to_its_own(
    platform: Platform, make_platform: MakePlatform, free: str
) -> None:
    targets = platform.gateway.targets
    platform.open_round([free])
    other = make_platform()
    other.gateway.targets = targets

    assert sandbox(other, free, roles=[f"owner:{other.slug}"]).status_code == 403
    assert sandbox(other, free, roles=[f"owner:{platform.slug}"]).status_code == 200


def test_what_an_owner_finds_out_about_a_target_counts_as_probes(platform: Platform, free: str) -> None:
    round_id, person = platform.open_round([free]), uuid4()
    roles = ["annotator", f"owner:{platform.slug}"]

    assert sandbox(platform, free, roles, person=person).status_code == 200
    assert sandbox(platform, free, roles, "sandbox/inspections", person).status_code == 200

    assert platform.example(round_id, person)["probes_before"] == 2


def test_what_an_owner_is_told_by_the_gateway_counts_as_probes_in_every_round_with_the_target(
    platform: Platform, make_platform: MakePlatform, free: str
) -> None:
    targets, person = platform.gateway.targets, uuid4()
    other = make_platform()
    other.gateway.targets = targets
    rounds = [(platform, platform.open_round([free])), (other, other.open_round(["alpha", free]))]
    untouched = platform.open_round(["alpha"])

    def tell(headers: dict[str, str]) -> TestResponse:
        body = {"person_id": str(person), "texts": 3}
        path = f"/api/annotation/v1/targets/{free}/probes"
        return platform.app.test_client().post(path, json=body, headers=headers)

    told = tell(service_headers("gateway"))
    refused = tell(platform.issuer.headers(person, ["admin"]))

    assert (told.status_code, told.get_json()) == (200, {"rounds": 2})
    assert refused.status_code == 403
    assert tell(service_headers("scoring")).status_code == 403
    for owner, round_id in rounds:
        assert owner.example(round_id, person)["probes_before"] == 3
    assert platform.example(untouched, person)["probes_before"] == 0


def test_who_may_not_ask_targets_is_told_of_a_loop_and_not_counted(platform: Platform, free: str) -> None:
    person = uuid4()
    body = {"person_id": str(person), "texts": 1, "also_in_the_loop": False}
    path = f"/api/annotation/v1/targets/{free}/probes"

    def tell() -> TestResponse:
        return platform.app.test_client().post(path, json=body, headers=service_headers("gateway"))

    assert (tell().status_code, tell().get_json()) == (200, {"rounds": 0})
    round_id = platform.open_round([free])
    refused = tell()
    assert (refused.status_code, refused.get_json()["type"]) == (403, "/problems/target-in-the-loop")
    assert platform.example(round_id, person)["probes_before"] == 0


@pytest.mark.parametrize("path", ["sandbox", "sandbox/inspections"])
def test_an_unpublished_model_is_for_its_submitter_and_owners(
    platform: Platform, free: str, path: str
) -> None:
    submitter = uuid4()
    target = platform.gateway.targets[free]
    target.published, target.submitted_by = False, str(submitter)
    refused = sandbox(platform, free, path=path)
    assert (refused.status_code, refused.get_json()["type"]) == (409, "/problems/target-unknown")
    assert target.instances == []
    assert sandbox(platform, free, path=path, person=submitter).status_code == 200
    assert sandbox(platform, free, [f"owner:{platform.slug}"], path).status_code == 200

    def listed(person: UUID) -> set[str]:
        found = platform.call("GET", f"/tasks/{platform.slug}/models", person=person)
        return {item["name"] for item in found.get_json()["items"]}

    assert free in listed(submitter)
    assert free not in listed(uuid4())


def test_nothing_of_a_sandbox_call_is_counted_where_no_loop_is_touched(platform: Platform, free: str) -> None:
    round_id, person = platform.open_round(["alpha"]), uuid4()
    sandbox(platform, free, person=person)
    assert platform.example(round_id, person)["probes_before"] == 0


def test_a_model_that_does_not_answer_comes_as_missing(platform: Platform, free: str) -> None:
    platform.gateway.targets[free].item_error = "out of order"
    [answer] = sandbox(platform, free).get_json()["answers"]
    assert answer == {"target": free, "missing": "the target failed on this text: out of order"}


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"context": {"prompt": "P", "more": "x"}}, "context.more"),
        ({"input": {}}, "input.text"),
        ({"input": {"text": "T", "tone": "x"}}, "input.tone"),
        ({"input": {"text": ""}}, "input.text"),
    ],
)
def test_context_and_input_are_checked_by_the_tasks_fields(
    platform: Platform, free: str, more: dict[str, Any], field: str
) -> None:
    response = sandbox(platform, free, **more)
    assert (response.status_code, response.get_json()["field"]) == (422, field)
    assert platform.gateway.targets[free].instances == []


def test_a_context_that_the_model_does_not_read_may_be_left_out(platform: Platform, free: str) -> None:
    response = sandbox(platform, free, context={})
    assert response.status_code == 200, response.get_data(as_text=True)
    assert platform.gateway.targets[free].instances == [{"text": "So be it."}]


def test_a_model_that_does_not_fit_the_task_is_refused(platform: Platform, free: str) -> None:
    platform.gateway.targets[free].labels = ["yes", "no"]
    response = sandbox(platform, free)
    assert (response.status_code, response.get_json()["type"]) == (409, "/problems/target-unfit")


def test_a_model_that_is_not_served_is_refused(platform: Platform) -> None:
    response = sandbox(platform, "nobody")
    assert (response.status_code, response.get_json()["type"]) == (409, "/problems/target-unknown")


def test_a_task_that_is_not_there_is_not_found(platform: Platform, free: str) -> None:
    body = {"target": free, **WRITTEN}
    assert platform.call("POST", "/tasks/nowhere/sandbox", body, person=uuid4()).status_code == 404
    assert platform.call("GET", "/tasks/nowhere/models", person=uuid4()).status_code == 404


@pytest.mark.parametrize(
    ("asked", "explained", "steps"),
    [({}, "positive", 20), ({"label": "neutral", "n_steps": 7}, "neutral", 7)],
)
def test_an_inspection_explains_the_models_own_label_or_another(
    platform: Platform, free: str, asked: dict[str, Any], explained: str, steps: int
) -> None:
    response = sandbox(platform, free, path="sandbox/inspections", **asked)

    explanation = response.get_json()
    assert response.status_code == 200
    assert (explanation["target"], explanation["label"], explanation["n_steps"]) == (free, explained, steps)
    assert explanation["tokens"]


def test_an_inspection_of_a_label_that_the_task_has_not_is_refused(platform: Platform, free: str) -> None:
    response = sandbox(platform, free, path="sandbox/inspections", label="angry")
    assert (response.status_code, response.get_json()["field"]) == (422, "label")


def test_the_models_that_fit_are_listed_with_their_loops(platform: Platform, free: str) -> None:
    targets = platform.gateway.targets
    targets["deaf"] = replace(targets["alpha"], fields=["premise", "hypothesis"])
    targets["other"] = replace(targets["alpha"], labels=["yes", "no"])
    targets["sleeping"] = replace(targets["alpha"], ready=False)
    platform.open_round(["alpha"])

    response = platform.call("GET", f"/tasks/{platform.slug}/models", person=uuid4())

    items = {item["name"]: item for item in response.get_json()["items"]}
    assert list(items) == sorted(items)
    assert set(items) == {"alpha", "beta", free, "sleeping"}
    assert items[free] == {
        "name": free,
        "task_type": "text-classification",
        "labels": ["negative", "neutral", "positive"],
        "ready": True,
        "in_the_loop": False,
        "published": True,
    }
    assert items["alpha"]["in_the_loop"] is True
    assert items["sleeping"]["ready"] is False
