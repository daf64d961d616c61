"""Storage of records as examples: their contexts, segments, numbers and signatures, a batch at a time."""

from collections import Counter
from collections.abc import Sequence

from dynabench_tasks.near_duplicates import shingles_of
from dynabench_tasks.verdict import Verdict

from annotation.adapters.unit_of_work import UnitOfWork
from annotation.domain.context import NewContext, UsedContext
from annotation.domain.example import Attempt, Example
from annotation.domain.identifiers import ContextId, ExampleId, PersonId, SegmentId
from annotation.domain.record import ExampleRecord
from annotation.domain.round import Round
from annotation.domain.task import Task
from annotation.domain.written_text import written_text
from annotation.service_layer.dependencies import Dependencies

Place = tuple[ContextId, PersonId]


def store_records(
    records: Sequence[ExampleRecord], round_: Round, task: Task, uow: UnitOfWork, app: Dependencies
) -> None:
    """Store the records as examples of the round, which the caller has locked, in a few statements for all."""
    round_.announce()
    contexts = _take_in_contexts(records, round_, uow, app)
    places = [(context_id, each.author_id) for context_id, each in zip(contexts, records, strict=True)]
    attempts = Counter(uow.examples.newest_attempts(set(places)))
    examples = []
    for record, place in zip(records, places, strict=True):
        attempts[place] += 1
        attempt = _attempt(record, place[0], attempts[place], round_, task)
        examples.append(_example(record, attempt, round_, app))
    uow.rounds.save(round_)
    uow.examples.add_all(examples)
    uow.records.add_all(round_.round_id, examples)
    shingles = {
        example.example_id: shingles_of(written_text(task.configuration, example.attempt.input))
        for example in examples
    }
    uow.minhashes.add_all(round_.round_id, shingles)


def _take_in_contexts(
    records: Sequence[ExampleRecord], round_: Round, uow: UnitOfWork, app: Dependencies
) -> list[ContextId]:
    """Return the context of each record; equal ones are one."""
    contexts = [NewContext(ContextId(app.make_id()), record.context, record.tags) for record in records]
    fingerprints = [context.fingerprint for context in contexts]
    first = dict(reversed(list(zip(fingerprints, contexts, strict=True))))
    examples = Counter(fingerprints)
    foolings = Counter(
        fingerprint
        for fingerprint, record in zip(fingerprints, records, strict=True)
        if record.verdict is Verdict.FOOLED
    )
    used = [UsedContext(first[each], count, foolings[each]) for each, count in examples.items()]
    stored = uow.contexts.take_in(round_.round_id, used)
    return [stored[fingerprint] for fingerprint in fingerprints]


def _attempt(record: ExampleRecord, context_id: ContextId, number: int, round_: Round, task: Task) -> Attempt:
    return Attempt(
        task_id=task.task_id,
        task_slug=task.slug,
        configuration_version=task.configuration_version,
        round_id=round_.round_id,
        context_id=context_id,
        context=record.context,
        context_tags=record.tags,
        input=record.input,
        claimed=record.claimed,
        author_id=record.author_id,
        cohort=record.cohort,
        condition=record.condition,
        number=number,
    )


def _example(record: ExampleRecord, attempt: Attempt, round_: Round, app: Dependencies) -> Example:
    now = app.clock.now()
    example = Example.create(
        ExampleId(app.make_id()),
        attempt,
        _segment_of(record, round_, attempt.configuration_version, app),
        record.answers,
        record.verdict,
        record.milliseconds,
        {},
        now,
        record.provenance,
        record.votes,
    )
    example.explain(record.explanations, now)
    return example


def _segment_of(
    record: ExampleRecord, round_: Round, configuration_version: int, app: Dependencies
) -> SegmentId | None:
    if not record.answers:
        return None
    segment = round_.segment_holding(record.answers, configuration_version, None)
    if segment is None:
        segment = round_.start_segment(
            SegmentId(app.make_id()), record.answers, configuration_version, app.clock.now()
        )
    return segment.segment_id
