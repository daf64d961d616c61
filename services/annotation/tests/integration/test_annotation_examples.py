"""Stored examples: explanations, retraction, inspections and read permissions."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from annotation.adapters import tables
from dynabench.example.v1.example_pb2 import ExampleExplained, ExampleRetracted
from dynabench_common.testing import service_headers
from sqlalchemy import select
from werkzeug.test import TestResponse

from .conftest import Platform


def types_of(platform: Platform, example_id: str) -> list[tuple[str, int]]:
    statement = (
        select(tables.outbox.c.type, tables.outbox.c.aggregate_version)
        .where(tables.outbox.c.aggregate_id == example_id)
        .order_by(tables.outbox.c.aggregate_version)
    )
    with platform.dependencies.engine.connect() as connection:
        return [(row.type.rsplit(".", 1)[-1], row.aggregate_version) for row in connection.execute(statement)]


def last_payload(platform: Platform, example_id: str) -> bytes:
    statement = (
        select(tables.outbox.c.payload)
        .where(tables.outbox.c.aggregate_id == example_id)
        .order_by(tables.outbox.c.aggregate_version.desc())
        .limit(1)
    )
    with platform.dependencies.engine.connect() as connection:
        return bytes(connection.execute(statement).scalar_one())


@pytest.fixture
def example(platform: Platform) -> dict[str, Any]:
    stored: dict[str, Any] = platform.example(platform.open_round(), uuid4())
    return stored


def test_an_example_is_retracted_once(platform: Platform, example: dict[str, Any]) -> None:
    path = f"/examples/{example['example_id']}/retraction"

    first = platform.call("POST", path, person=example["author_id"]).get_json()
    platform.clock.move(60)
    again = platform.call("POST", path, person=example["author_id"]).get_json()

    assert first["retracted_at"] is not None
    assert first == again
    assert types_of(platform, example["example_id"]) == [("ExampleCreated", 1), ("ExampleRetracted", 2)]
    assert (
        ExampleRetracted.FromString(last_payload(platform, example["example_id"])).round_id
        == example["round_id"]
    )


def test_retractions_sent_at_once_make_one_event(platform: Platform, example: dict[str, Any]) -> None:
    path = f"/examples/{example['example_id']}/retraction"

    platform.at_once(*[lambda: platform.call("POST", path, person=example["author_id"]) for _ in range(4)])

    assert types_of(platform, example["example_id"]) == [("ExampleCreated", 1), ("ExampleRetracted", 2)]


def test_a_retracted_example_stays_a_try_and_its_fooling_goes(
    platform: Platform, example: dict[str, Any]
) -> None:
    platform.call("POST", f"/examples/{example['example_id']}/retraction", person=example["author_id"])

    assert platform.counts(example["round_id"]) == {"tries": 1, "fooled": 0, "not_fooled": 0, "retracted": 1}


def test_an_example_may_be_retracted_and_explained_after_the_round_closed(
    platform: Platform, example: dict[str, Any]
) -> None:
    platform.set_state(example["round_id"], "closed")

    explained = platform.call(
        "PUT",
        f"/examples/{example['example_id']}/explanations",
        {"label": "Why."},
        person=example["author_id"],
    )
    retracted = platform.call(
        "POST", f"/examples/{example['example_id']}/retraction", person=example["author_id"]
    )

    assert (explained.status_code, retracted.status_code) == (200, 200)


def test_explanations_can_be_changed_one_at_a_time(platform: Platform, example: dict[str, Any]) -> None:
    path = f"/examples/{example['example_id']}/explanations"

    platform.call("PUT", path, {"label": "Queues bore."}, person=example["author_id"])
    answer = platform.call("PUT", path, {"model": "It read lovely."}, person=example["author_id"]).get_json()
    platform.call("PUT", path, {"model": "It read lovely."}, person=example["author_id"])

    assert answer["explanations"] == {"label": "Queues bore.", "model": "It read lovely."}
    assert [kind for kind, _ in types_of(platform, example["example_id"])] == [
        "ExampleCreated",
        "ExampleExplained",
        "ExampleExplained",
    ]
    event = ExampleExplained.FromString(last_payload(platform, example["example_id"]))
    assert (event.label_explanation, event.model_explanation) == ("Queues bore.", "It read lovely.")


def test_a_long_explanation_is_refused(platform: Platform, example: dict[str, Any]) -> None:
    response = platform.call(
        "PUT",
        f"/examples/{example['example_id']}/explanations",
        {"model": "x" * 1001},
        person=example["author_id"],
    )

    assert response.status_code == 422
    assert response.get_json()["field"] == "explanations.model"


def inspect(platform: Platform, example: dict[str, Any], person: UUID, **body: Any) -> TestResponse:
    roles = ["annotator"] if person == example["author_id"] else ["annotator", f"owner:{platform.slug}"]
    path = f"/examples/{example['example_id']}/inspections"
    return platform.call("POST", path, {"target": "alpha", **body}, person=person, roles=roles)


def test_an_inspection_explains_the_stored_input_and_counts_for_later_tries(
    platform: Platform, example: dict[str, Any]
) -> None:
    author = example["author_id"]
    platform.gateway.targets["alpha"].instances.clear()

    answer = inspect(platform, example, author, n_steps=40).get_json()
    platform.call(
        "POST", f"/examples/{example['example_id']}/inspections", {"target": "alpha"}, person=author
    )
    later = platform.example(example["round_id"], author)

    assert platform.gateway.targets["alpha"].instances[0] == {
        "text": "What a lovely queue.",
        "label": "positive",
    }
    assert answer["tokens"][0]["weight"] == 0.7
    assert (answer["target"], answer["n_steps"], answer["model_digest"]) == ("alpha", 40, "sha256:model-1")
    assert (later["inspections_before"], later["probes_before"]) == (2, 0)


def test_an_inspection_may_name_another_label(platform: Platform, example: dict[str, Any]) -> None:
    assert inspect(platform, example, example["author_id"], label="neutral").get_json()["label"] == "neutral"


def test_an_owner_may_inspect(platform: Platform, example: dict[str, Any]) -> None:
    assert inspect(platform, example, uuid4()).status_code == 200


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_explainer_is_passed_on_and_not_counted(
    platform: Platform, example: dict[str, Any], status: int
) -> None:
    platform.gateway.targets["alpha"].status = status
    platform.gateway.targets["alpha"].retry_after = 9

    response = inspect(platform, example, example["author_id"])
    platform.gateway.targets["alpha"].status = 200
    later = platform.example(example["round_id"], example["author_id"])

    assert (response.status_code, response.headers["Retry-After"]) == (status, "9")
    assert later["inspections_before"] == 0


@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        ({"target": "beta"}, 409, "target"),
        ({"label": "sarcastic"}, 422, "label"),
        ({"n_steps": 0}, 422, "n_steps"),
        ({"n_steps": 161}, 422, "n_steps"),
        ({"target": "../predict"}, 422, "target"),
    ],
)
def test_an_inspection_of_what_is_not_there_is_refused(
    platform: Platform, example: dict[str, Any], body: dict[str, Any], status: int, field: str
) -> None:
    response = inspect(platform, example, example["author_id"], **body)

    assert (response.status_code, response.get_json()["field"]) == (status, field)


def test_an_example_is_shown_to_author_and_owner_only(platform: Platform, example: dict[str, Any]) -> None:
    path = f"/examples/{example['example_id']}"

    statuses = [
        platform.call("GET", path, person=example["author_id"]).status_code,
        platform.call("GET", path, person=uuid4(), roles=[f"owner:{platform.slug}"]).status_code,
        platform.call("GET", path, headers=service_headers("gateway")).status_code,
        platform.call("GET", path, person=uuid4()).status_code,
        platform.call("GET", path, person=uuid4(), roles=["annotator", "owner:other"]).status_code,
        platform.call("GET", path).status_code,
    ]

    assert statuses == [200, 200, 403, 404, 404, 401]


def without_id(response: TestResponse) -> dict[str, Any]:
    """Return a problem without what differs from request to request."""
    return {
        name: value for name, value in response.get_json().items() if name not in {"instance", "request_id"}
    }


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "retraction", None),
        ("PUT", "explanations", {"label": "Mine now."}),
        ("POST", "inspections", {"target": "alpha"}),
    ],
)
def test_another_persons_example_is_left_alone(
    platform: Platform, example: dict[str, Any], method: str, path: str, body: dict[str, str] | None
) -> None:
    response = platform.call(method, f"/examples/{example['example_id']}/{path}", body, person=uuid4())

    unknown = platform.call(method, f"/examples/{uuid4()}/{path}", body, person=uuid4())

    assert response.status_code == unknown.status_code == 404
    assert response.get_json()["field"] == "example_id"
    assert without_id(response) == without_id(unknown)
    assert types_of(platform, example["example_id"]) == [("ExampleCreated", 1)]


def test_people_list_their_own_examples_and_owners_all_page_by_page(platform: Platform) -> None:
    round_id = platform.open_round()
    people = [uuid4() for _ in range(3)]
    stored = [platform.example(round_id, person)["example_id"] for person in people]

    mine = platform.call("GET", f"/rounds/{round_id}/examples", person=people[0]).get_json()
    first = platform.owner("GET", f"/rounds/{round_id}/examples?author=all&limit=2")
    second = platform.owner(
        "GET", f"/rounds/{round_id}/examples?author=all&limit=2&cursor={first['next_cursor']}"
    )
    refused = platform.call("GET", f"/rounds/{round_id}/examples?author=all", person=people[0])

    assert [item["example_id"] for item in mine["items"]] == stored[:1]
    assert [item["example_id"] for item in first["items"] + second["items"]] == stored[::-1]
    assert second["next_cursor"] is None
    assert refused.status_code == 403


def test_counts_of_a_round_and_of_a_person(platform: Platform) -> None:
    person, round_id = uuid4(), platform.open_round()
    platform.example(round_id, person)
    platform.example(round_id, person, label="positive")
    platform.example(round_id, uuid4(), text="Another sentence altogether.")

    mine = platform.call("GET", f"/rounds/{round_id}/me", person=person).get_json()

    assert platform.counts(round_id) == {"tries": 3, "fooled": 2, "not_fooled": 1, "retracted": 0}
    assert mine == {"tries": 2, "fooled": 1, "not_fooled": 1, "retracted": 0}
