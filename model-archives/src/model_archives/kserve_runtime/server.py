"""KServe's model server around loaded archives: on one address of this machine, with a key and a size limit."""

import asyncio
import hmac
import json
import logging
import os
import secrets
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from uuid import uuid4

import kserve.model_server
from kserve import InferInput, InferOutput, InferRequest, InferResponse, Model, ModelServer
from kserve.errors import InvalidInput
from kserve.protocol.rest.server import RESTServer

from model_archives.kserve_runtime.archives import OK, LoadedModel, load
from model_archives.kserve_runtime.tensors import UnreadableTensors, body_of, output_name, values_of

MAX_BODY_BYTES = 1_048_576
CHATTY_LOGS = ("kserve.trace", "uvicorn.access")
"""Loggers that write lines for each request; the gateway writes one already."""
OPEN_PATHS = ("/v2/health/live", "/v2/health/ready")
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class ArchiveModel(Model):  # type: ignore[misc]
    """An archive under a name, with a thread of its own: requests of one model are handled one by one."""

    def __init__(self, name: str, folder: Path) -> None:
        super().__init__(name)
        self._folder = folder
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._loaded: LoadedModel

    def load(self) -> bool:
        """Load the handler in the thread that will run it. Raises the handler's errors, and UnfitArchive."""
        self._loaded = self._thread.submit(load, self.name, self._folder).result()
        self.ready = True
        return True

    def get_input_types(self) -> list[dict[str, Any]]:
        """Return the tensors that the model takes."""
        return [
            {"name": name, "datatype": "BYTES", "shape": [-1]} for name in self._loaded.description["fields"]
        ]

    def get_output_types(self) -> list[dict[str, Any]]:
        """Return the one tensor that it answers."""
        return [{"name": output_name(self.name), "datatype": "BYTES", "shape": [-1]}]

    async def predict(self, payload: InferRequest, *_headers: Mapping[str, str] | None) -> InferResponse:
        """Answer a request. Raises InvalidInput, which is status 400."""
        if not isinstance(payload, InferRequest):
            raise InvalidInput("only the Open Inference Protocol is spoken here")
        try:
            tensors = {each.name: _values(each) for each in payload.inputs}
            parameters = payload.parameters or {}
            body = body_of(tensors, parameters, self._loaded.description["fields"], self.name)
        except UnreadableTensors as err:
            raise InvalidInput(str(err)) from err
        loop = asyncio.get_running_loop()
        status, answer = await loop.run_in_executor(self._thread, self._loaded.handle, body)
        if status != OK:
            raise InvalidInput(answer["error"]["detail"])
        values = values_of(answer, self.name)
        return InferResponse(
            response_id=payload.id or uuid4().hex,
            model_name=self.name,
            infer_outputs=[InferOutput(output_name(self.name), [len(values)], "BYTES", values)],
            parameters={name: answer[name] for name in ("model_digest", "handler_digest")},
        )


class AccessCheck:
    """Admits requests with the key and a body of known, limited length; health is open."""

    def __init__(self, app: Callable[[Scope, Receive, Send], Awaitable[None]], key: str) -> None:
        self._app = app
        self._wanted = f"Bearer {key}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 401 or 413, or let the request pass."""
        if scope["type"] != "http" or scope["path"] in OPEN_PATHS:
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        length = headers.get(b"content-length", b"0")
        if not hmac.compare_digest(headers.get(b"authorization", b""), self._wanted):
            await _refuse(send, 401, "the key is missing or wrong")
        elif b"transfer-encoding" in headers or not length.isdigit() or int(length) > MAX_BODY_BYTES:
            await _refuse(send, 413, f"the body must have a length, of at most {MAX_BODY_BYTES} bytes")
        else:
            await self._app(scope, receive, send)


def serve(models: Mapping[str, Path], host: str, port: int, key_file: Path) -> None:
    """Serve unpacked archives by name until a stop signal.

    The key of callers is in `key_file`, generated before the port opens. Raises UnfitArchive.
    """
    loaded = [ArchiveModel(name, folder) for name, folder in models.items()]
    for each in loaded:
        each.load()
    server = ModelServer(http_port=port, enable_grpc=False, enable_latency_logging=False)
    for name in CHATTY_LOGS:
        logging.getLogger(name).setLevel(logging.WARNING)
    for each in loaded:
        server.register_model(each)
    kserve.model_server.app.add_middleware(AccessCheck, key=_new_key(key_file))
    rest = RESTServer(
        kserve.model_server.FASTAPI_APP_IMPORT_STRING,
        server.dataplane,
        server.model_repository_extension,
        port,
        grace_period=10,
    )
    rest.config.host = host
    rest.run()


def _values(tensor: InferInput) -> list[Any]:
    """Return the values of a tensor of shape [n] or [n, 1]."""
    values: list[Any] = tensor.as_numpy().reshape(-1).tolist()
    if len(values) != (tensor.shape or [0])[0]:
        raise UnreadableTensors(f"{tensor.name} must have the shape [n] or [n, 1]")
    return [value.decode() if isinstance(value, bytes) else value for value in values]


def _new_key(path: Path) -> str:
    key = secrets.token_urlsafe(24)
    partial = path.with_name(f".{path.name}.partial")
    partial.unlink(missing_ok=True)
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        json.dump({"inference": {"key": key}}, file)
    partial.replace(path)
    return key


async def _refuse(send: Send, status: int, reason: str) -> None:
    body = json.dumps({"error": reason}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if status == 413:
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
