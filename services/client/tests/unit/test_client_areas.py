"""What the newer methods send, and what they make of the answers."""

from collections.abc import Callable
from typing import Any

import pytest
from dynabench_client import Dynabench, ProblemError, UnexpectedAnswerError
from dynabench_client.transport import Transport
from dynabench_tasks.values import Value

from services.client.tests.client_answers import (
    ANSWER,
    CHANGE,
    CHECKED,
    EXAMPLE,
    INSPECTION,
    LEASE,
    MATRIX,
    TASK,
    VOTE,
)
from services.client.tests.client_rows import Row, addresses, check
from services.client.tests.conftest import StubPlatform, Told

SPAN = {"start": 0, "end": 2, "text": "Po"}
INPUT: dict[str, Value] = {"question": "What flows?", "answer": SPAN}
CONTEXT = {"passage": "Po flows"}
TEXTS = {"target": "m", "context": CONTEXT, "input": INPUT}
ROWS: list[Row] = [
    (
        lambda c: c.annotation.create_example(
            "r1",
            "c1",
            INPUT,
            hint_shown=True,
            explanations={"label": "w"},
            metadata={"a": ["b"]},
            perturbation_of="e0",
        ),
        "POST /annotation/v1/rounds/r1/examples",
        EXAMPLE,
        {
            "context_id": "c1",
            "input": INPUT,
            "hint_shown": True,
            "explanations": {"label": "w"},
            "metadata": {"a": ["b"]},
            "perturbation_of": "e0",
        },
        lambda made: made.claimed == "negative" and made.answers[0].confidence == 0.91,
    ),
    (
        lambda c: c.annotation.set_metadata("e1", {"group": "none"}),
        "PUT /annotation/v1/examples/e1/metadata",
        EXAMPLE,
        {"metadata": {"group": "none"}},
        lambda made: made.example_id == "e1",
    ),
    (
        lambda c: c.annotation.decide("e1", ["a"]),
        "PUT /annotation/v1/examples/e1/decision",
        EXAMPLE,
        {"wrong_targets": ["a"]},
        lambda made: made.fooled and not made.undecided,
    ),
    (
        lambda c: c.annotation.inspect("e1", "m", "start", 40),
        "POST /annotation/v1/examples/e1/inspections",
        INSPECTION,
        {"target": "m", "label": "start", "n_steps": 40},
        lambda made: [token.field for token in made.tokens] == ["text", "text"],
    ),
    (
        lambda c: c.annotation.probe("r1", "c1", INPUT),
        "POST /annotation/v1/rounds/r1/probes",
        {"answers": [ANSWER]},
        {"context_id": "c1", "input": INPUT},
        lambda made: made.answers[0].value == "positive" and made.answers[0].wrong is None,
    ),
    (
        lambda c: c.annotation.similar("r1", "c1", INPUT),
        "POST /annotation/v1/rounds/r1/similar",
        {"own": [{"example_id": "e1", "text": "a", "similarity": 0.9}], "others": 3},
        {"context_id": "c1", "input": INPUT},
        lambda made: (made.own[0].similarity, made.others) == (0.9, 3),
    ),
    (
        lambda c: c.annotation.sandbox("qa", "m", CONTEXT, INPUT),
        "POST /annotation/v1/tasks/qa/sandbox",
        {"answers": [{"target": "m", "value": SPAN}]},
        TEXTS,
        lambda made: made.answers[0].value == SPAN,
    ),
    (
        lambda c: c.annotation.sandbox_inspect("qa", "m", CONTEXT, INPUT, n_steps=20),
        "POST /annotation/v1/tasks/qa/sandbox/inspections",
        INSPECTION,
        {**TEXTS, "n_steps": 20},
        lambda made: made.convergence_delta == 0.01,
    ),
    (
        lambda c: c.annotation.front_model(),
        "GET /annotation/v1/front-model",
        {"model": "m", "labels": ["a", "b"], "longest_text": 300},
        None,
        lambda made: (made.model, made.labels, made.longest_text) == ("m", ("a", "b"), 300),
    ),
    (
        lambda c: c.annotation.ask_front_model("Po flows.", "a", address="192.0.2.1"),
        "POST /annotation/v1/front-model/answers",
        {"model": "m", "label": "b", "probabilities": {"b": 0.8}, "fooled": True},
        {"text": "Po flows.", "claimed": "a"},
        lambda made: (made.label, made.fooled) == ("b", True),
    ),
    (
        lambda c: c.annotation.models("qa"),
        "GET /annotation/v1/tasks/qa/models",
        {"items": [{"name": "m", "labels": [], "ready": True, "in_the_loop": True}]},
        None,
        lambda made: made[0].in_the_loop,
    ),
    (
        lambda c: c.annotation.configuration_schema(),
        "GET /annotation/v1/task-configuration.schema.json",
        {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"},
        None,
        lambda made: made["type"] == "object",
    ),
    (
        lambda c: c.annotation.check_configuration("slug: a"),
        "POST /annotation/v1/configuration-checks",
        CHECKED,
        {"configuration": "slug: a"},
        lambda made: made.valid and made.configuration["slug"] == "sentiment",
    ),
    (
        lambda c: c.annotation.configure_task("sentiment", "slug: a"),
        "PUT /annotation/v1/tasks/sentiment/configuration",
        TASK,
        {"configuration": "slug: a"},
        lambda made: made.slug == "sentiment",
    ),
    (
        lambda c: c.annotation.configure_task("sentiment", "slug: a", dry_run=True),
        "PUT /annotation/v1/tasks/sentiment/configuration",
        {"configuration_version": 2, "changes": CHANGE["changes"]},
        {"configuration": "slug: a", "dry_run": True},
        lambda made: made.changes[0].before == "Feelings",
    ),
    (
        lambda c: c.annotation.versions("sentiment"),
        "GET /annotation/v1/tasks/sentiment/versions",
        {"items": [CHANGE], "next_cursor": None},
        None,
        lambda made: made.items[0].configuration_version == 2,
    ),
    (
        lambda c: c.annotation.version("sentiment", 2),
        "GET /annotation/v1/tasks/sentiment/versions/2",
        {"configuration_version": 2, "configuration": {"slug": "a"}, "yaml": "slug: a"},
        None,
        lambda made: made.yaml == "slug: a",
    ),
    (
        lambda c: c.annotation.start_image("vqa", "image/png", 67),
        "POST /annotation/v1/tasks/vqa/images",
        {
            "image_id": "i1",
            "upload": {"url": "http://s3/i1", "method": "PUT", "headers": {"Content-Type": "image/png"}},
        },
        {"media_type": "image/png", "bytes": 67},
        lambda made: (made.upload.method, made.upload.url) == ("PUT", "http://s3/i1"),
    ),
    (
        lambda c: c.annotation.complete_image("i1"),
        "POST /annotation/v1/images/i1/completion",
        {"image_id": "i1", "width": 4, "height": 3, "media_type": "image/png"},
        {},
        lambda made: (made.width, made.height) == (4, 3),
    ),
    (
        lambda c: c.validation.lease("r1"),
        "POST /validation/v1/rounds/r1/leases",
        {**LEASE, "answer_type": "span", "span_of": "passage", "metadata_fields": [{"name": "group"}]},
        {},
        lambda made: (made.span_of, made.metadata_fields[0]["name"]) == ("passage", "group"),
    ),
    (
        lambda c: c.validation.vote("l1", "label", value=SPAN, metadata={"group": "none"}),
        "POST /validation/v1/leases/l1/votes",
        {**VOTE, "reveal": {"claimed": SPAN}},
        {"kind": "label", "value": SPAN, "metadata": {"group": "none"}},
        lambda made: made.reveal.claimed == SPAN,
    ),
    (
        lambda c: c.validation.resolution("e1"),
        "GET /validation/v1/examples/e1",
        {"resolution": "correct", "agreed_option": "x", "golds": [SPAN, ["a", "b"], "c"]},
        None,
        lambda made: made.golds == (SPAN, ["a", "b"], "c"),
    ),
    (
        lambda c: c.leaderboard.matrix("r1"),
        "GET /leaderboard/v1/rounds/r1/matrix",
        MATRIX,
        None,
        lambda made: made.patterns[1].fooled == ("minilm-a",) and made.pairs[0].only_a == 3,
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=addresses(ROWS))
def test_a_method_sends_its_request_and_reads_its_answer(stub: StubPlatform, row: Row) -> None:
    check(stub, row)


def test_an_image_is_read_as_bytes(stub: StubPlatform, told: type[Told]) -> None:
    stub.tell("GET", "/annotation/v1/images/i1", told(b"\x89PNG", headers={"Content-Type": "image/png"}))
    image = Dynabench(stub.url).annotation.image("i1")
    assert (image.content, image.media_type) == (b"\x89PNG", "image/png")
    assert stub.requests[0].headers["accept"] == "image/*"


def test_a_schema_that_is_none_is_no_dynabenchs(stub: StubPlatform) -> None:
    stub.tell("GET", "/annotation/v1/task-configuration.schema.json", [])
    with pytest.raises(UnexpectedAnswerError):
        Dynabench(stub.url).annotation.configuration_schema()


def generated() -> Any:
    yield b'{"fields": {}}\n'


@pytest.mark.parametrize(
    ("content", "times"), [(b'{"fields": {}}\n', 2), ([b'{"fields": {}}', b"\n"], 2), (generated(), 1)]
)
def test_contexts_are_sent_again_only_if_something_is_left_to_send(
    stub: StubPlatform, tell_problem: Callable[..., Told], content: Any, times: int
) -> None:
    path = "/annotation/v1/rounds/r1/contexts/upload"
    stub.tell("POST", path, tell_problem(503, "busy", {"Retry-After": "1"}), {"added": 1})
    waits: list[float] = []
    area = Dynabench(stub.url, transport=Transport(sleep=waits.append)).annotation
    if times == 1:
        with pytest.raises(ProblemError, match="busy"):
            area.upload_contexts("r1", content)
    else:
        assert area.upload_contexts("r1", content).added == 1
    assert [request.data for request in stub.seen("POST", path)] == [b'{"fields": {}}\n'] * times


def test_a_stream_that_met_a_stale_token_is_not_sent_empty(
    stub: StubPlatform, tell_problem: Callable[..., Told]
) -> None:
    access = {"access_token": "a", "expires_in": 900, "person": {"person_id": "p1", "user_name": "ada"}}
    stub.tell("POST", "/accounts/v1/tokens/exchange", access)
    path = "/annotation/v1/rounds/r1/contexts/upload"
    stub.tell("POST", path, tell_problem(401, "token-expired"), {"added": 1})
    with pytest.raises(ProblemError):
        Dynabench(stub.url, token="dbt_x").annotation.upload_contexts("r1", generated())
    assert len(stub.seen("POST", path)) == 1
