"""JSON in and out. A request's is read whatever its content type: KServe clients and curl often name none."""

import json
from typing import NoReturn

from flask import request

from gateway.domain.errors import RequestRefused
from gateway.service_layer.ports import BatchAnswer

MAX_BODY_BYTES = 256_000


def decoded_body() -> object:
    """Return the request's decoded body. Raises RequestRefused for an empty or broken one."""
    return decode(request.get_data(cache=True))


def decode(data: bytes) -> object:
    """Return what the JSON says. Raises RequestRefused."""
    if not data:
        remedy = 'Send {"instances": [...]} with the fields that GET /api/gateway/v1/models/{name} lists.'
        _refuse("body-empty", "it is empty", remedy)
    try:
        return json.loads(data.decode("utf-8"), parse_constant=_refuse_constant)
    except UnicodeDecodeError as err:
        _refuse("body-not-utf8", f"it is not valid UTF-8 at byte {err.start}", "Send JSON encoded as UTF-8.")
    except RecursionError:
        _refuse("body-not-json", "it is nested too deep", "Send one flat JSON object.")
    except ValueError as err:
        _refuse("body-not-json", f"it is not valid JSON: {err}", "Send one JSON object.")


def encode(member: str, answer: BatchAnswer) -> bytes:
    """Return an answer's JSON; NaN and Infinity are refused, never sent."""
    digests = {"model_digest": answer.model_digest, "handler_digest": answer.handler_digest}
    return json.dumps({member: answer.entries, **digests}, allow_nan=False).encode()


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _refuse(slug: str, reason: str, remedy: str) -> NoReturn:
    raise RequestRefused(slug, "body", reason, remedy, status=400)
