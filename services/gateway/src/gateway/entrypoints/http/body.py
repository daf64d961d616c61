"""JSON in and out, also compressed. A request's content type is ignored: KServe clients often name none."""

import json
import zlib
from typing import NoReturn

from dynabench_tasks.strict_json import NumberTooLarge, read_json
from flask import request

from gateway.domain.answers import BatchAnswer
from gateway.domain.errors import RequestRefused
from gateway.domain.requests import printable

MAX_BODY_BYTES = 256_000
COMPRESSIONS = frozenset({"gzip", "deflate"})
JSON_LENGTH = "Inference-Header-Content-Length"
"""Header with the length of the JSON in bytes if values follow it in binary form."""
INSTANCES = 'Send {"instances": [...]} with the fields that GET /api/gateway/v1/models/{name} lists.'
TENSORS = 'Send {"inputs": [...]} with the tensors that GET /api/gateway/v2/models/{name} lists.'


def decoded_body() -> object:
    """Return the request's decoded body. Raises RequestRefused for an empty or broken one."""
    return decode(_content())


def decoded_tensors() -> tuple[object, bytes]:
    """Return the request's decoded JSON, and the bytes that follow it. Raises RequestRefused."""
    data = _content()
    length = request.headers.get(JSON_LENGTH)
    if length is None:
        return decode(data, TENSORS), b""
    if not (length.isascii() and length.isdigit() and len(length) < 10 and int(length) <= len(data)):
        reason = f"it must be the number of bytes of the JSON, at most {len(data)}"
        raise RequestRefused("length-invalid", JSON_LENGTH, reason, "Leave the header out.", status=400)
    return decode(data[: int(length)], TENSORS), data[int(length) :]


def _content() -> bytes:
    """Return the body without its compression, and unpack no more than a body's limit."""
    data, encoding = request.get_data(cache=True), request.headers.get("Content-Encoding", "identity").lower()
    if encoding == "identity":
        return data
    if encoding not in COMPRESSIONS:
        reason, remedy = f"{printable(encoding)} is not taken", "Send gzip, deflate, or no compression."
        raise RequestRefused("encoding-unknown", "Content-Encoding", reason, remedy, status=415)
    unpacking = zlib.decompressobj(zlib.MAX_WBITS | 32)
    try:
        found = unpacking.decompress(data, MAX_BODY_BYTES + 1)
    except zlib.error:
        _refuse("body-not-packed", f"it is no {encoding}", "Pack it again, or send it as it is.")
    if len(found) > MAX_BODY_BYTES:
        reason = f"it unpacks to more than {MAX_BODY_BYTES:,} bytes"
        raise RequestRefused("body-too-large", "body", reason, "Send fewer texts at once.", status=413)
    if not unpacking.eof or unpacking.unused_data:
        _refuse("body-not-packed", f"it is no whole {encoding}", "Pack it again, or send it as it is.")
    return found


def decode(data: bytes, wanted: str = INSTANCES) -> object:
    """Return the decoded JSON; `wanted` is the remedy in the refusal of an empty body. Raises RequestRefused."""
    if not data:
        _refuse("body-empty", "it is empty", wanted)
    try:
        return read_json(data.decode("utf-8"))
    except UnicodeDecodeError as err:
        _refuse("body-not-utf8", f"it is not valid UTF-8 at byte {err.start}", "Send JSON encoded as UTF-8.")
    except NumberTooLarge as err:
        raise RequestRefused(
            "number-too-large", printable(err.field), str(err), "Send a smaller number."
        ) from err
    except ValueError as err:
        _refuse("body-not-json", f"it is not valid JSON: {err}", "Send one JSON object.")


def encode(member: str, answer: BatchAnswer) -> bytes:
    """Return an answer's JSON; NaN and Infinity are refused, never sent."""
    digests = {"model_digest": answer.model_digest, "handler_digest": answer.handler_digest}
    return json.dumps({member: answer.entries, **digests}, allow_nan=False).encode()


def _refuse(slug: str, reason: str, remedy: str) -> NoReturn:
    raise RequestRefused(slug, "body", reason, remedy, status=400)
