"""The event of a new example: its values as texts, limited to what the event names."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from dynabench_events import example as published
from dynabench_events.example import ExampleCreated, ImportedVote
from dynabench_tasks.values import Value, to_text

from annotation.domain.identifiers import NOBODY
from annotation.domain.verdict import Answer, MissingAnswer, UnaskedAnswer

NOT_ASKED = "not asked"
if TYPE_CHECKING:
    from annotation.domain.example import Example


def created(example: "Example", votes: tuple[ImportedVote, ...]) -> ExampleCreated:
    """Return the event of an example with the votes that came with it."""
    attempt = example.attempt
    return ExampleCreated(
        example_id=example.example_id,
        task_id=attempt.task_id,
        task_slug=attempt.task_slug,
        round_id=attempt.round_id,
        segment_id=example.segment_id,
        context_id=attempt.context_id,
        context=texts(attempt.context),
        input=texts(attempt.input),
        claimed="" if attempt.claimed is None else to_text(attempt.claimed),
        answers=tuple(_target_answer(answer) for answer in example.answers),
        verdict=example.verdict,
        author_id=None if attempt.author_id == NOBODY else attempt.author_id,
        cohort=attempt.cohort,
        condition=attempt.condition,
        attempt=attempt.number,
        seconds_since_context=attempt.seconds_since_context,
        probes_before=attempt.probes_before,
        inspections_before=attempt.inspections_before,
        hint_shown=attempt.hint_shown,
        configuration_version=attempt.configuration_version,
        created_at=example.created_at,
        metadata=texts(example.metadata),
        perturbation_of=attempt.perturbation_of,
        context_tags=attempt.context_tags,
        assigned_label=attempt.assigned_label,
        source_id="" if example.provenance is None else example.provenance.source_id,
        imported_votes=votes,
        duplicate_of=example.duplicate_of,
    )


def texts(values: Mapping[str, Value]) -> dict[str, str]:
    """Return fields' values as value texts."""
    return {name: to_text(value) for name, value in values.items()}


def _target_answer(answer: Answer) -> published.TargetAnswer:
    if isinstance(answer, UnaskedAnswer):
        return published.TargetAnswer(target=answer.target, missing_reason=NOT_ASKED, not_asked=True)
    if isinstance(answer, MissingAnswer):
        return published.TargetAnswer(target=answer.target, missing_reason=answer.reason)
    return published.TargetAnswer(
        target=answer.target,
        model_digest=answer.model_digest,
        handler_digest=answer.handler_digest,
        value=to_text(answer.value),
        probabilities=answer.probabilities,
        wrong=answer.wrong is True,
        milliseconds=answer.milliseconds,
        confidence=answer.confidence,
    )
