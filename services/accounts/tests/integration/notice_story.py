"""A log as the other services write it, and the consumer that makes notices of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from accounts.adapters import tables
from accounts.bootstrap import NOTICE_CONSUMER
from accounts.notifications.adapters.projection import NoticeProjection
from dynabench_common.events.cloud_events import Event
from dynabench_common.events.consumer import apply_new
from dynabench_common.testing import FixedClock
from dynabench_events import EventRecord, encode
from dynabench_events.audit import ActionTaken
from dynabench_events.example import ExampleCreated
from dynabench_events.task import RoundCreated, RoundStateChanged, TaskCreated
from dynabench_events.validation import (
    ExampleAppealed,
    ExampleMessageWritten,
    ExampleResolved,
    ResolutionWithdrawn,
    VoteCast,
)
from dynabench_tasks.resolution import Resolution
from dynabench_tasks.rounds import RoundState
from dynabench_tasks.verdict import Verdict
from dynabench_tasks.votes import VoteKind
from sqlalchemy import Engine, delete

OWNER = uuid4()


@dataclass
class Story:
    """Events in the order they happen, kept so that they can be applied again."""

    engine: Engine
    clock: FixedClock
    task_id: UUID = field(default_factory=uuid4)
    slug: str = "sentiment"
    log: list[Event] = field(default_factory=list)
    versions: dict[tuple[str, UUID], int] = field(default_factory=dict)

    def now(self) -> datetime:
        """Return the moment at which things happen."""
        return self.clock.now()

    def tell(self, *records: EventRecord) -> list[Event]:
        """Write events to the log and let the consumer take them in, as one batch."""
        events = [self.event(record) for record in records]
        self.log += events
        self.take_in(events)
        return events

    def event(self, record: EventRecord) -> Event:
        """Return a record as it comes from the log, the next of its aggregate."""
        key = record.topic, record.aggregate_id
        self.versions[key] = self.versions.get(key, 0) + 1
        message = encode(record)
        return Event(
            id=uuid4(),
            type=message.DESCRIPTOR.full_name,
            source="/test",
            time=record.occurred_at,
            aggregate_id=record.aggregate_id,
            aggregate_version=self.versions[key],
            message=message,
            topic=record.topic,
        )

    def take_in(self, events: Sequence[Event]) -> None:
        """Take events in as the consumer does."""
        with self.engine.begin() as connection:
            projection = NoticeProjection(self.clock)
            apply_new(connection, tables.inbox, NOTICE_CONSUMER, projection, events)

    def forget_inbox(self) -> None:
        """Forget which events were taken in, as after the inbox was pruned."""
        with self.engine.begin() as connection:
            connection.execute(delete(tables.inbox))

    def task(self, goal: int | None = None) -> TaskCreated:
        """Return the event of the task, which wants so many validated errors of a round."""
        return TaskCreated(
            task_id=self.task_id,
            slug=self.slug,
            title="Sentiment",
            configuration_version=1,
            configuration={} if goal is None else {"goal": {"validated_errors": goal}},
            created_at=self.now(),
        )

    def drafted(self, round_id: UUID, number: int = 1, origin: str = "") -> RoundCreated:
        """Return the event of a new round."""
        return RoundCreated(
            round_id=round_id,
            task_id=self.task_id,
            number=number,
            title="",
            targets=(),
            created_at=self.now(),
            origin=origin,
        )

    def moved(self, round_id: UUID, state: str, by: UUID | None = OWNER) -> RoundStateChanged:
        """Return the event that a round is in another state."""
        return RoundStateChanged(
            round_id=round_id, state=RoundState(state), changed_by=by, changed_at=self.now()
        )

    def open_round(self, number: int = 1) -> UUID:
        """Open a round of the task and return its id."""
        round_id = uuid4()
        self.tell(self.task(), self.drafted(round_id, number), self.moved(round_id, "open"))
        return round_id

    def written(
        self, round_id: UUID, author_id: UUID | None, example_id: UUID | None = None
    ) -> ExampleCreated:
        """Return the event of a try."""
        return ExampleCreated(
            example_id=example_id or uuid4(),
            task_id=self.task_id,
            task_slug=self.slug,
            round_id=round_id,
            segment_id=None,
            context_id=uuid4(),
            context={},
            input={"text": "A fine day."},
            claimed="negative",
            answers=(),
            verdict=Verdict.FOOLED,
            author_id=author_id,
            cohort="volunteer" if author_id else "imported",
            condition="",
            attempt=1,
            seconds_since_context=1.0,
            probes_before=0,
            inspections_before=0,
            hint_shown=False,
            configuration_version=1,
            created_at=self.now(),
            metadata={},
            perturbation_of=None,
            context_tags=(),
            assigned_label="",
            source_id="",
            imported_votes=(),
        )

    def resolved(
        self, example: ExampleCreated, resolution: str = "correct", by: UUID | None = None
    ) -> ExampleResolved:
        """Return the event that votes, or an owner, decided an example."""
        return ExampleResolved(
            example_id=example.example_id,
            round_id=example.round_id,
            resolution=Resolution(resolution),
            agreed_option="",
            agreed_is_task_label=False,
            votes_counted=2,
            golds=(),
            resolved_at=self.now(),
            adjudicated_by=by,
        )

    def withdrawn(self, example: ExampleCreated) -> ResolutionWithdrawn:
        """Return the event that an example waits again."""
        return ResolutionWithdrawn(
            example_id=example.example_id, round_id=example.round_id, withdrawn_at=self.now()
        )

    def appealed(self, example: ExampleCreated) -> ExampleAppealed:
        """Return the event that an author asks the owner."""
        return ExampleAppealed(
            example_id=example.example_id, round_id=example.round_id, appealed_at=self.now()
        )

    def messaged(
        self, example: ExampleCreated, *, by_author: bool, mentioned: tuple[UUID, ...] = ()
    ) -> ExampleMessageWritten:
        """Return the event that an author or an owner wrote about an example."""
        return ExampleMessageWritten(
            example_id=example.example_id,
            round_id=example.round_id,
            by_author=by_author,
            written_at=self.now(),
            mentioned=mentioned,
        )

    def voted(self, example: ExampleCreated, voter_id: UUID) -> VoteCast:
        """Return the event of a vote."""
        return VoteCast(
            vote_id=uuid4(),
            example_id=example.example_id,
            round_id=example.round_id,
            voter_id=voter_id,
            kind=VoteKind.LABEL,
            option="negative",
            reason="",
            counted=True,
            seconds=4.0,
            cast_at=self.now(),
        )

    def acted(
        self, action: str, person_id: UUID, round_id: UUID | None = None, **details: str
    ) -> ActionTaken:
        """Return the entry that an owner did something about a person."""
        return ActionTaken(
            entry_id=uuid4(),
            actor_id=OWNER,
            action=action,
            object_kind="person",
            object_id=person_id,
            task_slug=self.slug,
            round_id=round_id,
            reason="Too many differ.",
            details=details,
            taken_at=self.now(),
        )


def of(api: Any) -> UUID:
    """Return who somebody is."""
    return UUID(api.person_id)


def listed(api: Any, query: str = "") -> list[dict[str, Any]]:
    """Return somebody's notices, newest first."""
    items: list[dict[str, Any]] = api.again().call("GET", f"/me/notices{query}").get_json()["items"]
    return items


def notices_of(api: Any) -> list[tuple[str, dict[str, int]]]:
    """Return kinds and counts of somebody's notices, newest first."""
    return [(each["kind"], each["counts"]) for each in listed(api)]


def owner(api: Any, administrator: Any, name: str = "olga") -> Any:
    """Return a person who looks after the task."""
    olga = api.new_person(name)
    administrator.call("PUT", f"/people/{olga.person_id}/roles", {"roles": ["owner:sentiment"]})
    return olga.again()
