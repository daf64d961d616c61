"""The service on a real database, with a fake of the gateway that answers over real HTTP as a test says."""

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
import yaml
from annotation.adapters.object_store import S3ObjectStore
from annotation.bootstrap import build_dependencies
from annotation.entrypoints.http.app import create_app
from annotation.service_layer.dependencies import Dependencies
from annotation.settings import AnnotationSettings
from dynabench_common.http.contracts import checked_against_contract
from dynabench_common.testing import SERVICE_TOKEN_DIGESTS, FixedClock, Issuer, service_headers, service_token
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from conftest import Infrastructure

LABELS = ["negative", "neutral", "positive"]
CONFIGURATION = (Path(__file__).parents[1] / "sentiment.yaml").read_text()


@dataclass
class Target:
    """Answers of the fake gateway for one target."""

    label: str = "positive"
    labels: Sequence[str] = tuple(LABELS)
    task_type: str = "text-classification"
    fields: Sequence[str] = ("text",)
    answer: dict[str, Any] | None = None
    ready: bool = True
    model_digest: str = "sha256:model-1"
    handler_digest: str = "sha256:handler-1"
    published: bool = True
    submitted_by: str | None = None
    status: int = 200
    retry_after: int | None = None
    item_error: str | None = None
    wait_for: threading.Event | None = None
    before_answer: Callable[[], object] | None = None
    instances: list[dict[str, Any]] = field(default_factory=list)


class GatewayTwin(ThreadingHTTPServer):
    """Serves KServe V1 for the targets that a test names."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.targets: dict[str, Target] = {}

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that stopped waiting are part of the tests."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: GatewayTwin

    def log_message(self, *_args: Any) -> None:
        pass

    def do_GET(self) -> None:
        name = self.path.rsplit("/", 1)[-1]
        if name == "model-statuses":
            told = [_described(*each) for each in sorted(self.server.targets.items())]
            return self._send(200, {"models": told})
        target = self.server.targets.get(name)
        if target is None or target.status >= 400:
            return self._send(404 if target is None else target.status, {"detail": "no"}, target)
        return self._send(200, _described(name, target))

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert self.headers["Authorization"] == service_headers("annotation")["Authorization"]
        name, verb = self.path.rsplit("/", 1)[-1].split(":")
        target = self.server.targets.get(name)
        if target is None:
            return self._send(404, {"detail": "no such model"})
        target.instances += body["instances"]
        if target.before_answer is not None:
            target.before_answer()
        if target.wait_for is not None:
            target.wait_for.wait(20)
        if target.status >= 400:
            return self._send(target.status, {"detail": "the twin was told to fail"}, target)
        digests = {"model_digest": target.model_digest, "handler_digest": target.handler_digest}
        if verb == "explain":
            explanation = {
                "label": body["instances"][0].get("label", target.label),
                "probability": 0.9,
                "tokens": [{"field": "text", "text": "great", "start": 0, "end": 5, "weight": 0.7}],
                "convergence_delta": 0.01,
                "difference": 0.8,
                "n_steps": body["parameters"].get("n_steps", 20),
                "method": "layer_integrated_gradients",
                "baseline": "pad",
            }
            return self._send(200, {"explanations": [explanation], **digests})
        prediction: dict[str, Any] = target.answer or {
            "label": target.label,
            "probabilities": {target.label: 0.9},
        }
        if target.item_error is not None:
            prediction = {"error": target.item_error}
        return self._send(200, {"predictions": [prediction], **digests})

    def _send(self, status: int, body: object, target: Target | None = None) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        if target is not None and target.retry_after is not None:
            self.send_header("Retry-After", str(target.retry_after))
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _described(name: str, target: Target) -> dict[str, Any]:
    return {
        "name": name,
        "ready": target.ready,
        "task": "sentiment",
        "task_type": target.task_type,
        "fields": list(target.fields),
        "labels": list(target.labels),
        "model_digest": target.model_digest,
        "handler_digest": target.handler_digest,
        "published": target.published,
        "submitted_by": target.submitted_by,
    }


@dataclass
class Platform:
    """Hands and eyes of a test: the app, people who call it, and what stands in the database."""

    app: Flask
    dependencies: Dependencies
    gateway: GatewayTwin
    clock: FixedClock
    issuer: Issuer
    slug: str
    configuration: str
    context: Callable[[int], dict[str, Any]] = lambda n: {"prompt": f"Prompt {n}."}

    def call(
        self,
        method: str,
        path: str,
        body: object | None = None,
        *,
        person: UUID | None = None,
        roles: Sequence[str] = ("annotator",),
        headers: dict[str, str] | None = None,
        **more: Any,
    ) -> TestResponse:
        client: FlaskClient = self.app.test_client()
        signed = {} if person is None else self.issuer.headers(person, roles)
        sent: dict[str, Any] = {"json": body} if body is not None else {}
        return client.open(
            f"/api/annotation/v1{path}", method=method, headers={**signed, **(headers or {})}, **sent, **more
        )

    def owner(self, method: str, path: str, body: object | None = None) -> Any:
        """Call as the task's owner and return the answer, which must be a success."""
        response = self.call(method, path, body, person=OWNER, roles=[f"owner:{self.slug}", "annotator"])
        assert response.status_code < 300, response.get_data(as_text=True)
        return response.get_json()

    def draft(self, targets: Sequence[str] = ("alpha",), contexts: int = 3) -> str:
        """Return the id of a drafted round with contexts."""
        round_id: str = self.owner("POST", f"/tasks/{self.slug}/rounds", {"targets": list(targets)})[
            "round_id"
        ]
        if contexts:
            bodies = [{"fields": self.context(n), "tags": ["test"]} for n in range(contexts)]
            self.owner("POST", f"/rounds/{round_id}/contexts", {"contexts": bodies})
        return round_id

    def open_round(self, targets: Sequence[str] = ("alpha",), contexts: int = 3) -> str:
        """Return the id of an open round with contexts."""
        round_id = self.draft(targets, contexts)
        self.set_state(round_id, "open")
        return round_id

    def set_state(self, round_id: str, state: str) -> None:
        self.owner("PUT", f"/rounds/{round_id}/state", {"state": state})

    def assign(self, round_id: str, person: UUID, not_context_id: str | None = None) -> Any:
        body = {} if not_context_id is None else {"not_context_id": not_context_id}
        response = self.call("POST", f"/rounds/{round_id}/assignments", body, person=person)
        assert response.status_code == 200, response.get_data(as_text=True)
        return response.get_json()

    def try_(
        self,
        round_id: str,
        person: UUID,
        context_id: str | None = None,
        text: str = "What a lovely queue.",
        label: str = "negative",
        key: str | None = None,
        **more: Any,
    ) -> TestResponse:
        """Submit a text, on the person's current context unless another is named."""
        context_id = context_id or self.assign(round_id, person)["context"]["context_id"]
        body = {"context_id": context_id, "input": {"text": text, "label": label}, **more}
        headers = {} if key is None else {"Idempotency-Key": key}
        return self.call("POST", f"/rounds/{round_id}/examples", body, person=person, headers=headers)

    def example(self, round_id: str, person: UUID, **more: Any) -> Any:
        """Return a stored try."""
        response = self.try_(round_id, person, **more)
        assert response.status_code == 201, response.get_data(as_text=True)
        return response.get_json()

    def start_import(
        self, targets: Sequence[str] = ("alpha",), origin: str = "imported", source: str = "collection.jsonl"
    ) -> str:
        """Return the id of the round that takes in a collection."""
        body = {"targets": list(targets), "origin": origin}
        started = self.owner("PUT", f"/tasks/{self.slug}/imports/{source}", body)
        return str(started["round_id"])

    def send_lines(
        self, path: str, lines: bytes | Sequence[object], roles: Sequence[str] = (), **query: Any
    ) -> TestResponse:
        """Send JSON lines, as the task's owner unless other roles are named."""
        data = (
            lines
            if isinstance(lines, bytes)
            else b"".join(json.dumps(line).encode() + b"\n" for line in lines)
        )
        return self.call(
            "POST",
            path,
            person=OWNER,
            roles=roles or [f"owner:{self.slug}"],
            data=data,
            content_type="application/x-ndjson",
            query_string=query,
        )

    def counts(self, round_id: str) -> Any:
        return self.call("GET", f"/rounds/{round_id}/counts").get_json()

    def at_once(self, *calls: Callable[[], Any]) -> list[Any]:
        """Make calls from as many threads, started together."""
        barrier = threading.Barrier(len(calls))

        def start(call: Callable[[], Any]) -> Any:
            barrier.wait(10)
            return call()

        with ThreadPoolExecutor(len(calls)) as threads:
            return list(threads.map(start, calls))


OWNER = UUID("0195c1f0-0000-7000-8000-00000000000a")


@pytest.fixture(scope="session")
def annotation_database(infrastructure: Infrastructure) -> str:
    return infrastructure.create_migrated_database("annotation").url


@pytest.fixture(scope="session")
def gateway_twin() -> Iterator[GatewayTwin]:
    twin = GatewayTwin()
    thread = threading.Thread(target=twin.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield twin
    twin.shutdown()
    twin.server_close()


@pytest.fixture(scope="session")
def annotation_issuer() -> Issuer:
    return Issuer()


@pytest.fixture(scope="session")
def annotation_settings(
    annotation_database: str, gateway_twin: GatewayTwin, infrastructure: Infrastructure
) -> AnnotationSettings:
    return AnnotationSettings(
        database_url=annotation_database,
        service_token=service_token("annotation"),
        service_token_digests=SERVICE_TOKEN_DIGESTS,
        jwks_url="http://127.0.0.1:1/unused",
        kafka_bootstrap_servers=infrastructure.kafka_bootstrap_servers,
        kafka_topic_prefix=f"annotation-{uuid4().hex[:8]}.",
        gateway_url=gateway_twin.url,
        prediction_deadline_seconds=5.0,
        s3_endpoint_url=infrastructure.s3_endpoint_url,
        s3_bucket=infrastructure.s3_bucket,
        s3_key_prefix=f"annotation-{uuid4().hex[:8]}/",
        aws_access_key_id=infrastructure.s3_access_key,
        aws_secret_access_key=infrastructure.s3_secret_key,
    )


@pytest.fixture(scope="session")
def annotation_clock() -> FixedClock:
    return FixedClock()


@pytest.fixture(scope="session")
def annotation_dependencies(
    annotation_settings: AnnotationSettings, annotation_issuer: Issuer, annotation_clock: FixedClock
) -> Iterator[Dependencies]:
    needed = build_dependencies(
        annotation_settings, clock=annotation_clock, verifier=annotation_issuer.verifier()
    )
    yield needed
    needed.prediction_threads.shutdown(cancel_futures=True)
    needed.engine.dispose()


@pytest.fixture(scope="session")
def annotation_app(annotation_dependencies: Dependencies) -> Flask:
    return checked_against_contract(create_app(annotation_dependencies))


MakePlatform = Callable[..., Platform]


@pytest.fixture
def make_platform(
    annotation_app: Flask,
    annotation_dependencies: Dependencies,
    gateway_twin: GatewayTwin,
    annotation_clock: FixedClock,
    annotation_issuer: Issuer,
) -> MakePlatform:
    """A maker of tasks under slugs of their own: the sentiment task, with other values of its keys.

    Targets are `alpha` and `beta`, of their own model each.
    """

    def make(**changes: Any) -> Platform:
        slug = f"sentiment-{uuid4().hex[:10]}"
        configuration = CONFIGURATION.replace("slug: sentiment\n", f"slug: {slug}\n")
        if changes:
            document = {**yaml.safe_load(configuration), **changes}
            kept = {key: value for key, value in document.items() if value is not None}
            configuration = yaml.safe_dump(json.loads(json.dumps(kept)))
        gateway_twin.targets = {"alpha": Target(), "beta": Target(model_digest="sha256:model-b")}
        made = Platform(
            annotation_app,
            annotation_dependencies,
            gateway_twin,
            annotation_clock,
            annotation_issuer,
            slug,
            configuration,
        )
        made.owner("POST", "/tasks", {"configuration": configuration})
        return made

    return make


@pytest.fixture
def platform(make_platform: MakePlatform) -> Platform:
    """The sentiment task."""
    return make_platform()


@pytest.fixture
def objects(annotation_settings: AnnotationSettings) -> S3ObjectStore:
    return S3ObjectStore(annotation_settings)
