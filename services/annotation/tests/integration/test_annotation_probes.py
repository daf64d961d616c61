"""Asking targets without making a try: where that is allowed, and that it is counted."""

import threading
from typing import Any
from uuid import UUID, uuid4

import pytest
from annotation.adapters import tables
from sqlalchemy import select
from werkzeug.test import TestResponse

from .conftest import MakePlatform, Platform


def probe(
    platform: Platform, round_id: str, person: UUID, context_id: str | None = None, **more: Any
) -> TestResponse:
    context_id = context_id or platform.assign(round_id, person)["context"]["context_id"]
    body = {"context_id": context_id, "input": {"text": "A quiet secret."}, **more}
    return platform.call("POST", f"/rounds/{round_id}/probes", body, person=person)


def test_a_probe_answers_like_a_try_but_nobody_is_wrong(platform: Platform) -> None:
    round_id = platform.open_round(["alpha", "beta"])

    response = probe(platform, round_id, uuid4())

    assert response.status_code == 200
    [alpha, beta] = response.get_json()["answers"]
    assert (alpha["target"], alpha["value"], alpha["confidence"], alpha["wrong"]) == (
        "alpha",
        "positive",
        0.9,
        None,
    )
    assert beta["model_digest"] == "sha256:model-b"
    assert platform.counts(round_id)["tries"] == 0


def test_a_claim_that_comes_with_a_probe_is_left_out(platform: Platform) -> None:
    round_id = platform.open_round()
    response = probe(platform, round_id, uuid4(), input={"text": "Hm.", "label": "no label at all"})
    assert response.status_code == 200
    assert platform.gateway.targets["alpha"].instances == [{"text": "Hm."}]


def test_probes_are_counted_by_person_and_stand_on_later_tries(platform: Platform) -> None:
    round_id = platform.open_round()
    curious, other = uuid4(), uuid4()
    for _ in range(2):
        probe(platform, round_id, curious)

    assert platform.example(round_id, curious)["probes_before"] == 2
    probe(platform, round_id, curious)
    assert platform.example(round_id, curious)["probes_before"] == 3
    assert platform.example(round_id, other)["probes_before"] == 0


def test_of_a_probe_only_person_round_targets_and_time_are_kept(platform: Platform) -> None:
    round_id, person = platform.open_round(["alpha", "beta"]), uuid4()
    probe(platform, round_id, person)

    with platform.dependencies.engine.connect() as connection:
        [row] = connection.execute(select(tables.probe).where(tables.probe.c.person_id == person)).all()

    assert set(row._mapping) == {"probe_id", "round_id", "person_id", "targets", "probed_at"}
    assert (str(row.round_id), row.targets) == (round_id, ["alpha", "beta"])


@pytest.mark.long
def test_a_late_target_comes_as_missing_and_only_the_others_are_counted(platform: Platform) -> None:
    round_id, person = platform.open_round(["alpha", "beta"]), uuid4()
    release = threading.Event()
    platform.gateway.targets["alpha"].wait_for = release
    try:
        answers = probe(platform, round_id, person).get_json()["answers"]
    finally:
        release.set()

    assert answers[0] == {"target": "alpha", "missing": "deadline"}
    assert answers[1]["value"] == "positive"
    with platform.dependencies.engine.connect() as connection:
        [targets] = connection.execute(
            select(tables.probe.c.targets).where(tables.probe.c.person_id == person)
        ).scalars()
    assert targets == ["beta"]


def test_a_probe_that_shows_nothing_is_not_counted(platform: Platform) -> None:
    round_id, person = platform.open_round(), uuid4()
    platform.assign(round_id, person)
    platform.gateway.targets["alpha"].status = 503

    assert "missing" in probe(platform, round_id, person).get_json()["answers"][0]
    platform.gateway.targets["alpha"].status = 200
    assert platform.example(round_id, person)["probes_before"] == 0


def test_a_task_without_probes_refuses_them(make_platform: MakePlatform) -> None:
    platform = make_platform(probes="none")
    response = probe(platform, platform.open_round(), uuid4())
    assert (response.status_code, response.get_json()["type"]) == (403, "/problems/probes-not-allowed")
    assert platform.gateway.targets["alpha"].instances == []


def test_a_context_that_one_was_not_given_cant_be_probed(platform: Platform) -> None:
    round_id = platform.open_round(contexts=1)
    context_id = platform.assign(round_id, uuid4())["context"]["context_id"]
    response = probe(platform, round_id, uuid4(), context_id)
    assert (response.status_code, response.get_json()["type"]) == (409, "/problems/context-not-assigned")


def test_a_context_of_another_round_cant_be_probed(platform: Platform) -> None:
    person = uuid4()
    context_id = platform.assign(platform.open_round(), person)["context"]["context_id"]
    response = probe(platform, platform.open_round(), person, context_id)
    assert (response.status_code, response.get_json()["field"]) == (422, "context_id")


def test_unusable_text_is_refused_before_any_target_is_asked(platform: Platform) -> None:
    response = probe(platform, platform.open_round(), uuid4(), input={"text": " "})
    assert (response.status_code, response.get_json()["field"]) == (422, "input.text")
    assert platform.gateway.targets["alpha"].instances == []


@pytest.mark.parametrize(("state", "status"), [("open", 200), ("paused", 200), ("closed", 409)])
def test_probes_end_with_the_round(platform: Platform, state: str, status: int) -> None:
    round_id, person = platform.open_round(), uuid4()
    context_id = platform.assign(round_id, person)["context"]["context_id"]
    if state != "open":
        platform.set_state(round_id, state)
    assert probe(platform, round_id, person, context_id).status_code == status


def test_an_arm_without_targets_has_nothing_to_probe(make_platform: MakePlatform) -> None:
    platform = make_platform(conditions=[{"name": "control", "targets": "none"}])
    round_id, person = platform.open_round(), uuid4()

    assert probe(platform, round_id, person).get_json() == {"answers": []}
    assert platform.gateway.targets["alpha"].instances == []
    assert platform.example(round_id, person)["probes_before"] == 0


@pytest.mark.parametrize(("state", "status"), [("open", 403), ("paused", 403), ("closed", 200)])
def test_without_probes_who_creates_may_inspect_once_the_round_is_closed(
    make_platform: MakePlatform, state: str, status: int
) -> None:
    platform = make_platform(probes="none")
    round_id, person = platform.open_round(), uuid4()
    example = platform.example(round_id, person)
    if state != "open":
        platform.set_state(round_id, state)

    path = f"/examples/{example['example_id']}/inspections"
    response = platform.call("POST", path, {"target": "alpha"}, person=person)

    assert response.status_code == status, response.get_data(as_text=True)
