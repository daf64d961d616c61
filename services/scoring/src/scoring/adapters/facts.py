"""Facts of tasks, rounds, examples and votes that scoring keeps, and the events that write them."""

import json
from collections.abc import Sequence
from uuid import UUID

from dynabench_common.events.facts import Facts, Row, copied, values_of
from dynabench_common.ignored_keys import missing_kind_in
from dynabench_events.example import (
    DuplicateOverruled,
    ExampleCreated,
    ExampleExplained,
    ExampleRetracted,
    MetadataGiven,
    VerdictDecided,
)
from dynabench_events.known_item import KnownItemAnswered
from dynabench_events.model import ModelCardChanged
from dynabench_events.task import (
    RoundCreated,
    RoundStateChanged,
    RoundTargetsChanged,
    SegmentStarted,
    TaskCreated,
)
from dynabench_events.validation import (
    ExampleAppealed,
    ExampleResolved,
    ResolutionWithdrawn,
    VoteCast,
    VoteJudged,
    VotesImported,
    VotesWithdrawn,
)
from dynabench_tasks.verdict import Verdict

from scoring.adapters.tables import example, known_item_answer, round_, segment, task_configuration, vote

TOPICS = (
    "dynabench.task.v1",
    "dynabench.example.v1",
    "dynabench.validation.v1",
    "dynabench.known_item.v1",
    "dynabench.model.v1",
)
EXAMPLE_COLUMNS = (
    "example_id", "task_id", "round_id", "segment_id", "author_id", "configuration_version", "context", "input",
    "claimed", "duplicate_of", "cohort", "condition", "created_at",
)  # fmt: skip
COPIED = (
    "context_id", "attempt", "assigned_label", "seconds_since_context", "probes_before", "inspections_before",
    "perturbation_of", "source_id",
)  # fmt: skip
"""Columns of an example that scoring passes on unchanged."""
VOTE_COLUMNS = (
    "vote_id", "example_id", "voter_id", "kind", "option", "reason", "counted", "metadata", "seconds", "cast_at",
)  # fmt: skip


def _task_created(event: TaskCreated) -> Row:
    """Return a readable configuration as it is, even if a kind is missing here: what needs its rules refuses then."""
    missing_kind_in(event)
    return values_of(event, "task_id", "configuration_version", "slug", "title", "configuration")


def _segment_started(event: SegmentStarted) -> Row:
    return {
        "segment_id": event.segment_id,
        "round_id": event.round_id,
        "number": event.number,
        "targets": [{"name": target.name, "digest": target.model_digest} for target in event.targets],
    }


def _example_created(event: ExampleCreated) -> Row:
    return {
        **values_of(event, *EXAMPLE_COLUMNS, *COPIED),
        "answers": [
            {
                "target": answer.target,
                "value": answer.value,
                "wrong": answer.wrong,
                "missing": answer.is_missing,
                "not_asked": answer.not_asked,
                "digest": answer.model_digest,
                "confidence": answer.confidence,
                "probabilities": dict(answer.probabilities),
            }
            for answer in event.answers
        ],
        "verdict": _counted(event.verdict, event.duplicate_of),
        "tags": event.context_tags,
    }


def _counted(verdict: Verdict, duplicate_of: UUID | None) -> str:
    """Return what a verdict counts as: a text that is equal to an earlier one fooled nobody further."""
    return Verdict.NOT_FOOLED.value if duplicate_of and verdict is Verdict.FOOLED else verdict.value


def _duplicate_overruled(event: DuplicateOverruled) -> Row:
    return {"example_id": event.example_id, "overruled_verdict": Verdict.FOOLED.value}


def _verdict_decided(event: VerdictDecided) -> Row:
    return {
        "example_id": event.example_id,
        "decided_verdict": _counted(event.verdict, event.duplicate_of),
        "decided_duplicate_of": event.duplicate_of,
        "wrong_targets": sorted(event.wrong_targets),
    }


def _resolved(event: ExampleResolved) -> Row:
    copied_values = values_of(event, "example_id", "resolution", "golds", "resolved_at")
    return {**copied_values, "is_adjudicated": event.adjudicated_by is not None}


def _resolution_withdrawn(event: ResolutionWithdrawn) -> Row:
    nothing = dict.fromkeys(("resolution", "golds", "is_adjudicated", "resolved_at"))
    return {"example_id": event.example_id, **nothing}


def _votes_withdrawn(event: VotesWithdrawn) -> Sequence[Row]:
    return [{"vote_id": vote_id, "cause": event.cause} for vote_id in event.vote_ids]


def _known_item_answered(event: KnownItemAnswered) -> Row:
    """Return the answer in the words of `exports.own_work`."""
    cast, judged = event.vote, event.judged
    record = cast and {
        "vote_id": str(cast.vote_id),
        "example_id": str(event.example_id),
        "round_id": str(event.round_id),
        "task": event.task_slug,
        "context": dict(event.context),
        "input": dict(event.input),
        "vote_kind": cast.kind.value,
        "option": cast.option,
        "reason": cast.reason,
        "counted": cast.counted,
        "metadata": dict(cast.metadata),
        "agrees": judged and judged.agrees,
        "corrected": judged and judged.corrected,
        "explanation": judged and judged.explanation,
        "cast_at": cast.cast_at.isoformat(),
    }
    return {
        "example_id": event.example_id,
        "vote_id": cast and cast.vote_id,
        "voter_id": cast and cast.voter_id,
        "record": record and json.dumps(record, ensure_ascii=False),
    }


FACTS = Facts(
    (TaskCreated, task_configuration.c.fact_version, _task_created),
    (
        RoundCreated,
        round_.c.created_version,
        copied("round_id", "task_id", "number", "title", "origin", "source"),
    ),
    (RoundCreated, round_.c.targets_version, copied("round_id", "targets")),
    (RoundTargetsChanged, round_.c.targets_version, copied("round_id", "targets")),
    (RoundStateChanged, round_.c.state_version, copied("round_id", "state")),
    (SegmentStarted, segment.c.fact_version, _segment_started),
    (ExampleCreated, example.c.created_version, _example_created),
    (ExampleCreated, example.c.metadata_version, copied("example_id", "metadata")),
    (VerdictDecided, example.c.decided_version, _verdict_decided),
    (DuplicateOverruled, example.c.overruled_version, _duplicate_overruled),
    (MetadataGiven, example.c.metadata_version, copied("example_id", "metadata")),
    (
        ExampleExplained,
        example.c.explained_version,
        copied("example_id", "label_explanation", "model_explanation"),
    ),
    (ExampleRetracted, example.c.retracted_version, copied("example_id", "retracted_at")),
    (ExampleResolved, example.c.resolution_version, _resolved),
    (ResolutionWithdrawn, example.c.resolution_version, _resolution_withdrawn),
    (ExampleAppealed, example.c.appealed_version, copied("example_id")),
    (VoteCast, vote.c.cast_version, copied(*VOTE_COLUMNS)),
    (VotesWithdrawn, vote.c.withdrawn_version, _votes_withdrawn),
    (VoteJudged, vote.c.judged_version, copied("vote_id", "agrees", "corrected", "explanation")),
    (KnownItemAnswered, known_item_answer.c.version, _known_item_answered),
)
ACCEPTED = (*FACTS.event_types, ModelCardChanged, VotesImported)
"""Events that are read: those with facts, cards, which are only searched for canaries, and many votes in one event."""
