"""The projection from the log to notices: changes to people's work, recorded once for each person concerned.

Events only ever change facts (`ExampleFacts`, the tables of rounds and participants). The projection then checks
whatever the facts of a batch affect, and reports what was not yet reported. So the order of events plays no part. A log
that is read again from its beginning causes no notice. One worker at a time processes events.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any
from uuid import UUID

from dynabench_common.clock import Clock
from dynabench_common.database.bulk import as_document, as_ids, is_among, upsert_rows
from dynabench_common.events.cloud_events import Event
from dynabench_common.work.leader import LockKey
from dynabench_events import EventRecord, Recorded, message_types, recorded
from dynabench_events.audit import ActionTaken
from dynabench_events.crowd import CampaignPayLow, ExclusionAppealed
from dynabench_events.example import ExampleCreated
from dynabench_events.model import (
    ModelAwaitsApproval,
    ModelDeleted,
    ModelDeployed,
    ModelRefused,
    ModelWithdrawn,
)
from dynabench_events.person import PersonDeleted
from dynabench_events.task import RoundCreated, RoundLostTarget, RoundStateChanged, TaskCreated
from dynabench_events.validation import ExampleMessageWritten, VoteCast
from sqlalchemy import Connection, delete, func, select

from accounts.notifications.adapters.campaigns import notify_of_appeals, notify_of_pay
from accounts.notifications.adapters.models import ModelEvent, notify_of_models
from accounts.notifications.adapters.rounds import RoundNotices, task_rounds
from accounts.notifications.adapters.tables import OWN, notice_example, notice_start
from accounts.notifications.adapters.targets import notify_of_targets
from accounts.notifications.adapters.task_requests import ACTIONS, notify_of_task_requests
from accounts.notifications.adapters.work import notify_owners
from accounts.notifications.adapters.writer import NoticeWriter
from accounts.notifications.domain.example_facts import HANDLERS, ExampleFacts
from accounts.queries import recipients

TOPICS = (
    *("dynabench.task.v1", "dynabench.example.v1", "dynabench.validation.v1", "dynabench.audit.v1"),
    *("dynabench.model.v1", "dynabench.crowd.v1", "dynabench.person.v1"),
)
MOST_REMEMBERED = 100_000
EXAMPLES = select(notice_example).where(is_among(notice_example.c.example_id))
SAVE_EXAMPLES = upsert_rows(notice_example)
VALIDATING = {"validator.paused": "paused", "validator.reinstated": "resumed"}
"""Kinds of audit entries about a person's right to vote, with the outcome in the notice."""
ASSIGNED = "work.assigned"


@dataclass
class Batch:
    """The facts of one transaction's events, by subject; `rounds` are those that changed."""

    examples: dict[UUID, list[Recorded[Any]]] = field(default_factory=lambda: defaultdict(list))
    tasks: list[Recorded[TaskCreated]] = field(default_factory=list)
    drafted: list[RoundCreated] = field(default_factory=list)
    moved: list[RoundStateChanged] = field(default_factory=list)
    took_part: set[tuple[UUID, UUID]] = field(default_factory=set)
    validating: list[ActionTaken] = field(default_factory=list)
    assigned: list[ActionTaken] = field(default_factory=list)
    task_requests: list[ActionTaken] = field(default_factory=list)
    models: list[ModelEvent] = field(default_factory=list)
    lost: list[RoundLostTarget] = field(default_factory=list)
    pay_low: list[CampaignPayLow] = field(default_factory=list)
    appeals: list[ExclusionAppealed] = field(default_factory=list)
    deleted: list[UUID] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """Return whether the events say nothing."""
        parts = self.examples, self.tasks, self.drafted, self.moved, self.took_part, self.deleted
        acts = self.validating, self.assigned, self.task_requests
        return not any((*parts, *acts, self.models, self.lost, self.pay_low, self.appeals))

    def people(self) -> set[UUID]:
        """Return everybody that the events name as author or voter."""
        authors = {
            event.record.author_id
            for events in self.examples.values()
            for event in events
            if isinstance(event.record, ExampleCreated) and event.record.author_id
        }
        return authors | {person_id for _, person_id in self.took_part}


def _example(batch: Batch, event: Recorded[Any]) -> None:
    batch.examples[event.record.example_id].append(event)


def _example_created(batch: Batch, event: Recorded[ExampleCreated]) -> None:
    if event.record.author_id is not None:
        batch.examples[event.record.example_id].append(event)
        batch.took_part.add((event.record.round_id, event.record.author_id))


def _vote(batch: Batch, event: Recorded[VoteCast]) -> None:
    batch.took_part.add((event.record.round_id, event.record.voter_id))


def _task(batch: Batch, event: Recorded[TaskCreated]) -> None:
    batch.tasks.append(event)


def _round(batch: Batch, event: Recorded[RoundCreated]) -> None:
    batch.drafted.append(event.record)


def _state(batch: Batch, event: Recorded[RoundStateChanged]) -> None:
    batch.moved.append(event.record)


def _action(batch: Batch, event: Recorded[ActionTaken]) -> None:
    if event.record.action in VALIDATING:
        batch.validating.append(event.record)
    elif event.record.action == ASSIGNED:
        batch.assigned.append(event.record)
    elif event.record.action in ACTIONS:
        batch.task_requests.append(event.record)


def _model(batch: Batch, event: Recorded[ModelEvent]) -> None:
    batch.models.append(event.record)


def _lost(batch: Batch, event: Recorded[RoundLostTarget]) -> None:
    batch.lost.append(event.record)


def _pay_low(batch: Batch, event: Recorded[CampaignPayLow]) -> None:
    batch.pay_low.append(event.record)


def _appeal(batch: Batch, event: Recorded[ExclusionAppealed]) -> None:
    batch.appeals.append(event.record)


def _deleted(batch: Batch, event: Recorded[PersonDeleted]) -> None:
    batch.deleted.append(event.record.person_id)


READERS: Mapping[type[EventRecord], Callable[[Batch, Recorded[Any]], None]] = {
    **dict.fromkeys(HANDLERS, _example),
    ExampleCreated: _example_created,
    VoteCast: _vote,
    TaskCreated: _task,
    RoundCreated: _round,
    RoundStateChanged: _state,
    RoundLostTarget: _lost,
    ActionTaken: _action,
    CampaignPayLow: _pay_low,
    ExclusionAppealed: _appeal,
    PersonDeleted: _deleted,
    **dict.fromkeys((ModelAwaitsApproval, ModelDeleted, ModelDeployed, ModelRefused, ModelWithdrawn), _model),
}


class NoticeProjection:
    """Updates notices from the log.

    Most events are votes of known participants and change nothing. A cache of participants recognises them without
    a query.
    """

    accepts = message_types(READERS)

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._participants: set[tuple[UUID, UUID]] = set()

    def apply(self, connection: Connection, events: Sequence[Event]) -> None:
        """Apply events and write the notices that follow. Raises PermanentEventError for one that can't be read."""
        batch = Batch()
        for event in map(recorded, events):
            READERS[type(event.record)](batch, event)
        batch.took_part -= self._participants
        if not batch.is_empty:
            connection.execute(select(func.pg_advisory_xact_lock(LockKey.ACCOUNTS_NOTICES)))
            self._notify(connection, batch)

    def _notify(self, connection: Connection, batch: Batch) -> None:
        started_at = connection.execute(select(notice_start.c.started_at)).scalar_one()
        book = NoticeWriter(connection, started_at, self._clock.now())
        known = recipients.among(connection, recipients.KNOWN, batch.people())
        news = RoundNotices(connection, book)
        news.learn(batch.tasks, batch.drafted, batch.moved)
        seen = news.note_participants(each for each in batch.took_part if each[1] in known)
        if len(self._participants) > MOST_REMEMBERED:
            self._participants.clear()
        self._participants |= seen
        touched = _notify_authors(connection, book, batch, known)
        rounds = {each.round_id for each in batch.drafted} | {each.round_id for each in batch.moved}
        news.notify(rounds)
        touched |= rounds | task_rounds(connection, {each.record.task_id for each in batch.tasks})
        notify_owners(connection, book, touched)
        for entry in batch.validating:
            book.notify_validator(entry.object_id, entry.task_slug, VALIDATING[entry.action], entry.taken_at)
        for entry in batch.assigned:
            counts = {entry.details["activity"]: int(entry.details["units"])}
            book.notify_worker(entry.object_id, entry.round_id, counts, entry.taken_at)
        notify_of_task_requests(connection, book, batch.task_requests)
        notify_of_models(connection, book, batch.models)
        notify_of_targets(connection, book, batch.lost)
        notify_of_pay(connection, book, batch.pay_low)
        notify_of_appeals(connection, book, batch.appeals)
        for column in OWN:
            connection.execute(delete(column.table).where(column.in_(batch.deleted)))


def _notify_authors(connection: Connection, book: NoticeWriter, batch: Batch, known: set[UUID]) -> set[UUID]:
    """Apply events of examples and notify their authors; return the rounds whose waiting work has changed."""
    wanted = {key: kept for key, events in batch.examples.items() if (kept := _of_people_here(events, known))}
    examples = _load_examples(connection, wanted.keys())
    before: dict[UUID, str | None] = {}
    for example_id, events in wanted.items():
        example = examples.setdefault(example_id, ExampleFacts(example_id, events[0].record.round_id))
        before[example_id] = example.waits_for
        for event in events:
            example.take(event)
    book.notify_authors(list(examples.values()))
    for example_id, events in wanted.items():
        author_id = examples[example_id].author_id
        for event in events:
            written = event.record
            if not isinstance(written, ExampleMessageWritten):
                continue
            book.notify_mentioned(written.mentioned, example_id, written.round_id, written.written_at)
            if not written.by_author and author_id:
                book.notify_answered(author_id, written.round_id, written.written_at)
    _save_examples(connection, list(examples.values()))
    return {each.round_id for each in examples.values() if each.waits_for != before[each.example_id]}


def _of_people_here(events: Sequence[Recorded[Any]], known: set[UUID]) -> list[Recorded[Any]]:
    """Return the events without creations of examples by authors without an account."""
    return [
        event
        for event in events
        if not isinstance(event.record, ExampleCreated) or event.record.author_id in known
    ]


def _load_examples(connection: Connection, example_ids: Iterable[UUID]) -> dict[UUID, ExampleFacts]:
    """Return the stored state of these examples by id; new examples are left out."""
    wanted = list(example_ids)
    if not wanted:
        return {}
    rows = connection.execute(EXAMPLES, as_ids(wanted))
    return {row.example_id: ExampleFacts(**row._mapping) for row in rows}


def _save_examples(connection: Connection, examples: Sequence[ExampleFacts]) -> None:
    """Write them, in the order of their ids."""
    if examples:
        rows = [asdict(each) for each in sorted(examples, key=lambda each: each.example_id)]
        connection.execute(SAVE_EXAMPLES, as_document(rows))
