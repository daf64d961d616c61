"""An example as JSON: the one mapping that replies, reads and stored idempotent replies share."""

from datetime import datetime
from typing import Any
from uuid import UUID

from dynabench_api.annotation import ExampleAnswer

from annotation.domain.example import Example
from annotation.domain.identifiers import NOBODY
from annotation.domain.verdict import Answer, MissingAnswer, UnaskedAnswer


def example_document(example: Example) -> dict[str, Any]:
    """Return the fields of the public record, with ids as text and times in RFC 3339, UTC."""
    attempt = example.attempt
    values = {
        **vars(attempt),
        **vars(example),
        "assigned_label": attempt.assigned_label or None,
        "duplicate_overruled_at": example.overruled_at,
        "answers": [answer_document(answer) for answer in example.answers],
        "attempt": attempt.number,
        "author_id": None if attempt.author_id == NOBODY else attempt.author_id,
        "source_id": None if example.provenance is None else example.provenance.source_id,
        "explanations": vars(example.explanations),
    }
    return {name: _plain(values[name]) for name in ExampleAnswer.model_fields}


def answer_document(answer: Answer) -> dict[str, Any]:
    """Return a target's answer, or why there is none."""
    if isinstance(answer, UnaskedAnswer):
        return {"target": answer.target, "not_asked": True}
    if isinstance(answer, MissingAnswer):
        return {"target": answer.target, "missing": answer.reason}
    return {**vars(answer), "probabilities": dict(answer.probabilities)}


def _plain(value: Any) -> Any:
    if isinstance(value, UUID):
        return str(value)
    return value.isoformat() if isinstance(value, datetime) else value
