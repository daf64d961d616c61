"""Stories: events of a made-up round, as annotation and validation would publish them."""

import json
import random
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from dynabench.example.v1 import example_pb2 as example
from dynabench.task.v1 import task_pb2 as task
from dynabench.validation.v1 import validation_pb2 as validation
from dynabench_common.events.cloud_events import Event
from google.protobuf.message import Message

LABEL = {"name": "label", "type": "multiclass", "labels": ["negative", "neutral", "positive"]}
SENTIMENT = {
    "context": [{"name": "prompt", "type": "string"}],
    "input": [{"name": "text", "type": "string"}, LABEL],
    "output": [LABEL],
    "wrong_when": {"exact_match": {"fields": ["label"]}},
    "ensemble": "any",
    "validation": {"gold": "author_confirmed", "validate": "fooling"},
}
START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
LABELS = ("negative", "neutral", "positive")


class Story:
    """Makes events; the same seed makes the same ids and times."""

    def __init__(self, seed: int = 1, start: datetime = START) -> None:
        self.random = random.Random(seed)
        self.now = start
        self.task_id, self.round_id = self.new_id(), self.new_id()
        self.segment_ids = [self.new_id(), self.new_id()]
        self.targets = ["roberta", "deberta"]
        self.attempts: Counter[tuple[UUID, UUID]] = Counter()

    def new_id(self) -> UUID:
        return UUID(int=self.random.getrandbits(128), version=4)

    def event(self, message: Message, aggregate_id: UUID, version: int) -> Event:
        self.now += timedelta(seconds=self.random.randint(1, 20))
        topic = message.DESCRIPTOR.full_name.rsplit(".", 1)[0]
        name = message.DESCRIPTOR.full_name
        return Event(self.new_id(), name, "/test", self.now, aggregate_id, version, message, topic)

    def configured(self, version: int = 1, **changes: Any) -> Event:
        message = task.TaskCreated(
            task_id=str(self.task_id),
            slug="sentiment",
            title="Sentiment",
            configuration_version=version,
            configuration_json=json.dumps({**SENTIMENT, **changes}),
            created_at=self.now,
        )
        return self.event(message, self.task_id, version)

    def drafted(self, number: int = 1, origin: str = "") -> Event:
        message = task.RoundCreated(
            round_id=str(self.round_id),
            task_id=str(self.task_id),
            number=number,
            title="First",
            targets=self.targets,
            origin=origin,
            created_at=self.now,
        )
        return self.event(message, self.round_id, 1)

    def retargeted(self, targets: Sequence[str], version: int) -> Event:
        message = task.RoundTargetsChanged(
            round_id=str(self.round_id), targets=targets, changed_by=str(self.new_id()), changed_at=self.now
        )
        return self.event(message, self.round_id, version)

    def moved(self, state: Any, version: int) -> Event:
        message = task.RoundStateChanged(
            round_id=str(self.round_id), state=state, changed_by=str(self.new_id()), changed_at=self.now
        )
        return self.event(message, self.round_id, version)

    def begun(self, number: int, version: int) -> Event:
        message = task.SegmentStarted(
            segment_id=str(self.segment_ids[number - 1]),
            round_id=str(self.round_id),
            number=number,
            configuration_version=1,
            targets=[
                task.Target(name=name, model_digest=f"sha256:{name}{number}", handler_digest="sha256:handler")
                for name in self.targets
            ],
            started_at=self.now,
        )
        return self.event(message, self.round_id, version)

    def opened(self) -> list[Event]:
        return [
            self.configured(),
            self.drafted(),
            self.begun(1, 2),
            self.moved(task.ROUND_STATE_OPEN, 3),
            self.begun(2, 4),
        ]

    def tried(
        self,
        claimed: str,
        answered: Sequence[str],
        author_id: UUID | None = None,
        verdict: example.Verdict | None = None,
        segment: int = 1,
        configuration_version: int = 1,
        condition: str = "",
        cohort: str = "volunteer",
        tags: Sequence[str] = (),
        context_id: UUID | None = None,
        seconds: float = 0,
    ) -> Event:
        """A try; an empty answer is a missing one. The verdict is that of `any` unless given.

        Its attempt is the author's next in the context; without one, each try has a context of its own.
        """
        wrong = [bool(value) and value != claimed for value in answered]
        if verdict is None:
            verdict = example.VERDICT_FOOLED if any(wrong) else example.VERDICT_NOT_FOOLED
        example_id, context_id = self.new_id(), context_id or self.new_id()
        context_effort = (author_id or UUID(int=0), context_id)
        self.attempts[context_effort] += 1
        message = example.ExampleCreated(
            example_id=str(example_id),
            task_id=str(self.task_id),
            task_slug="sentiment",
            round_id=str(self.round_id),
            segment_id=str(self.segment_ids[segment - 1]),
            context_id=str(context_id),
            context_tags=tags,
            seconds_since_context=seconds,
            input={"text": "A sentence."},
            claimed=claimed,
            answers=[
                example.TargetAnswer(
                    target=name, value=value, wrong=is_wrong, missing_reason="" if value else "deadline"
                )
                for name, value, is_wrong in zip(self.targets, answered, wrong, strict=False)
            ],
            verdict=verdict,
            author_id=str(author_id) if author_id else "",
            cohort=cohort,
            condition=condition,
            attempt=self.attempts[context_effort],
            configuration_version=configuration_version,
            created_at=self.now,
        )
        return self.event(message, example_id, 1)

    def unvoted(self, voted: Event, version: int, cause: str = "undone") -> Event:
        """A vote that counts no longer."""
        message = validation.VotesWithdrawn(
            example_id=str(voted.aggregate_id),
            round_id=str(self.round_id),
            vote_ids=[voted.message.vote_id],  # type: ignore[attr-defined]
            cause=cause,
            withdrawn_at=self.now,
        )
        return self.event(message, voted.aggregate_id, version)

    def unresolved(self, tried: Event, version: int) -> Event:
        """A resolution that stands no longer."""
        message = validation.ResolutionWithdrawn(
            example_id=str(tried.aggregate_id), round_id=str(self.round_id), withdrawn_at=self.now
        )
        return self.event(message, tried.aggregate_id, version)

    def asked(self, answered: Sequence[str], author_id: UUID | None = None, condition: str = "") -> Event:
        """A try whose author is to say which answers are wrong."""
        tried = self.tried("", answered, author_id, example.VERDICT_UNDECIDED, condition=condition)
        for answer in tried.message.answers:  # type: ignore[attr-defined]
            answer.wrong = False
        return tried

    def decided_by_author(self, tried: Event, wrong_targets: Sequence[str], version: int = 2) -> Event:
        message = example.VerdictDecided(
            example_id=str(tried.aggregate_id),
            round_id=str(self.round_id),
            verdict=example.VERDICT_FOOLED if wrong_targets else example.VERDICT_NOT_FOOLED,
            wrong_targets=wrong_targets,
            decided_at=self.now,
        )
        return self.event(message, tried.aggregate_id, version)

    def overruled(self, tried: Event, version: int = 4) -> Event:
        """An owner lets a duplicate count."""
        message = example.DuplicateOverruled(
            example_id=str(tried.aggregate_id),
            round_id=str(self.round_id),
            overruled_by=str(self.new_id()),
            reason="It was retold on purpose.",
            overruled_at=self.now,
        )
        return self.event(message, tried.aggregate_id, version)

    def retracted(self, tried: Event) -> Event:
        message = example.ExampleRetracted(
            example_id=str(tried.aggregate_id), round_id=str(self.round_id), retracted_at=self.now
        )
        return self.event(message, tried.aggregate_id, 2)

    def voted(self, tried: Event, option: str, version: int, counted: bool = True) -> Event:
        message = validation.VoteCast(
            vote_id=str(self.new_id()),
            example_id=str(tried.aggregate_id),
            round_id=str(self.round_id),
            voter_id=str(self.new_id()),
            kind=validation.VOTE_KIND_LABEL,
            option=option,
            counted=counted,
            cast_at=self.now,
        )
        return self.event(message, tried.aggregate_id, version)

    def resolved(
        self,
        tried: Event,
        resolution: Any,
        option: str = "",
        version: int = 3,
        golds: Sequence[str] | None = None,
    ) -> Event:
        """A resolution; without `golds` an option that is a label is the gold."""
        if golds is None:
            golds = [option] if option in LABELS else []
        message = validation.ExampleResolved(
            example_id=str(tried.aggregate_id),
            round_id=str(self.round_id),
            resolution=resolution,
            agreed_option=option,
            agreed_is_task_label=bool(golds),
            golds=golds,
            votes_counted=2,
            resolved_at=self.now,
        )
        return self.event(message, tried.aggregate_id, version)

    def round_of_tries(self, tries: int = 60, authors: int = 7) -> list[Event]:
        """A whole round: two targets, two segments, two arms, votes, resolutions, decisions, retractions.

        People come back to contexts; votes, resolutions and targets are taken back.
        """
        people = [self.new_id() for _ in range(authors)]
        contexts = [self.new_id() for _ in range(max(1, tries // 10))]
        events = [*self.opened(), self.retargeted(["deberta", "roberta"], 5)]
        for number in range(tries):
            claimed = self.random.choice(LABELS)
            answered = [self.random.choice((*LABELS, "")), self.random.choice(LABELS)]
            segment = 1 + (number > tries // 2)
            author_id, arm = self.random.choice(people), self.random.choice(("prompt", "no-prompt", ""))
            if self.random.random() < 0.2:
                events += self.left_to_the_author(answered, author_id, arm)
                continue
            tried = self.tried(
                claimed,
                answered,
                author_id,
                segment=segment,
                condition=arm,
                cohort=self.random.choice(("volunteer", "crowd")),
                tags=self.random.sample(("news", "sport", "food"), self.random.randint(0, 2)),
                context_id=self.random.choice(contexts),
                seconds=self.random.uniform(5, 2_500),
            )
            events.append(tried)
            if self.random.random() < 0.6:
                events += self.decided(tried, claimed)
            if self.random.random() < 0.15:
                events.append(self.retracted(tried))
        return events

    def left_to_the_author(self, answered: Sequence[str], author_id: UUID, condition: str) -> list[Event]:
        """A try that its author decides on, or not; now and then withdrawn, or confirmed by votes."""
        tried = self.asked(answered, author_id, condition)
        events = [tried]
        if self.random.random() < 0.7:
            events.append(
                self.decided_by_author(tried, self.random.sample(self.targets, self.random.randint(0, 2)))
            )
        if self.random.random() < 0.4:
            events.append(self.resolved(tried, validation.RESOLUTION_CORRECT, "negative", 7))
        if self.random.random() < 0.2:
            events.append(self.retracted(tried))
        return events

    def decided(self, tried: Event, claimed: str) -> list[Event]:
        """Two equal votes, the resolution, a late vote, and now and then an adjudication or a change of mind."""
        option = self.random.choice((claimed, claimed, "neutral", "mixed"))
        outcome = validation.RESOLUTION_CORRECT if option == claimed else validation.RESOLUTION_INCORRECT
        votes = [self.voted(tried, option, version) for version in (1, 2)]
        events = [*votes, self.resolved(tried, outcome, option, 3)]
        events.append(self.voted(tried, "neutral", 4, counted=False))
        if self.random.random() < 0.2:
            events.append(self.resolved(tried, validation.RESOLUTION_CORRECT, claimed, 5))
        if self.random.random() < 0.3:
            events += [self.unvoted(votes[1], 6), self.unresolved(tried, 7)]
            if self.random.random() < 0.5:
                again = self.voted(tried, claimed, 8)
                again.message.vote_id = votes[1].message.vote_id  # type: ignore[attr-defined]
                events += [again, self.resolved(tried, validation.RESOLUTION_INCORRECT, "neutral", 9)]
        return events


@pytest.fixture(scope="session")
def new_story() -> Callable[..., Story]:
    """Return a maker of stories."""
    return Story
