"""Stories: events of a made-up round, as annotation and validation would publish them."""

import json
import random
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from dynabench.example.v1 import example_pb2 as example
from dynabench.known_item.v1 import known_item_pb2 as known_item
from dynabench.task.v1 import task_pb2 as task
from dynabench.validation.v1 import validation_pb2 as validation
from dynabench_common.events.cloud_events import Event
from google.protobuf.message import Message

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
LABELS = ["negative", "neutral", "positive"]
LABEL = {"name": "label", "type": "multiclass", "labels": LABELS}
SENTIMENT = {
    "slug": "sentiment",
    "languages": ["en"],
    "context": [{"name": "prompt", "type": "string"}],
    "input": [{"name": "text", "type": "string"}, LABEL],
    "output": [LABEL],
    "validation": {"vote": "label", "gold": "author_confirmed", "validate": "fooling"},
}
OUTCOMES = {
    "correct": validation.RESOLUTION_CORRECT,
    "incorrect": validation.RESOLUTION_INCORRECT,
    "flagged": validation.RESOLUTION_FLAGGED,
    "disputed": validation.RESOLUTION_DISPUTED,
}
OWNER = UUID(int=7)
STATES = {"open": task.ROUND_STATE_OPEN, "closed": task.ROUND_STATE_CLOSED}


class Story:
    """Makes events; the same seed makes the same ids and times."""

    def __init__(self, seed: int = 1) -> None:
        self.random = random.Random(seed)
        self.now = START
        self.task_id, self.round_id, self.segment_id = self.new_id(), self.new_id(), self.new_id()
        self.targets = ["roberta", "deberta"]

    def new_id(self) -> UUID:
        return UUID(int=self.random.getrandbits(128), version=4)

    def event(self, message: Message, aggregate_id: UUID, version: int) -> Event:
        self.now += timedelta(seconds=self.random.randint(1, 20))
        name = message.DESCRIPTOR.full_name
        topic = name.rsplit(".", 1)[0]
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
            round_id=str(self.round_id), task_id=str(self.task_id), number=number, title="First",
            targets=self.targets, created_at=self.now, origin=origin,
        )  # fmt: skip
        return self.event(message, self.round_id, 1)

    def retargeted(self, targets: Sequence[str], version: int) -> Event:
        message = task.RoundTargetsChanged(
            round_id=str(self.round_id), targets=targets, changed_by=str(OWNER), changed_at=self.now
        )
        return self.event(message, self.round_id, version)

    def moved(self, state: str, version: int) -> Event:
        message = task.RoundStateChanged(
            round_id=str(self.round_id), state=STATES[state], changed_at=self.now
        )
        return self.event(message, self.round_id, version)

    def begun(self) -> Event:
        message = task.SegmentStarted(
            segment_id=str(self.segment_id), round_id=str(self.round_id), number=1, configuration_version=1,
            targets=[task.Target(name="roberta", model_digest="sha256:" + "0" * 64), task.Target(name="deberta")],
            started_at=self.now,
        )  # fmt: skip
        return self.event(message, self.round_id, 2)

    def tried(
        self, claimed: str, answered: Sequence[str], author_id: UUID | None = None, **fields: Any
    ) -> Event:
        """A try; an empty answer is a missing one. The verdict is that of `any`."""
        wrong = [bool(value) and value != claimed for value in answered]
        example_id = self.new_id()
        message = example.ExampleCreated(
            example_id=str(example_id),
            task_id=str(self.task_id),
            task_slug="sentiment",
            round_id=str(self.round_id),
            segment_id=str(self.segment_id),
            context_id=str(self.new_id()),
            context={"prompt": "A day at the sea."},
            input={"text": f"Sand in {self.random.randint(1, 10**6)} shoes."},
            claimed=claimed,
            answers=[
                example.TargetAnswer(
                    target=name, value=value, wrong=is_wrong, missing_reason="" if value else "deadline"
                )
                for name, value, is_wrong in zip(self.targets, answered, wrong, strict=False)
            ],
            verdict=example.VERDICT_FOOLED if any(wrong) else example.VERDICT_NOT_FOOLED,
            author_id=str(author_id) if author_id else "",
            cohort="volunteer",
            configuration_version=1,
            created_at=self.now,
            metadata={"topic": "travel", "remark": "Said freely."},
            context_tags=["sea"],
            **fields,
        )
        return self.event(message, example_id, 1)

    def about(self, tried: Event, message_type: type[Message], version: int, **fields: Any) -> Event:
        """A further event of an example."""
        message = message_type(example_id=str(tried.aggregate_id), round_id=str(self.round_id), **fields)
        return self.event(message, tried.aggregate_id, version)

    def explained(self, tried: Event, text: str, version: int = 2) -> Event:
        return self.about(
            tried, example.ExampleExplained, version, label_explanation=text, explained_at=self.now
        )

    def described(self, tried: Event, topic: str, version: int = 3) -> Event:
        return self.about(tried, example.MetadataGiven, version, metadata={"topic": topic}, given_at=self.now)

    def decided(self, tried: Event, wrong_targets: Sequence[str], version: int = 4) -> Event:
        verdict = example.VERDICT_FOOLED if wrong_targets else example.VERDICT_NOT_FOOLED
        return self.about(
            tried,
            example.VerdictDecided,
            version,
            verdict=verdict,
            wrong_targets=wrong_targets,
            decided_at=self.now,
        )

    def overruled(self, tried: Event, version: int = 6) -> Event:
        """An owner lets a duplicate count."""
        by, why = str(self.new_id()), "It was retold on purpose."
        return self.about(
            tried, example.DuplicateOverruled, version, overruled_by=by, reason=why, overruled_at=self.now
        )

    def retracted(self, tried: Event, version: int = 5) -> Event:
        return self.about(tried, example.ExampleRetracted, version, retracted_at=self.now)

    def voted(
        self,
        tried: Event,
        option: str,
        version: int,
        voter_id: UUID | None = None,
        vote_id: UUID | None = None,
    ) -> Event:
        return self.about(
            tried, validation.VoteCast, version,
            vote_id=str(vote_id or self.new_id()),
            voter_id=str(voter_id or self.new_id()),
            kind=validation.VOTE_KIND_LABEL,
            option=option,
            counted=True,
            cast_at=self.now,
        )  # fmt: skip

    def known_item_answered(self, vote: Event, version: int, *, taken_back: bool = False) -> Event:
        """Return the event for an answer to a known item, which was reported as a vote."""
        return self.about(
            vote, known_item.KnownItemAnswered, version,
            task_slug="sentiment",
            context={"prompt": "A day at the sea"},
            input={"text": "Please choose positive here."},
            vote=None if taken_back else vote.message,
            changed_at=self.now,
        )  # fmt: skip

    def judged(self, vote: Event, version: int) -> Event:
        return self.about(
            vote, validation.VoteJudged, version,
            vote_id=vote.message.vote_id,  # type: ignore[attr-defined]
            agrees=True,
            judged_at=self.now,
        )  # fmt: skip

    def withdrawn(self, vote: Event, version: int, cause: str = "undone") -> Event:
        vote_ids = [vote.message.vote_id]  # type: ignore[attr-defined]
        return self.about(
            vote, validation.VotesWithdrawn, version, vote_ids=vote_ids, cause=cause, withdrawn_at=self.now
        )

    def resolved(
        self, tried: Event, outcome: str, option: str = "", version: int = 3, adjudicated_by: str = ""
    ) -> Event:
        golds = [option] if option in LABELS else []
        return self.about(
            tried, validation.ExampleResolved, version,
            resolution=OUTCOMES[outcome],
            agreed_option=option,
            golds=golds,
            resolved_at=self.now,
            adjudicated_by=adjudicated_by,
        )  # fmt: skip

    def appealed(self, tried: Event, version: int = 4) -> Event:
        return self.about(tried, validation.ExampleAppealed, version, appealed_at=self.now)

    def unresolved(self, tried: Event, version: int) -> Event:
        return self.about(tried, validation.ResolutionWithdrawn, version, withdrawn_at=self.now)

    def opened(self, **changes: Any) -> list[Event]:
        return [self.configured(**changes), self.drafted(), self.begun(), self.moved("open", 3)]

    def confirmed(self, author_id: UUID | None, claimed: str = "negative") -> list[Event]:
        """A fooling try whose claim two people confirm."""
        tried = self.tried(claimed, ["positive" if claimed != "positive" else "neutral", ""], author_id)
        votes = [self.voted(tried, claimed, version) for version in (1, 2)]
        return [tried, *votes, self.resolved(tried, "correct", claimed)]

    def collected(self, authors: int = 12, each: int = 5, **changes: Any) -> list[Event]:
        """An open round in which every author's fooling tries were confirmed."""
        people = [self.new_id() for _ in range(authors)]
        tries = [self.confirmed(person, self.random.choice(LABELS)) for person in people for _ in range(each)]
        return [*self.opened(**changes), *(event for events in tries for event in events)]

    def finished(self, authors: int = 12, each: int = 5, **changes: Any) -> list[Event]:
        """The same round, closed."""
        return [*self.collected(authors, each, **changes), self.moved("closed", 4)]

    def everything(self, tries: int = 25) -> list[Event]:
        """Every kind of event, on examples that meet many fates."""
        people = [self.new_id() for _ in range(5)]
        events = [*self.opened(), self.retargeted(["electra"], 5), self.configured(2, languages=["de"])]
        for _ in range(tries):
            claimed, answer = self.random.choice(LABELS), self.random.choice((*LABELS, ""))
            tried = self.tried(claimed, [answer, "neutral"], self.random.choice([*people, None]))
            events += [tried, self.explained(tried, "first"), self.explained(tried, "second", 6)]
            events.append(self.described(tried, "food"))
            events += self._votes(tried, claimed)
            if self.random.random() < 0.2:
                events.append(self.decided(tried, ["roberta"]))
            if self.random.random() < 0.2:
                events.append(self.retracted(tried))
            if self.random.random() < 0.3:
                events.append(self.appealed(tried, self.random.choice((3, 9))))
        return [*events, self.moved("closed", 6)]

    def _votes(self, tried: Event, claimed: str) -> list[Event]:
        first, second = self.voted(tried, claimed, 1), self.voted(tried, "neutral", 2)
        events = [first, second, self.judged(first, 3)]
        if self.random.random() < 0.5:
            events.append(self.resolved(tried, self.random.choice(list(OUTCOMES)), claimed, 4))
        if self.random.random() < 0.4:
            events += [self.withdrawn(second, 5), self.unresolved(tried, 6)]
        if self.random.random() < 0.4:
            vote_id = UUID(second.message.vote_id)  # type: ignore[attr-defined]
            events.append(self.voted(tried, claimed, 7, vote_id=vote_id))
            events.append(self.resolved(tried, "correct", claimed, 8, str(self.new_id())))
        return events


@pytest.fixture(scope="session")
def new_story() -> Callable[..., Story]:
    """Return a maker of stories."""
    return Story
