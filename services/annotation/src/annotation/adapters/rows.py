"""Conversion of rows to aggregates."""

import json
from dataclasses import fields
from functools import lru_cache
from typing import Any
from uuid import UUID

from dynabench_common.ignored_keys import note_ignored_keys
from dynabench_events.task import Target
from dynabench_tasks.configuration.published import read_published
from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from dynabench_tasks.rounds import RoundState
from dynabench_tasks.verdict import Verdict
from sqlalchemy import Row

from annotation.domain.assignment import Assignment
from annotation.domain.example import Attempt, Example, Explanations
from annotation.domain.provenance import Origin, Provenance
from annotation.domain.round import Round
from annotation.domain.segment import Segment
from annotation.domain.task import Task
from annotation.domain.verdict import Answer, MissingAnswer, TargetAnswer, UnaskedAnswer

ATTEMPT_COLUMNS = tuple(
    each.name
    for each in fields(Attempt)
    if each.name not in {"task_slug", "context_tags", "number", "pasted_characters"}
)
"""Columns whose values an attempt has as they are."""
EXAMPLE_COLUMNS = (
    *("example_id", "segment_id", "milliseconds", "created_at", "text_digest"),
    *("metadata", "retracted_at", "version", "duplicate_of", "overruled_at"),
)
"""Columns whose values an example has as they are."""


@lru_cache(maxsize=256)
def to_configuration(task_id: UUID, version: int, document: str) -> TaskConfiguration:
    """Return the configuration that a task's stored document describes; a version never changes, so it is kept.

    Raises UnknownKind where a later version of the platform stored what this one can't act on.
    """
    return read_published(json.loads(document), note=note_ignored_keys(task_id, version))


def to_task(row: Row[Any]) -> Task:
    """Return the task of a row of task and its configuration in force."""
    return Task(
        task_id=row.task_id,
        configuration=to_configuration(row.task_id, row.configuration_version, row.document),
        source=row.source,
        configuration_version=row.configuration_version,
        created_by=row.created_by,
        created_at=row.task_created_at,
        version=row.task_version,
    )


def to_round(row: Row[Any]) -> Round:
    """Return the round of a row, which also carries its latest segment."""
    return Round(
        round_id=row.round_id,
        task_id=row.task_id,
        number=row.number,
        title=row.title,
        targets=tuple(row.targets),
        state=RoundState(row.state),
        created_at=row.created_at,
        origin=Origin(row.origin),
        source=row.source,
        segment=None if row.segment_id is None else to_segment(row),
        version=row.version,
    )


def to_segment(row: Row[Any]) -> Segment:
    """Return the segment that a row of a round carries."""
    return Segment(
        segment_id=row.segment_id,
        round_id=row.round_id,
        number=row.segment_number,
        configuration_version=row.segment_configuration_version,
        targets=tuple(Target(**target) for target in row.segment_targets),
        started_at=row.segment_started_at,
    )


def to_assignment(row: Row[Any]) -> Assignment:
    """Return the assignment of a row."""
    return Assignment(
        assignment_id=row.assignment_id,
        round_id=row.round_id,
        context_id=row.context_id,
        person_id=row.person_id,
        condition=row.condition,
        assigned_at=row.assigned_at,
        attempts=row.attempts,
        assigned_label=row.assigned_label,
    )


def to_example(row: Row[Any]) -> Example:
    """Return the example of a row, which also carries its task's slug and the record that it was made of."""
    column = row._mapping
    return Example(
        attempt=Attempt(
            task_slug=row.slug,
            context_tags=tuple(row.context_tags),
            number=row.attempt,
            **{name: column[name] for name in ATTEMPT_COLUMNS},
        ),
        answers=tuple(_to_answer(answer) for answer in row.answers),
        verdict=Verdict(row.verdict),
        explanations=Explanations(row.label_explanation, row.model_explanation),
        provenance=None if row.source_id is None else Provenance(row.source_id, row.digest),
        **{name: column[name] for name in EXAMPLE_COLUMNS},
    )


def _to_answer(document: dict[str, Any]) -> Answer:
    if document.get("not_asked"):
        return UnaskedAnswer(document["target"])
    if "missing" in document:
        return MissingAnswer(document["target"], document["missing"])
    return TargetAnswer(**document)
