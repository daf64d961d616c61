"""Entry point for TorchServe. It implements the handler contract; model.py answers single instances.

It reads the requests, and returns an error in the place of an instance that can't be answered. Change model.py; this
file can stay as it is.
"""

import json
import logging
from pathlib import Path
from typing import Any

from model import Model

MOST_INSTANCES = 256
LONGEST_TEXT = 20_000
log = logging.getLogger(__name__)


class Handler:
    """TorchServe calls `initialize` once for each worker, and `handle` for each batch of requests."""

    def initialize(self, context: Any) -> None:
        """Load the model from the folder of the unpacked archive."""
        folder = Path(context.system_properties["model_dir"])
        self.description = json.loads((folder / "dynabench.json").read_text(encoding="utf-8"))
        self.model = Model(folder, self.description)

    def handle(self, rows: list[dict[str, Any]], context: Any) -> list[str]:
        """Return a JSON text for each request."""
        return [self.answer(row, place, context) for place, row in enumerate(rows)]

    def answer(self, row: dict[str, Any], place: int, context: Any) -> str:
        """Return the answer to one request: 400 where it has no usable list of instances."""
        context.set_response_content_type(place, "application/json")
        instances = read_instances(row.get("body", row.get("data")))
        if instances is None:
            context.set_response_status(400, "Bad Request", place)
            detail = f'the body must be a JSON object with "instances", a list of 1 to {MOST_INSTANCES}'
            return json.dumps(error("invalid_request", detail))
        predictions = [self.prediction(instance) for instance in instances]
        return json.dumps({"predictions": predictions}, allow_nan=False)

    def prediction(self, instance: Any) -> dict[str, Any]:
        """Return the model's answer to one instance, or an error for this instance alone."""
        problem = find_problem(instance, self.description["fields"])
        if problem is not None:
            return problem
        try:
            answer: dict[str, Any] = self.model.predict(
                {name: instance[name] for name in self.description["fields"]}
            )
            return answer
        except Exception:
            log.exception("prediction_failed")
            return error("prediction_failed", "the model could not answer this instance")


def read_instances(body: Any) -> "list[Any] | None":
    """Return the instances of a request, None where it has no usable list; the body is JSON, bytes or missing."""
    if isinstance(body, (bytes, bytearray, str)):
        try:
            body = json.loads(body)
        except ValueError:
            return None
    instances = body.get("instances") if isinstance(body, dict) else None
    return instances if isinstance(instances, list) and 1 <= len(instances) <= MOST_INSTANCES else None


def find_problem(instance: Any, fields: list[str]) -> "dict[str, Any] | None":
    """Return the error of an instance that can't be answered, None if it can."""
    for name in fields:
        text = instance.get(name) if isinstance(instance, dict) else None
        if not isinstance(text, str):
            return error("invalid_instance", f'an instance must be a JSON object with a string "{name}"')
        if not text.strip():
            return error("empty_text", f'"{name}" is blank')
        if len(text) > LONGEST_TEXT:
            return error("text_too_long", f'"{name}" has {len(text)} characters; at most {LONGEST_TEXT}')
    return None


def error(kind: str, detail: str) -> dict[str, Any]:
    """Return an error in the form of an answer."""
    return {"error": {"type": kind, "detail": detail}}
