"""Fifty people at once who vote, think again, skip, ask for more time and walk away: what must hold whatever happens.

The clock goes on by a second with every look at it, so leases run out while people work and nobody has to wait.
"""

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from random import Random
from typing import Any
from uuid import UUID

import pytest
from dynabench_api.words import NoOfferState
from dynabench_common.identifiers import new_id
from dynabench_tasks.resolution import Adaptive, decide
from dynabench_tasks.votes import VoteAnswer, VoteKind, equal_answers
from sqlalchemy import create_engine, text
from validation.adapters.unit_of_work import UnitOfWork
from validation.domain.ballots import Ballot
from validation.domain.errors import LeaseExpired, SlotTaken, UndoTooLate, VoteFollowed, VoteSettled
from validation.domain.identifiers import PersonId, RoundId, VoteId
from validation.domain.queue import Lease
from validation.service_layer.dependencies import Dependencies
from validation.service_layer.leases import (
    LeaseNext,
    Offer,
    lease_next,
    renew_lease,
    skip_lease,
)
from validation.service_layer.votes import CastVote, ChangeVote, cast_vote, change_vote, undo_vote

from .conftest import World

PEOPLE, EXAMPLES, MAX_VOTES, LEASE_SECONDS = 50, 30, 3, 300
POLICY = Adaptive(agree=2, max_votes=MAX_VOTES)
SECONDS_LOST = (LeaseExpired, SlotTaken, UndoTooLate, VoteFollowed, VoteSettled)
"""Refusals of a person who was too slow."""
HELD = """
SELECT e.example_id, e.votes_counted, array_agg(l.expires_at) AS until
FROM example_validation e JOIN lease l ON l.resource_id = e.example_id
WHERE e.resolution IS NULL GROUP BY e.example_id
"""


class RunningClock:
    """Clock that advances by a second at each reading."""

    def __init__(self) -> None:
        self._seconds = count()
        self._start = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)

    def now(self) -> datetime:
        """Return a later time at each call."""
        return self._start + timedelta(seconds=next(self._seconds))


@dataclass
class Crowd:
    """The service and the round that all members share."""

    app: Dependencies
    round_id: RoundId

    def ask(self, person_id: PersonId) -> Any:
        return lease_next(LeaseNext(self.round_id, person_id), self.app)


@dataclass
class Member:
    """A thread that acts for one person; when that person leaves, it acts for a new one."""

    crowd: Crowd
    random: Random
    person_id: PersonId
    done: Counter[str] = field(default_factory=Counter)

    def work(self) -> None:
        """Do something with each example until none is left for this person."""
        while True:
            offer = self.crowd.ask(self.person_id)
            if isinstance(offer, Offer):
                with suppress(*SECONDS_LOST):
                    self._act(offer.lease)
            elif offer.state is not NoOfferState.OTHERS_WORKING:
                return

    def _act(self, lease: Lease) -> None:
        act: Callable[[Lease], object] = self.random.choices(
            [self.vote, self.undo, self.change, self.renew, self.doze, self.skip, self.walk_away],
            weights=[8, 6, 4, 4, 1, 2, 2],
        )[0]
        act(lease)
        self.done[act.__name__] += 1

    def vote(self, lease: Lease) -> VoteId:
        label = self.random.choice(["negative", "positive", "unsure"])
        command = CastVote(lease.lease_id, self.person_id, ballot(label))
        document = cast_vote(command, self.crowd.app).document
        return VoteId(UUID(document["vote_id"]))

    def undo(self, lease: Lease) -> None:
        """Leave the fresh lease to the next question for work, which must give it back."""
        undo_vote(self.vote(lease), self.person_id, self.crowd.app)

    def change(self, lease: Lease) -> None:
        command = ChangeVote(self.vote(lease), self.person_id, ballot("negative"))
        change_vote(command, self.crowd.app)

    def renew(self, lease: Lease) -> None:
        renew_lease(lease.lease_id, self.person_id, self.crowd.app)
        self.vote(lease)

    def doze(self, lease: Lease) -> None:
        """Ask for more time when it is over; somebody may have the slot by then."""
        for _ in range(LEASE_SECONDS):
            self.crowd.app.clock.now()
        self.renew(lease)

    def skip(self, lease: Lease) -> None:
        skip_lease(lease.lease_id, self.person_id, self.crowd.app)

    def walk_away(self, _lease: Lease) -> None:
        self.person_id = PersonId(new_id())


def ballot(label: str) -> Ballot:
    return Ballot(VoteKind.UNSURE) if label == "unsure" else Ballot(VoteKind.LABEL, label)


@pytest.fixture
def crowd(world: World, validation_database: str) -> Iterator[Crowd]:
    """A connection for each person: who waits, waits for the example alone, and as long as it takes."""
    engine = create_engine(validation_database, pool_size=PEOPLE + 1, max_overflow=0, pool_timeout=600)
    app = replace(world.app, engine=engine, unit_of_work=lambda: UnitOfWork(engine), clock=RunningClock())
    yield Crowd(app, RoundId(world.round_id))
    engine.dispose()


def overfull(crowd: Crowd) -> list[UUID]:
    """Return the examples with more people at work than votes may still be needed.

    The time is read after the leases: so none counts here that a person who asked meanwhile found expired.
    """
    with crowd.app.engine.connect() as connection:
        held = connection.execute(text(HELD)).all()
    now = crowd.app.clock.now()
    return [
        row.example_id
        for row in held
        if row.votes_counted + sum(until > now for until in row.until) > MAX_VOTES
    ]


def watch(crowd: Crowd, over: threading.Event) -> tuple[int, list[UUID]]:
    """Look until the work is over; return how often, and what was found."""
    looks, found = 0, []
    while not over.is_set():
        found += overfull(crowd)
        looks += 1
    return looks, found


def at_once(crowd: Crowd, people: list[PersonId]) -> Counter[str]:
    """Let everybody start together and work till the end, and return what they did."""
    start = threading.Barrier(len(people))

    def run(number: int) -> Counter[str]:
        member = Member(crowd, Random(number), people[number])
        start.wait()
        member.work()
        return member.done

    with ThreadPoolExecutor(len(people)) as pool:
        return sum(pool.map(run, range(len(people))), Counter())


def replayed(world: World) -> dict[str, tuple[set[str], bool]]:
    """Return by example what the events say: which votes there are, and whether it is resolved."""
    found: dict[str, tuple[set[str], bool]] = {}
    for name, _, message in world.published():
        votes, resolved = found.get(message.example_id, (set(), False))
        if name == "VoteCast":
            votes = votes | {message.vote_id}
        elif name == "VotesWithdrawn":
            votes = votes - set(message.vote_ids)
        else:
            resolved = name == "ExampleResolved"
        found[message.example_id] = (votes, resolved)
    return found


@pytest.mark.long
def test_a_crowd_of_fifty_leaves_nothing_undone_and_nothing_twice(world: World, crowd: Crowd) -> None:
    policy = {"agree": POLICY.agree, "max_votes": POLICY.max_votes}
    world.begin(policy={"adaptive": policy}, lease_seconds=LEASE_SECONDS)
    people = [PersonId(new_id()) for _ in range(PEOPLE)]
    authors = {world.example(author_id=str(person)): person for person in people[:EXAMPLES]}
    over = threading.Event()
    with ThreadPoolExecutor(1) as watchman:
        watching = watchman.submit(watch, crowd, over)
        try:
            done = at_once(crowd, people)
        finally:
            over.set()
    looks, found = watching.result()
    assert (looks > 0, found) == (True, [])
    assert all(done[act] for act in ("vote", "skip", "walk_away")), done
    while world.counts()["pending"]:
        Member(crowd, Random(0), PersonId(new_id())).work()

    votes = world.rows("vote")
    assert not [row for row in votes if authors[row["example_id"]] == row["voter_id"]]
    each = Counter((row["example_id"], row["voter_id"]) for row in votes)
    assert set(each.values()) == {1}
    counted = Counter(row["example_id"] for row in votes if row["counted"])
    assert max(counted.values()) <= MAX_VOTES
    said: dict[UUID, list[VoteAnswer]] = {}
    for row in world.rows("vote", "version"):
        said.setdefault(row["example_id"], []).append(VoteAnswer(VoteKind(row["kind"]), row["option"]))
    assert not [answers for answers in said.values() if decide(POLICY, answers, equal_answers) is None]
    states = world.rows("example_validation")
    assert {row["example_id"]: row["votes_counted"] for row in states if row["votes_counted"]} == counted
    assert not [row for row in states if row["resolution"] is None]

    versions = Counter((row["aggregate_id"], row["aggregate_version"]) for row in world.rows("outbox"))
    assert set(versions.values()) == {1}
    cast = {str(row["example_id"]): set[str]() for row in states}
    for row in votes:
        cast[str(row["example_id"])].add(str(row["vote_id"]))
    assert replayed(world) == {example_id: (vote_ids, True) for example_id, vote_ids in cast.items()}
