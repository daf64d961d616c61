"""The shared HTTP layer: problems, request ids, permissions, unusable bodies."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from io import BytesIO
from typing import Any
from uuid import UUID, uuid4

import pytest
from dynabench_common.auth.authentication import ANONYMOUS, Principal
from dynabench_common.auth.permissions import RULES, Permission, is_allowed, requires
from dynabench_common.http import downloads, uploads
from dynabench_common.http.concurrency_limit import ConcurrencyLimit
from dynabench_common.http.contracts import checked_against_contract
from dynabench_common.http.page_headers import HEADERS
from dynabench_common.http.schemas import (
    Input,
    PageQuery,
    Text,
    cursor_id,
    cursor_moment,
    cursor_moment_and_id,
    cursor_name,
    cursor_number,
    cut_page,
    encode_cursor,
    page_start,
)
from dynabench_common.http.service import json_response, service_app
from dynabench_common.problems import Problem, refusal
from dynabench_common.testing import Issuer
from flask import Response
from flask.testing import FlaskClient
from flask_openapi import APIBlueprint
from pydantic import BaseModel, ValidationError
from sqlalchemy.exc import OperationalError
from structlog.testing import capture_logs

ISSUER = Issuer()


class Body(Input):
    text: Text


class Limit(BaseModel):
    limit: int


class Broken(Exception):
    """Mapped to a problem by the app under test."""


def client(ready: Any = lambda: None) -> FlaskClient:
    app = service_app(
        "common",
        verifier=ISSUER.verifier(),
        error_map={
            Broken: lambda err: Problem(409, "broken", "Broken", str(err), field="text", remedy="Mend it.")
        },
        ready=ready,
    )
    routes = APIBlueprint("probe", __name__, url_prefix="/api/probe/v1")

    @routes.post("/things", responses={201: Body})
    @requires(Permission.CREATE_EXAMPLE)
    def make(body: Body) -> Any:
        if body.text == "broken":
            raise Broken("as asked")
        if body.text == "database":
            raise OperationalError("SELECT 1", {}, OSError("away"))
        if body.text == "bug":
            raise RuntimeError("secret detail")
        return json_response({"text": body.text}, 201)

    @routes.get("/things", responses={200: Limit})
    @requires(Permission.READ_PUBLIC)
    def things(query: PageQuery) -> Any:
        return json_response({"limit": query.limit})

    @routes.get("/broken", responses={200: Limit})
    @requires(Permission.READ_PUBLIC)
    def broken() -> Any:
        return json_response(Limit.model_validate({"limit": "none"}))

    app.register_api(routes)
    return checked_against_contract(app).test_client()


def post(body: Any, **kwargs: Any) -> Any:
    headers = {**ISSUER.headers(uuid4()), **kwargs.pop("headers", {})}
    if isinstance(body, bytes):
        return client().post(
            "/api/probe/v1/things", data=body, content_type="application/json", headers=headers
        )
    return client().post("/api/probe/v1/things", json=body, headers=headers)


def test_a_good_request_keeps_its_request_id() -> None:
    response = post({"text": "é 😀 e\u0301"}, headers={"X-Request-Id": "abc-1"})
    assert response.status_code == 201
    assert response.json == {"text": "é 😀 e\u0301"}
    assert response.headers["X-Request-Id"] == "abc-1"


@pytest.mark.parametrize(
    ("body", "status", "slug"),
    [
        (b"\xff\xfe", 400, "body-not-utf8"),
        (b"{", 400, "body-not-json"),
        (b'{"text": NaN}', 400, "body-not-json"),
        (b"[" * 100_000, 400, "body-not-json"),
        *(
            (b'{"text": ' + b"[" * deep + b"]" * deep + b"}", 400, "body-not-json")
            for deep in (100, 900, 978, 980, 982)
        ),
        (json.dumps('{"text": NaN}').encode(), 422, "input-invalid"),
        (b"", 400, "body-not-json"),
        (b'{"limit": ' + b"9" * 401 + b"}", 422, "number-too-large"),
        (b'{"limit": [-9223372036854775809]}', 422, "number-too-large"),
        (b'{"limit": 1e999}', 422, "number-too-large"),
        (b'{"text": "a", "text": "b"}', 400, "body-not-json"),
        (b"[]", 422, "input-invalid"),
        (b'"text"', 422, "input-invalid"),
        (b'{"text": "a\\u0000b"}', 422, "input-invalid"),
        (b'{"text": "\\ud800"}', 422, "input-invalid"),
        (b'{"text": "a", "\\ud800": 1}', 422, "input-invalid"),
        (b'{"text": "a", "other": 1}', 422, "input-invalid"),
        (b'{"text": 5}', 422, "input-invalid"),
        (b'{"text": ' + b"[" * 99 + b"]" * 99 + b"}", 422, "input-invalid"),
        (b"x" * 1_100_000, 413, "request-entity-too-large"),
    ],
)
def test_unusable_bodies_are_refused_with_a_reason(body: bytes, status: int, slug: str) -> None:
    response = post(body)
    assert response.status_code == status
    assert response.content_type == "application/problem+json"
    assert response.get_json()["type"] == f"/problems/{slug}"
    assert response.json["detail"]


def test_mapped_errors_name_field_and_remedy() -> None:
    response = post({"text": "broken"})
    assert (response.status_code, response.json["field"], response.json["remedy"]) == (
        409,
        "text",
        "Mend it.",
    )


def test_an_unavailable_database_is_a_503_with_retry_after() -> None:
    response = post({"text": "database"})
    assert (response.status_code, response.json["type"]) == (503, "/problems/database-unavailable")
    assert response.headers["Retry-After"] == "2"


def test_a_bug_is_a_500_without_details() -> None:
    response = post({"text": "bug"})
    assert response.status_code == 500
    assert "secret" not in response.text


def test_an_answer_that_breaks_its_record_is_a_500_and_not_the_callers_fault() -> None:
    with capture_logs() as logged:
        answer = client().get("/api/probe/v1/broken")
    assert (answer.status_code, answer.get_json()["type"]) == (500, "/problems/unexpected")
    (failed,) = [each for each in logged if each["event"] == "request_failed"]
    assert isinstance(failed["exc_info"], ValidationError)


def test_missing_sign_in_and_missing_role() -> None:
    assert (
        client().post("/api/probe/v1/things", json={"text": "a"}).get_json()["type"]
        == "/problems/token-missing"
    )
    response = client().post(
        "/api/probe/v1/things", json={"text": "a"}, headers=ISSUER.headers(uuid4(), roles=[])
    )
    assert (response.status_code, response.get_json()["type"]) == (403, "/problems/not-allowed")


def test_unknown_address_and_method() -> None:
    assert client().get("/api/probe/v1/none").get_json()["type"] == "/problems/not-found"
    response = client().delete("/api/probe/v1/things")
    assert response.status_code == 405
    assert "POST" in response.headers["Allow"]


def test_health() -> None:
    def not_ready() -> None:
        raise OSError("no database")

    assert client().get("/healthz/ready").status_code == 200
    response = client(not_ready).get("/healthz/ready")
    assert response.status_code == 503
    assert response.headers["Retry-After"] == "1"
    assert client(not_ready).get("/healthz/live").status_code == 200


def test_openapi_describes_the_route() -> None:
    document = client().get("/api/common/openapi.json").get_json()
    assert "/api/probe/v1/things" in document["paths"]


@pytest.mark.parametrize("query", ["limit=0", "limit=201", "limit=x", "cursor=%25%25", "cursor=e30"])
def test_unusable_page_is_refused(query: str) -> None:
    assert client().get(f"/api/probe/v1/things?{query}").status_code == 422


def test_every_permission_has_a_rule() -> None:
    assert set(RULES) == set(Permission)


ANNOTATOR = Principal(uuid4(), frozenset({"annotator"}))
OWNER = Principal(uuid4(), frozenset({"annotator", "owner:sentiment"}))
ADMIN = Principal(uuid4(), frozenset({"admin"}))
SCORING, GATEWAY = Principal(service="scoring"), Principal(service="gateway")


@pytest.mark.parametrize(
    ("permission", "task", "who"),
    [
        (Permission.READ_PUBLIC, None, {ANONYMOUS, SCORING, GATEWAY, ANNOTATOR, OWNER, ADMIN}),
        (Permission.CREATE_EXAMPLE, None, {ANNOTATOR, OWNER}),
        (Permission.MANAGE_TASK, "sentiment", {OWNER, ADMIN}),
        (Permission.MANAGE_TASK, "nli", {ADMIN}),
        (Permission.GRANT_ROLES, None, {ADMIN}),
        (Permission.USE_MODELS, None, {SCORING, ANNOTATOR, OWNER, ADMIN}),
        (Permission.ASK_TARGETS, "sentiment", {SCORING, OWNER, ADMIN}),
        (Permission.ASK_TARGETS, "nli", {SCORING, ADMIN}),
        (Permission.START_WORKERS, None, {GATEWAY}),
        (Permission.COUNT_PROBES, None, {GATEWAY}),
    ],
)
def test_permission_table(permission: Permission, task: str | None, who: set[Principal]) -> None:
    everyone = {ANONYMOUS, SCORING, GATEWAY, ANNOTATOR, OWNER, ADMIN}
    assert {principal for principal in everyone if is_allowed(permission, principal, task)} == who


def test_a_problem_is_filled_in_and_carries_what_it_was_filled_in_with() -> None:
    problem = Problem(
        409,
        "label-in-use",
        "{size:,} bytes",
        "The label {label!r} is in use: {reason}",
        remedy="Keep {label!r}.",
        parameters={"label": "a {b}", "size": 1234567, "reason": ValueError("why {not}"), "first": None},
    )
    document = problem.document()
    assert document["title"] == "1,234,567 bytes"
    assert document["detail"] == "The label 'a {b}' is in use: why {not}"
    assert document["remedy"] == "Keep 'a {b}'."
    assert document["parameters"] == {"label": "a {b}", "size": 1234567, "reason": "why {not}"}


def test_texts_without_parameters_stand_as_they_are() -> None:
    document = Problem(422, "unusable", "Unusable", 'Send {"a": 1}.').document()
    assert document["detail"] == 'Send {"a": 1}.'
    assert "parameters" not in document


class Counted(BytesIO):
    """A body that counts the bytes read."""

    taken = 0

    def read(self, size: int | None = -1) -> bytes:
        read = super().read(size)
        self.taken += len(read)
        return read


@pytest.mark.parametrize(("is_signed_in", "status"), [(False, 401), (True, 403)])
def test_who_may_not_is_refused_before_a_byte_of_the_body_is_read(is_signed_in: bool, status: int) -> None:
    headers = ISSUER.headers(uuid4(), roles=[]) if is_signed_in else {}
    body = Counted(b"no JSON at all")
    response = client().post(
        "/api/probe/v1/things",
        input_stream=body,
        headers=headers,
        content_length=14,
        content_type="application/json",
    )
    assert (response.status_code, body.taken) == (status, 0)


def test_uploads_leave_threads_for_others() -> None:
    uploads_limit = ConcurrencyLimit(4, 2)
    assert [uploads_limit.begin("one") for _ in range(3)] == [True, True, False]
    assert [uploads_limit.begin("other"), uploads_limit.begin("other"), uploads_limit.begin("third")] == [
        True,
        True,
        False,
    ]
    uploads_limit.end("one")
    assert uploads_limit.begin("third")


def test_an_upload_too_many_gets_retry_after(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MOST_OF_ONE", 0)
    chunked = {**ISSUER.headers(uuid4()), "Transfer-Encoding": "chunked"}
    refused = client().post("/api/probe/v1/things", json={"text": "a"}, headers=chunked)
    assert (refused.status_code, refused.get_json()["type"]) == (429, "/problems/uploads-in-hand")
    assert refused.headers["Retry-After"] == "5"
    assert post({"text": "short ones are none"}).status_code == 201


def test_slow_readers_leave_threads_for_others() -> None:
    app = service_app("common", verifier=ISSUER.verifier())
    asked = {"name": "stream"}
    kinds: dict[str, Callable[[], Response]] = {
        "stream": lambda: Response(iter([b"a", b"b"])),
        "long": lambda: Response(b"a" * 1_000_001),
        "short": lambda: Response(b"a" * 1_000_000),
    }

    @app.get("/told")
    @requires(Permission.READ_PUBLIC)
    def stream() -> Response:
        return kinds[asked["name"]]()

    reader = app.test_client()
    held = [reader.get("/told", buffered=False) for _ in range(downloads.MOST_OF_ONE)]
    assert {answer.status_code for answer in held} == {200}
    for kind, status in {"stream": 429, "long": 429, "short": 200}.items():
        asked["name"] = kind
        assert reader.get("/told").status_code == status
    held[0].close()
    asked["name"] = "stream"
    assert reader.get("/told").status_code == 200


def test_pages_about_the_interface_have_the_headers_of_pages() -> None:
    page = service_app("common", verifier=ISSUER.verifier()).test_client().get("/api/common/")
    assert (page.status_code, page.mimetype) == (200, "text/html")
    assert {name: page.headers[name] for name in HEADERS} == HEADERS
    assert "style" not in page.text
    assert "Content-Security-Policy" not in client().get("/api/probe/v1/things").headers


def test_a_refusal_is_filled_in_with_what_its_texts_name() -> None:
    @dataclass(eq=False)
    class LabelInUse(Exception):
        label: str
        path: str
        count: int

    row = refusal(
        409, "label-in-use", "In use", "Examples claim {label!r}.", field="{path}", remedy="Keep it."
    )
    document = row(LabelInUse("happy", "output[0].labels", 3)).document()
    assert document["detail"] == "Examples claim 'happy'."
    assert document["field"] == "output[0].labels"
    assert document["parameters"] == {"label": "happy"}


POSITIONS: dict[Callable[..., Any], list[list[Any]]] = {
    cursor_id: [["no id"], [5], [None], [f"{{{UUID(int=1)}}}"], [[str(UUID(int=1))]], [None, "x" * 16]],
    cursor_name: [[5], ["a\x00b"], ["a", "b"], [None], [{"name": "a"}]],
    cursor_number: [["5"], [-1], [2**40], [True], [1.5], [1, 2], []],
    cursor_moment: [
        ["yesterday"],
        [5],
        [True],
        ["2026-01-01"],
        ["2026-01-01T00:00:00"],
        ["0001-01-01T00:00+23:59"],
    ],
    cursor_moment_and_id: [["2026-01-01T00:00Z"], [str(UUID(int=1)), "2026-01-01T00:00Z"], [1, 2, 3]],
}


@pytest.mark.parametrize(
    ("kind", "position"), [(kind, position) for kind, found in POSITIONS.items() for position in found]
)
def test_a_cursor_of_another_list_is_refused(kind: Callable[..., Any], position: list[Any]) -> None:
    with pytest.raises(Problem, match="not one that this list gave"):
        page_start(encode_cursor(*position), kind)


def test_a_position_of_several_values_survives_its_cursor() -> None:
    rows = [(datetime(2026, 1, day, 12, 30, 0, 5, tzinfo=UTC), UUID(int=day)) for day in (1, 2, 3)]
    page, cursor = cut_page(rows, 2, lambda row: row)
    assert (page, page_start(cursor, cursor_moment_and_id)) == (rows[:2], rows[1])
    assert cut_page(rows, 3, lambda row: row) == (rows, None)


def test_a_moment_in_a_cursor_has_an_offset_that_postgresql_accepts() -> None:
    moment = page_start(encode_cursor("2026-01-01T00:00+23:59"), cursor_moment)
    assert moment is not None and moment.isoformat() == "2025-12-31T00:01:00+00:00"


def test_only_ids_and_moments_are_written_as_text() -> None:
    with pytest.raises(TypeError, match="no cursor holds Decimal"):
        encode_cursor(Decimal(5))


def test_pages_cut_by_their_cursors_give_the_whole_list() -> None:
    seen: list[int] = []
    cursor: str | None = None
    while True:
        start = page_start(cursor, cursor_number)
        rest = [number for number in range(7) if start is None or number > start]
        page, cursor = cut_page(rest[:4], 3, lambda number: number)
        seen += page
        if cursor is None:
            break
    assert seen == list(range(7))
