"""The Open Inference Protocol (KServe V2) over REST: health, metadata, readiness, infer.

The protocol has no word for explanations: those of NAME are inference on NAME-explain. A client's base address is
`/api/gateway`, for this protocol as for KServe V1.
"""

import json
from dataclasses import dataclass
from importlib.metadata import version

from dynabench_api.inference import (
    InferAnswer,
    ModelMetadata,
    ModelReady,
    ServerLive,
    ServerMetadata,
    ServerReady,
)
from dynabench_common.auth.permissions import Permission, requires
from dynabench_common.http.service import json_response
from flask import Response
from flask_openapi import APIBlueprint

from gateway.domain.errors import UnknownVersion
from gateway.domain.outputs import Entry, chosen_outputs, metadata_of, outputs_of
from gateway.domain.quota import tokens_of
from gateway.domain.routes import READY, Route
from gateway.domain.tensors import InferRequest, read_infer_request
from gateway.entrypoints.http.asking import (
    call_of_request,
    count_answers,
    dependencies,
    find_accepted,
    find_model,
    log_with,
    take_tokens,
)
from gateway.entrypoints.http.body import decoded_tensors
from gateway.entrypoints.http.inference_schemas import INFER_BODY, TensorModelPath, TensorVersionPath
from gateway.service_layer.outages import not_ready

EXPLAINS = "-explain"
blueprint = APIBlueprint("inference", __name__, url_prefix="/api/gateway")


@dataclass(frozen=True)
class Asked:
    """A model by its name in this protocol, for predictions or for explanations."""

    name: str
    route: Route
    explains: bool


@blueprint.get("/v2", responses={200: ServerMetadata})
@requires(Permission.READ_PUBLIC)
def read_server() -> Response:
    """Return the server's metadata."""
    return json_response(
        ServerMetadata(name="dynabench-gateway", version=version("dynabench-gateway"), extensions=[])
    )


@blueprint.get("/v2/health/live", responses={200: ServerLive})
@requires(Permission.READ_PUBLIC)
def read_live() -> Response:
    """Return 200 while the gateway runs."""
    return json_response(ServerLive(live=True))


@blueprint.get("/v2/health/ready", responses={200: ServerReady})
@requires(Permission.READ_PUBLIC)
def read_ready() -> Response:
    """Return 200 if the gateway knows its models, else 503."""
    dependencies().routes.ensure_loaded()
    return json_response(ServerReady(ready=True))


@blueprint.get("/v2/models/<string:name>", responses={200: ModelMetadata})
@requires(Permission.READ_MODELS)
def read_metadata(path: TensorModelPath) -> Response:
    """Return a model's input and output tensors."""
    return _metadata(_find(path.name))


@blueprint.get("/v2/models/<string:name>/versions/<string:version>", responses={200: ModelMetadata})
@requires(Permission.READ_MODELS)
def read_version_metadata(path: TensorVersionPath) -> Response:
    """Return the input and output tensors of a model's version."""
    return _metadata(_find(path.name, path.version))


@blueprint.get("/v2/models/<string:name>/ready", responses={200: ModelReady})
@requires(Permission.READ_MODELS)
def read_model_ready(path: TensorModelPath) -> Response:
    """Return 200 if a model's workers run, else 503. The request starts no workers."""
    return _readiness(_find(path.name))


@blueprint.get("/v2/models/<string:name>/versions/<string:version>/ready", responses={200: ModelReady})
@requires(Permission.READ_MODELS)
def read_version_ready(path: TensorVersionPath) -> Response:
    """Return 200 if the workers of a model's version run, else 503."""
    return _readiness(_find(path.name, path.version))


@blueprint.post("/v2/models/<string:name>/infer", request_body=INFER_BODY, responses={200: InferAnswer})
@requires(Permission.USE_MODELS)
def infer(path: TensorModelPath) -> Response:
    """Answer each instance. Inputs are BYTES tensors of shape [n] or [n, 1], one for each field of the model.

    Workers of some models start on demand. With `Prefer: wait=30` the request waits for them instead of failing with
    503.
    """
    return _infer(_find(path.name))


@blueprint.post(
    "/v2/models/<string:name>/versions/<string:version>/infer",
    request_body=INFER_BODY,
    responses={200: InferAnswer},
)
@requires(Permission.USE_MODELS)
def infer_version(path: TensorVersionPath) -> Response:
    """Answer each instance with a version of a model."""
    return _infer(_find(path.name, path.version))


def _find(name: str, wanted: str | None = None) -> Asked:
    """Return a model that is visible to the caller. Raises UnknownModel, UnknownVersion, NotExplainable."""
    explains = name.endswith(EXPLAINS) and not dependencies().routes.knows(name)
    route = find_model(name.removesuffix(EXPLAINS) if explains else name)
    if wanted not in (None, route.version):
        raise UnknownVersion(name, str(wanted), route.version)
    if explains:
        _ = route.explainer
    return Asked(name, route, explains)


def _metadata(asked: Asked) -> Response:
    return json_response(metadata_of(asked.route, asked.name, explains=asked.explains))


def _readiness(asked: Asked) -> Response:
    state = asked.route.explainer.state if asked.explains else asked.route.state
    if state != READY:
        raise not_ready(asked.name, state)
    return json_response(ModelReady(name=asked.name, ready=True))


def _infer(asked: Asked) -> Response:
    find_accepted(asked.route.name)
    body, tail = decoded_tensors()
    names = [output.name for output in outputs_of(asked.route, explains=asked.explains)]
    wanted = read_infer_request(body, tail, asked.route, names, explains=asked.explains)
    instances = {"instances": wanted.instances}
    log_with(asked.route, instances)
    if not asked.explains:
        take_tokens(tokens_of(instances, explains=False))
        entries = dependencies().predictions.predict(asked.route, instances, call_of_request()).entries
        count_answers(asked.route, sum("error" not in entry for entry in entries))
        return _answer(asked, wanted, entries)
    explaining = {**instances, "parameters": wanted.parameters}
    take_tokens(tokens_of(explaining, explains=True))
    explained = dependencies().explanations.explain(asked.route, explaining, call_of_request())
    count_answers(asked.route, len(explained.entries))
    answer = _answer(asked, wanted, [json.loads(entry) for entry in explained.entries])
    answer.headers["X-Cache"] = "hit" if explained.cached else "miss"
    return answer


def _answer(asked: Asked, wanted: InferRequest, entries: list[Entry]) -> Response:
    route = asked.route
    outputs = chosen_outputs(outputs_of(route, explains=asked.explains), wanted.outputs, entries)
    answer = {
        "model_name": asked.name,
        "model_version": route.version,
        "outputs": [output.tensor(entries) for output in outputs],
        "parameters": {"model_digest": route.model_digest, "handler_digest": route.handler_digest},
    }
    return json_response(answer if wanted.request_id is None else {"id": wanted.request_id, **answer})
