"""Every breach of the document by a request or answer is found."""

import json
from typing import Any

import pytest
from dynabench_common.auth.permissions import Permission, requires
from dynabench_common.http.contracts import (
    Answered,
    Asked,
    Contract,
    ContractClient,
    checked_against_contract,
    watch,
)
from dynabench_common.http.schemas import Input, PageQuery
from dynabench_common.http.service import json_response, service_app
from dynabench_common.testing import Issuer
from flask import Flask, Response, jsonify
from flask_openapi import APIBlueprint
from pydantic import BaseModel

PATH = "/api/common/v1/things"
HEADERS = {"X-Request-Id": "r", "Content-Type": "application/json"}
GOOD: dict[str, Any] = {"name": "a", "size": 1, "note": None, "parts": [{"weight": 0.5}]}


class Part(BaseModel):
    weight: float


class Thing(BaseModel):
    name: str
    size: int
    note: str | None
    parts: list[Part]


class ThingBody(Input):
    name: str


def probe(answer: dict[str, Any] | None = None) -> ContractClient:
    app = service_app("common", verifier=Issuer().verifier())
    routes = APIBlueprint("probe", __name__, url_prefix="/api/common/v1")

    @routes.get("/things", responses={200: Thing, 304: None})
    @requires(Permission.READ_PUBLIC)
    def things(query: PageQuery) -> Response:
        return json_response(GOOD if answer is None else answer, headers={"ETag": '"1"'})

    @routes.post("/things/<path:place>", responses={201: Thing})
    @requires(Permission.READ_PUBLIC)
    def make(body: ThingBody) -> Response:
        return json_response(GOOD, 201)

    app.register_api(routes)
    client = checked_against_contract(app).test_client()
    assert isinstance(client, ContractClient)
    return client


CONTRACT = Contract(probe().get("/api/common/openapi.json").get_json())


def breaches(document: object, status: int = 200, media_type: str = HEADERS["Content-Type"]) -> list[str]:
    headers = {**HEADERS, "ETag": '"1"', "Content-Type": media_type}
    answered = Answered(status, headers, json.dumps(document).encode())
    return CONTRACT.breaches("GET", PATH, answered)


def test_a_conforming_answer_is_no_breach() -> None:
    assert breaches(GOOD) == []


@pytest.mark.parametrize(
    ("changes", "breach"),
    [
        ({"size": "1"}, "size"),
        ({"size": None}, "size"),
        ({"title": "a"}, "title"),
        ({"parts": [{"weight": 0.5, "height": 1}]}, "height"),
        ({"parts": [{}]}, "weight"),
    ],
    ids=["another type", "null", "a member more", "a member more within", "a member less within"],
)
def test_another_record_is_a_breach(changes: dict[str, Any], breach: str) -> None:
    assert breach in " ".join(breaches({**GOOD, **changes}))


@pytest.mark.parametrize("name", GOOD)
def test_a_member_less_is_a_breach(name: str) -> None:
    assert name in " ".join(breaches({key: value for key, value in GOOD.items() if key != name}))


def test_another_status_media_type_or_header_is_a_breach() -> None:
    assert "status 202" in breaches(GOOD, 202)[0]
    assert "media type" in breaches(GOOD, media_type="text/html")[0]
    assert CONTRACT.breaches("GET", PATH, Answered(200, HEADERS, json.dumps(GOOD).encode())) == [
        f"GET {PATH}: 200: the header ETag is missing"
    ]


def test_refusals_are_problems() -> None:
    problem = {"type": "/problems/a", "title": "A", "status": 404, "detail": "A.", "request_id": None}
    as_problem = "application/problem+json"
    assert breaches({**problem, "more": [1]}, 404, as_problem) == []
    assert breaches(problem, 404) != []
    assert breaches({**problem, "type": "about:blank"}, 404, as_problem) != []
    assert "Retry-After" in breaches(problem, 503, as_problem)[0]


@pytest.mark.parametrize(
    ("query", "breach"),
    [({"limit": ["none"]}, "limit"), ({"limit": ["201"]}, "limit"), ({"colour": ["red"]}, "colour")],
)
def test_another_question_is_a_breach(query: dict[str, list[str]], breach: str) -> None:
    answered = Answered(200, {**HEADERS, "ETag": '"1"'}, json.dumps(GOOD).encode())
    assert breach in CONTRACT.breaches("GET", PATH, answered, Asked(query, b""))[0]
    assert CONTRACT.breaches("GET", PATH, answered, Asked({"limit": ["200"]}, b"")) == []


@pytest.mark.parametrize("body", [b'{"title": "a"}', b"{", b"", b'{"name": 1}'])
def test_another_body_is_a_breach_unless_it_was_refused(body: bytes) -> None:
    made = Answered(201, HEADERS, json.dumps(GOOD).encode())
    problem = {"type": "/problems/a", "title": "A", "status": 422, "detail": "A.", "request_id": None}
    as_problem = {**HEADERS, "Content-Type": "application/problem+json"}
    refused = Answered(422, as_problem, json.dumps(problem).encode())
    assert CONTRACT.breaches("POST", f"{PATH}/a/b", made, Asked({}, body)) != []
    assert CONTRACT.breaches("POST", f"{PATH}/a/b", refused, Asked({}, body)) == []
    assert CONTRACT.breaches("POST", f"{PATH}/a/b", made, Asked({}, b'{"name": "a"}')) == []


def test_an_address_that_is_not_published_may_only_be_refused() -> None:
    assert CONTRACT.breaches("GET", "/api/common/v1/nothing", Answered(200, HEADERS, b"{}")) == [
        "no such operation"
    ]
    assert CONTRACT.breaches("GET", "/api/common/v1/nothing", Answered(404, HEADERS, b"{}")) == []


def test_a_test_client_fails_where_the_answer_is_another() -> None:
    assert probe().get(PATH).get_json() == GOOD
    with pytest.raises(AssertionError, match="size"):
        probe({**GOOD, "size": "1"}).get(PATH)


def test_an_app_that_is_watched_notes_its_breaches() -> None:
    app, noted = Flask("fake"), list[str]()

    @app.get(PATH)
    def things() -> Response:
        return jsonify({**GOOD, "size": "1"})

    watch(app, {"common": CONTRACT}, noted)
    app.test_client().get(f"{PATH}?colour=red")
    assert len(noted) == 4
