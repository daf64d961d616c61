"""Conversion of rows to aggregates."""

import json
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
from annotation.domain.segment import Segment, TextRule
from annotation.domain.task import Task
from annotation.domain.verdict import Answer, MissingAnswer, TargetAnswer, UnaskedAnswer


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
        text_rule=TextRule(row.segment_text_rule),
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
    return Example(
        example_id=row.example_id,
        attempt=Attempt(
            task_id=row.task_id,
            task_slug=row.slug,
            configuration_version=row.configuration_version,
            round_id=row.round_id,
            context_id=row.context_id,
            context=row.context,
            context_tags=tuple(row.context_tags),
            input=row.input,
            claimed=row.claimed,
            assigned_label=row.assigned_label,
            perturbation_of=row.perturbation_of,
            author_id=row.author_id,
            cohort=row.cohort,
            condition=row.condition,
            number=row.attempt,
            seconds_since_context=row.seconds_since_context,
            probes_before=row.probes_before,
            inspections_before=row.inspections_before,
            hint_shown=row.hint_shown,
        ),
        segment_id=row.segment_id,
        answers=tuple(_to_answer(answer) for answer in row.answers),
        verdict=Verdict(row.verdict),
        milliseconds=row.milliseconds,
        created_at=row.created_at,
        metadata=row.metadata,
        explanations=Explanations(row.label_explanation, row.model_explanation),
        retracted_at=row.retracted_at,
        provenance=None if row.source_id is None else Provenance(row.source_id, row.digest),
        version=row.version,
        duplicate_of=row.duplicate_of,
        overruled_at=row.overruled_at,
        text_digest=row.text_digest,
    )


def _to_answer(document: dict[str, Any]) -> Answer:
    if document.get("not_asked"):
        return UnaskedAnswer(document["target"])
    if "missing" in document:
        return MissingAnswer(document["target"], document["missing"])
    return TargetAnswer(**document)
