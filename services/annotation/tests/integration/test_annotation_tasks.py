"""Tasks and rounds: made, configured, opened and closed, by those who may."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest
from annotation.adapters import tables
from annotation.bootstrap import build_dependencies
from annotation.entrypoints.http.app import create_app
from annotation.settings import AnnotationSettings
from dynabench.task.v1.task_pb2 import RoundStateChanged, TaskCreated
from dynabench_common.http.contracts import checked_against_contract
from dynabench_common.testing import Issuer, service_headers
from sqlalchemy import select
from werkzeug.test import TestResponse

from .conftest import Platform


def as_owner(platform: Platform, method: str, path: str, body: object) -> TestResponse:
    return platform.call(method, path, body, person=uuid4(), roles=[f"owner:{platform.slug}"])


def state(platform: Platform, round_id: str, wanted: str) -> TestResponse:
    return as_owner(platform, "PUT", f"/rounds/{round_id}/state", {"state": wanted})


def test_a_task_is_shown_with_its_configuration_and_rounds(platform: Platform) -> None:
    round_id = platform.draft()

    task = platform.call("GET", f"/tasks/{platform.slug}").get_json()

    assert (task["slug"], task["title"], task["configuration_version"]) == (platform.slug, "Sentiment", 1)
    assert task["configuration"]["input"][1]["labels"] == ["negative", "neutral", "positive"]
    [round_] = task["rounds"]
    assert (round_["round_id"], round_["number"], round_["state"]) == (round_id, 1, "draft")
    assert (round_["targets"], round_["contexts"], round_["segments"]) == (["alpha"], 3, 0)


def test_tasks_are_listed_page_by_page(platform: Platform) -> None:
    whole = platform.call("GET", "/tasks?limit=200").get_json()["items"]
    limit = max(1, len(whole) // 4)
    seen: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        page = platform.call("GET", f"/tasks?limit={limit}{cursor and '&cursor=' + cursor}").get_json()
        assert len(page["items"]) <= limit
        seen += [task["slug"] for task in page["items"]]
        cursor = page["next_cursor"]

    assert platform.slug in seen
    assert seen == sorted(set(seen))


def test_rounds_are_numbered_also_when_drafted_at_once_and_listed_newest_first(platform: Platform) -> None:
    platform.at_once(*[lambda: platform.draft(contexts=0) for _ in range(5)])

    first = platform.call("GET", f"/tasks/{platform.slug}/rounds?limit=3").get_json()
    second = platform.call(
        "GET", f"/tasks/{platform.slug}/rounds?limit=3&cursor={first['next_cursor']}"
    ).get_json()

    assert [round_["number"] for round_ in first["items"] + second["items"]] == [5, 4, 3, 2, 1]
    assert second["next_cursor"] is None


def test_a_slug_is_taken_once(platform: Platform) -> None:
    body = {"configuration": platform.configuration}
    response = platform.call("POST", "/tasks", body, person=uuid4(), roles=["admin"])
    assert (response.status_code, response.get_json()["type"]) == (409, "/problems/slug-taken")


def test_an_unusable_configuration_names_the_place(platform: Platform) -> None:
    body = {"configuration": platform.configuration.replace("title:", "titel:")}
    response = as_owner(platform, "PUT", f"/tasks/{platform.slug}/configuration", body)
    problem = response.get_json()
    assert (response.status_code, problem["field"]) == (422, "title")
    assert "`titel`" in problem["remedy"]


def test_a_configuration_of_a_megabyte_is_refused(platform: Platform) -> None:
    body = {"configuration": "x" * 600_000}
    response = as_owner(platform, "PUT", f"/tasks/{platform.slug}/configuration", body)
    assert (response.status_code, response.get_json()["field"]) == (422, "configuration")


def test_each_version_is_an_event_of_the_task(platform: Platform) -> None:
    changed = platform.configuration.replace("title: Sentiment", "title: Feelings")
    for text in (changed, changed):
        as_owner(platform, "PUT", f"/tasks/{platform.slug}/configuration", {"configuration": text})

    statement = select(tables.outbox.c.aggregate_version, tables.outbox.c.payload).order_by(
        tables.outbox.c.id
    )
    with platform.dependencies.engine.connect() as connection:
        rows = connection.execute(
            statement.where(tables.outbox.c.type == "dynabench.task.v1.TaskCreated")
        ).all()
    mine = [(v, e) for v, p in rows if (e := TaskCreated.FromString(bytes(p))).slug == platform.slug]

    assert [(v, e.configuration_version, e.title) for v, e in mine] == [
        (1, 1, "Sentiment"),
        (2, 2, "Feelings"),
    ]


def test_a_label_that_an_example_claims_cant_disappear(platform: Platform) -> None:
    platform.example(platform.open_round(), uuid4(), label="neutral")
    two = platform.configuration.replace("[negative, neutral, positive]", "[negative, positive]")

    response = as_owner(platform, "PUT", f"/tasks/{platform.slug}/configuration", {"configuration": two})

    assert (response.status_code, response.get_json()["type"]) == (409, "/problems/label-in-use")


def test_a_round_lives_from_draft_to_closed(platform: Platform) -> None:
    round_id = platform.draft()

    states = [
        state(platform, round_id, wanted).get_json()["state"]
        for wanted in ("open", "paused", "open", "closed")
    ]
    statement = select(tables.outbox.c.type).where(tables.outbox.c.aggregate_id == round_id)
    with platform.dependencies.engine.connect() as connection:
        types = list(connection.execute(statement.order_by(tables.outbox.c.aggregate_version)).scalars())

    assert states == ["open", "paused", "open", "closed"]
    assert types[0] == "dynabench.task.v1.RoundCreated"
    assert types[1:] == [RoundStateChanged.DESCRIPTOR.full_name] * 4


@pytest.mark.parametrize(
    ("path", "wanted"),
    [((), "paused"), ((), "closed"), (("open", "closed"), "paused")],
)
def test_a_move_that_a_rounds_life_does_not_hold_is_refused(
    platform: Platform, path: tuple[str, ...], wanted: str
) -> None:
    round_id = platform.draft()
    for step in path:
        platform.set_state(round_id, step)

    response = state(platform, round_id, wanted)

    assert (response.status_code, response.get_json()["field"]) == (409, "state")
    assert response.get_json()["type"] == "/problems/round-transition-refused"


def test_moving_to_where_a_round_is_changes_nothing(platform: Platform) -> None:
    round_id = platform.open_round()
    assert state(platform, round_id, "open").get_json()["state"] == "open"


def draft_after(platform: Platform, **changes: Any) -> str:
    """Return a drafted round whose target has changed."""
    platform.gateway.targets["alpha"] = replace(platform.gateway.targets["alpha"], **changes)
    return platform.draft()


@pytest.mark.parametrize(
    ("prepare", "problem"),
    [
        (lambda p: p.draft(contexts=0), "round-without-contexts"),
        (lambda p: p.draft(("gamma",)), "target-unknown"),
        (lambda p: draft_after(p, ready=False), "target-unfit"),
        (lambda p: draft_after(p, labels=["yes", "no"]), "target-unfit"),
        (lambda p: draft_after(p, published=False), "target-unfit"),
    ],
)
def test_a_round_that_could_not_work_does_not_open(
    platform: Platform, prepare: Callable[[Platform], str], problem: str
) -> None:
    round_id = prepare(platform)

    response = state(platform, round_id, "open")

    assert (response.status_code, response.get_json()["type"]) == (409, f"/problems/{problem}")
    assert platform.call("GET", f"/rounds/{round_id}").get_json()["state"] == "draft"


def test_a_round_does_not_open_while_the_gateway_is_away(platform: Platform) -> None:
    round_id = platform.draft()
    platform.gateway.targets["alpha"].status = 502

    response = state(platform, round_id, "open")

    assert response.status_code == 503
    assert int(response.headers["Retry-After"]) > 0


def test_a_rule_that_needs_more_targets_than_the_round_has_does_not_open(platform: Platform) -> None:
    changed = platform.configuration.replace("ensemble: any", "ensemble: {at_least: 2}")
    platform.owner("PUT", f"/tasks/{platform.slug}/configuration", {"configuration": changed})

    response = state(platform, platform.draft(), "open")

    assert response.get_json()["type"] == "/problems/ensemble-too-small"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"targets": ["alpha", "alpha"]}, "targets[1]"),
        ({"targets": ["a/b"]}, "targets.0"),
        ({"targets": [f"t{n}" for n in range(9)]}, "targets"),
        ({"targets": ["alpha"], "title": "x" * 201}, "title"),
        ({}, "targets"),
    ],
)
def test_a_draft_that_names_no_usable_targets_is_refused(
    platform: Platform, body: dict[str, Any], field: str
) -> None:
    response = as_owner(platform, "POST", f"/tasks/{platform.slug}/rounds", body)
    assert (response.status_code, response.get_json()["field"]) == (422, field)


def test_a_closed_round_takes_no_contexts(platform: Platform) -> None:
    round_id = platform.open_round()
    platform.set_state(round_id, "closed")
    body = {"contexts": [{"fields": {"prompt": "Late."}}]}
    response = as_owner(platform, "POST", f"/rounds/{round_id}/contexts", body)
    assert response.get_json()["type"] == "/problems/round-closed"


OWNERS = [
    ("PUT", "/tasks/{slug}/configuration", {"configuration": "x"}),
    ("POST", "/tasks/{slug}/rounds", {"targets": []}),
    ("PUT", "/rounds/{round_id}/state", {"state": "closed"}),
    ("POST", "/rounds/{round_id}/contexts", {"contexts": [{"fields": {"prompt": "x"}}]}),
    ("GET", "/rounds/{round_id}/contexts", None),
    ("GET", "/rounds/{round_id}/examples?author=all", None),
]
PEOPLES = [
    ("POST", "/tasks", {"configuration": "x"}),
    ("POST", "/rounds/{round_id}/assignments", {}),
    ("POST", "/contexts/{round_id}/flags", {"reason": "x"}),
    ("POST", "/rounds/{round_id}/examples", {"context_id": str(uuid4()), "input": {}}),
    ("GET", "/rounds/{round_id}/examples", None),
    ("GET", "/rounds/{round_id}/me", None),
    ("GET", "/examples/{round_id}", None),
    ("POST", "/examples/{round_id}/retraction", None),
    ("PUT", "/examples/{round_id}/explanations", {"label": "x"}),
    ("POST", "/examples/{round_id}/inspections", {"target": "alpha"}),
]
OPEN_TO_ALL = [
    "/tasks",
    "/tasks/{slug}",
    "/tasks/{slug}/rounds",
    "/rounds/{round_id}",
    "/rounds/{round_id}/counts",
]


@pytest.mark.parametrize(("method", "path", "body"), OWNERS)
def test_what_is_the_owners_is_refused_to_everybody_else(
    platform: Platform, method: str, path: str, body: dict[str, Any] | None
) -> None:
    path = path.format(slug=platform.slug, round_id=platform.draft())

    def status(person: UUID | None, roles: Sequence[str] = ()) -> int:
        return platform.call(method, path, body, person=person, roles=roles).status_code

    assert status(uuid4(), ["annotator"]) == 403
    assert status(uuid4(), ["annotator", "owner:another"]) == 403
    assert status(None) == 401
    assert status(uuid4(), [f"owner:{platform.slug}"]) not in (401, 403)
    assert status(uuid4(), ["admin"]) not in (401, 403)


@pytest.mark.parametrize(("method", "path", "body"), PEOPLES)
def test_what_needs_a_person_is_refused_to_strangers(
    platform: Platform, method: str, path: str, body: dict[str, Any] | None
) -> None:
    path = path.format(slug=platform.slug, round_id=platform.draft())
    assert platform.call(method, path, body).status_code == 401
    forged = {"Authorization": "Bearer eyJhbGciOiJub25lIn0.e30."}
    assert platform.call(method, path, body, headers=forged).status_code == 401


@pytest.mark.parametrize("path", ["/rounds/{round_id}/assignments", "/rounds/{round_id}/examples"])
def test_a_service_writes_no_examples(platform: Platform, path: str) -> None:
    body = {} if path.endswith("assignments") else {"context_id": str(uuid4()), "input": {}}
    headers = service_headers("gateway")
    response = platform.call("POST", path.format(round_id=platform.draft()), body, headers=headers)
    assert response.status_code == 403


@pytest.mark.parametrize("path", OPEN_TO_ALL)
def test_tasks_and_rounds_are_public(platform: Platform, path: str) -> None:
    path = path.format(slug=platform.slug, round_id=platform.draft())
    assert platform.call("GET", path).status_code == 200


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/tasks/nothing", "slug"),
        ("/tasks/nothing/rounds", "slug"),
        ("/rounds/0198c0de-0000-7000-8000-000000000000", "round_id"),
    ],
)
def test_what_is_not_there_is_not_found(platform: Platform, path: str, field: str) -> None:
    response = platform.call("GET", path)
    assert (response.status_code, response.get_json()["field"]) == (404, field)


def test_an_annotator_may_not_create_a_task_and_its_future_owner_may(platform: Platform) -> None:
    slug = f"{platform.slug}-b"
    body = {"configuration": platform.configuration.replace(f"slug: {platform.slug}", f"slug: {slug}")}

    assert platform.call("POST", "/tasks", body, person=uuid4()).status_code == 403
    assert platform.call("POST", "/tasks", body, person=uuid4(), roles=["owner:x"]).status_code == 403
    assert platform.call("POST", "/tasks", body, person=uuid4(), roles=[f"owner:{slug}"]).status_code == 201


def test_the_interface_describes_itself(platform: Platform) -> None:
    document = platform.app.test_client().get("/api/annotation/openapi.json").get_json()

    assert document["openapi"].startswith("3.")
    assert "post" in document["paths"]["/api/annotation/v1/rounds/{round_id}/examples"]


def test_the_service_is_ready_with_its_database(platform: Platform) -> None:
    client = platform.app.test_client()
    assert client.get("/healthz/live").status_code == client.get("/healthz/ready").status_code == 200


def test_without_its_database_the_service_says_so(
    annotation_settings: AnnotationSettings, annotation_issuer: Issuer
) -> None:
    away = annotation_settings.model_copy(
        update={"database_url": "postgresql+psycopg2://nobody:x@127.0.0.1:1/nothing"}
    )
    needed = build_dependencies(away, verifier=annotation_issuer.verifier())
    client = checked_against_contract(create_app(needed)).test_client()

    response = client.get("/api/annotation/v1/tasks")

    assert (response.status_code, response.headers["Retry-After"]) == (503, "2")
    assert client.get("/healthz/ready").status_code == 503
    needed.prediction_threads.shutdown()
