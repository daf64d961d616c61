"""An example as JSON: the one mapping that replies, reads and stored idempotent replies share."""

from typing import Any

from annotation.domain.example import Example
from annotation.domain.identifiers import NOBODY
from annotation.domain.verdict import Answer, MissingAnswer, UnaskedAnswer


def example_document(example: Example) -> dict[str, Any]:
    """Return the example with ids as text and times in RFC 3339, UTC."""
    attempt = example.attempt
    retracted_at, overruled_at = example.retracted_at, example.overruled_at
    return {
        "example_id": str(example.example_id),
        "round_id": str(attempt.round_id),
        "task_slug": attempt.task_slug,
        "segment_id": None if example.segment_id is None else str(example.segment_id),
        "configuration_version": attempt.configuration_version,
        "context_id": str(attempt.context_id),
        "context": dict(attempt.context),
        "input": dict(attempt.input),
        "claimed": attempt.claimed,
        "assigned_label": attempt.assigned_label or None,
        "perturbation_of": None if attempt.perturbation_of is None else str(attempt.perturbation_of),
        "duplicate_of": None if example.duplicate_of is None else str(example.duplicate_of),
        "duplicate_overruled_at": None if overruled_at is None else overruled_at.isoformat(),
        "metadata": dict(example.metadata),
        "answers": [answer_document(answer) for answer in example.answers],
        "verdict": example.verdict.value,
        "attempt": attempt.number,
        "seconds_since_context": attempt.seconds_since_context,
        "probes_before": attempt.probes_before,
        "inspections_before": attempt.inspections_before,
        "hint_shown": attempt.hint_shown,
        "condition": attempt.condition,
        "cohort": attempt.cohort,
        "author_id": None if attempt.author_id == NOBODY else str(attempt.author_id),
        "created_at": example.created_at.isoformat(),
        "milliseconds": example.milliseconds,
        "retracted_at": None if retracted_at is None else retracted_at.isoformat(),
        "source_id": None if example.provenance is None else example.provenance.source_id,
        "explanations": {"label": example.explanations.label, "model": example.explanations.model},
    }


def answer_document(answer: Answer) -> dict[str, Any]:
    """Return a target's answer, or why there is none."""
    if isinstance(answer, UnaskedAnswer):
        return {"target": answer.target, "not_asked": True}
    if isinstance(answer, MissingAnswer):
        return {"target": answer.target, "missing": answer.reason}
    return {
        "target": answer.target,
        "value": answer.value,
        "confidence": answer.confidence,
        "probabilities": dict(answer.probabilities),
        "wrong": answer.wrong,
        "model_digest": answer.model_digest,
        "handler_digest": answer.handler_digest,
        "milliseconds": answer.milliseconds,
    }
