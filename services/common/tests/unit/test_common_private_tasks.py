"""Private tasks in a service's routes: unknown ids, echoes, filters, and parameters that nothing is said about."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID, uuid4

import pytest
from dynabench_common.auth.authentication import Principal
from dynabench_common.auth.private_tasks import PrivateTasks, hidden_tasks
from dynabench_common.http.service import prepare
from flask import Flask, request
from werkzeug.test import TestResponse

SECRET_ROUND, OPEN_ROUND = UUID(int=1), UUID(int=2)
TASKS = {SECRET_ROUND: "secret", OPEN_ROUND: "open"}
MEMBER, STRANGER = (
    Principal(uuid4(), frozenset({"member:secret"})),
    Principal(uuid4(), frozenset({"member:open"})),
)


class Database:
    """Answers a statement, which here is what is asked for."""

    def scalars(self, asked: object) -> list[str]:
        return ["secret"] if asked == "private" else [TASKS[UUID(str(asked))]] if asked in TASKS else []


@contextmanager
def connect() -> Iterator[Any]:
    yield Database()


def client_of(principal: Principal) -> Any:
    class Everybody:
        def principal(self, _header: str | None) -> Principal:
            return principal

    app = Flask("test")
    prepare(app, verifier=Everybody())

    @app.get("/api/rounds/<round_id>")
    def get_round(round_id: str) -> dict[str, Any]:
        return {
            "round_id": round_id,
            "title": {str(each): name for each, name in TASKS.items()}.get(round_id),
        }

    @app.get("/api/tasks/<slug>")
    def get_task(slug: str) -> dict[str, Any]:
        return {"slug": slug, "is_known": slug in TASKS.values()}

    @app.get("/api/rounds")
    def get_rounds() -> dict[str, Any]:
        return {
            "asked": [request.args.get("task"), request.args.getlist("round_id")],
            "hidden": sorted(hidden_tasks()),
        }

    private: Any = PrivateTasks(connect, "private", {"round_id": lambda key: key})  # type: ignore[arg-type]
    private.install(app)
    return app.test_client()


def body(answer: TestResponse) -> Any:
    return answer.get_json()


@pytest.mark.parametrize(
    ("rule", "principal", "address", "expected"),
    [
        ("a member sees a part of the task", MEMBER, f"/{SECRET_ROUND}", "secret"),
        ("for a stranger it is unknown", STRANGER, f"/{SECRET_ROUND}", None),
        ("for nobody it is unknown", Principal(), f"/{SECRET_ROUND}", None),
        ("services see it", Principal(service="web"), f"/{SECRET_ROUND}", "secret"),
        ("parts of other tasks stay", STRANGER, f"/{OPEN_ROUND}", "open"),
        ("an id that is none is left to the route", STRANGER, "/nonsense", None),
    ],
)
def test_a_part_of_a_private_task_is_unknown_to_strangers(
    rule: str, principal: Principal, address: str, expected: str | None
) -> None:
    assert body(client_of(principal).get(f"/api/rounds{address}")) == {
        "round_id": address[1:],
        "title": expected,
    }


def test_the_address_of_a_private_task_is_free_for_strangers() -> None:
    assert body(client_of(STRANGER).get("/api/tasks/secret")) == {"slug": "secret", "is_known": False}
    assert body(client_of(MEMBER).get("/api/tasks/secret")) == {"slug": "secret", "is_known": True}


def test_filters_of_a_query_name_no_private_task() -> None:
    query = f"task=secret&round_id={OPEN_ROUND}&round_id={SECRET_ROUND}"
    found = body(client_of(STRANGER).get(f"/api/rounds?{query}"))
    assert found == {"asked": ["secret", [str(OPEN_ROUND), str(SECRET_ROUND)]], "hidden": ["secret"]}
    assert body(client_of(MEMBER).get(f"/api/rounds?{query}"))["hidden"] == []


def test_a_name_that_no_column_holds_is_left_to_the_route() -> None:
    app = Flask("test")
    prepare(app, verifier=Stranger())
    app.add_url_rule("/api/models/<name>", "get_model", lambda name: {"name": name})
    private: Any = PrivateTasks(connect, "private", {"name": fail_for_zeros})  # type: ignore[arg-type, dict-item]
    private.install(app)
    assert app.test_client().get("/api/models/a%00b").get_json() == {"name": "a\x00b"}


def fail_for_zeros(name: str) -> str:
    assert "\x00" not in name
    return name


class Stranger:
    def principal(self, _header: str | None) -> Principal:
        return STRANGER


def test_a_parameter_that_nothing_is_said_about_stops_the_service() -> None:
    app = Flask("test")
    app.add_url_rule("/api/examples/<example_id>", "get_example", lambda example_id: example_id)
    private: Any = PrivateTasks(connect, "private")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="example_id"):
        private.install(app)
