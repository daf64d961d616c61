"""Leases of the validation queue, and the reasons why it is empty."""

import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from dynabench_common.identifiers import new_id
from dynabench_tasks.votes import VoteKind
from sqlalchemy import text
from validation.domain.ballots import Ballot
from validation.domain.identifiers import ExampleId, LeaseId, PersonId, RoundId
from validation.service_layer.leases import LeaseNext, Offer, lease_next
from validation.service_layer.votes import CastVote, cast_vote

from .conftest import Someone, World


def served(person: Someone, round_id: UUID) -> UUID | None:
    answer = person.lease(round_id).get_json()
    return UUID(answer["example"]["example_id"]) if answer["lease_id"] else None


def test_the_same_person_gets_the_live_lease_back_and_later_a_new_one(world: World) -> None:
    world.begin()
    world.example()
    person = world.person()
    first = person.hold(world.round_id)
    assert person.hold(world.round_id) == first
    world.clock.move(301)
    assert person.hold(world.round_id)["lease_id"] != first["lease_id"]


def test_a_lease_lasts_as_long_as_the_configuration_says(world: World) -> None:
    world.begin(lease_seconds=42)
    world.example()
    expires_at = world.person().hold(world.round_id)["expires_at"]
    assert expires_at == (world.clock.now() + timedelta(seconds=42)).isoformat().replace("+00:00", "Z")


def test_fooling_comes_first_then_the_least_voted_then_the_oldest(world: World) -> None:
    world.begin(validate="all")
    world.example(verdict="not_fooled")
    young = world.example(created_at=world.clock.now())
    old = world.example()
    voted = world.example(created_at=world.clock.now() - timedelta(days=3))
    assert served(world.person(), world.round_id) == voted
    voter = world.person()
    voter.vote(voter.hold(world.round_id)["lease_id"], kind="label", value="negative")
    world.clock.move(400)
    assert served(voter, world.round_id) == old
    assert served(world.person(), world.round_id) == old
    assert served(world.person(), world.round_id) == young


def test_spare_slots_are_given_only_when_no_needed_one_is_left(world: World) -> None:
    """Two of three: the third slot of an example may turn out not to be needed."""
    world.begin()
    examples = {world.example(), world.example()}
    got = [served(world.person(), world.round_id) for _ in range(6)]
    assert set(got) == examples
    assert Counter(got[:4]) == dict.fromkeys(examples, 2)
    assert Counter(got) == dict.fromkeys(examples, 3)
    assert served(world.person(), world.round_id) is None


UNCERTAIN = {"validate": {"uncertain": {"margin_below": 0.3}}}


@pytest.mark.parametrize(
    ("rules", "verdict", "probabilities", "waits"),
    [
        ({"validate": "fooling"}, "fooled", {}, True),
        ({"validate": "fooling"}, "not_fooled", {}, False),
        ({"validate": "fooling", "sample": 1.0}, "not_fooled", {}, True),
        ({"validate": "all"}, "not_fooled", {}, True),
        (UNCERTAIN, "not_fooled", {"positive": 0.6, "negative": 0.4}, True),
        (UNCERTAIN, "not_fooled", {"positive": 0.9, "negative": 0.1}, False),
        # Undecided examples wait only where everything or a sample does.
        ({"validate": "fooling"}, "undecided", {}, False),
        ({"validate": "fooling", "sample": 1.0}, "undecided", {}, True),
        ({"validate": "all"}, "undecided", {}, True),
        (UNCERTAIN, "undecided", {"positive": 0.6, "negative": 0.4}, False),
    ],
)
def test_what_waits_follows_the_configuration(
    world: World, rules: dict[str, Any], verdict: str, probabilities: dict[str, float], waits: bool
) -> None:
    world.begin(**rules)
    example_id = world.example(verdict=verdict, probabilities=probabilities)
    assert served(world.person(), world.round_id) == (example_id if waits else None)
    assert world.counts()["pending"] == int(waits)
    assert world.counts()["pending_fooling"] == int(waits and verdict == "fooled")
    assert world.counts()["not_asked"] == int(not waits)


def test_examples_of_a_control_arm_wait_under_every_rule(world: World) -> None:
    world.begin(validate="fooling")
    example_id = world.example(verdict="undecided", answers=[])
    assert served(world.person(), world.round_id) == example_id
    assert world.counts()["not_asked"] == 0
    world.example(verdict="undecided", answers=[], source_id="written elsewhere")
    assert world.counts()["not_asked"] == 1


@pytest.mark.parametrize(("verdict", "waits"), [("fooled", True), ("not_fooled", False)])
def test_an_undecided_example_waits_once_its_author_decided_that_it_fools(
    world: World, verdict: str, waits: bool
) -> None:
    world.begin()
    example_id = world.example(verdict="undecided")
    assert served(world.person(), world.round_id) is None
    world.apply(world.events.decided(example_id, verdict))
    assert world.counts()["pending_fooling"] == int(waits)
    assert served(world.person(), world.round_id) == (example_id if waits else None)


def test_a_skipped_example_goes_to_another_person_and_comes_back_tomorrow(world: World) -> None:
    world.begin(policy={"adaptive": {"agree": 1, "max_votes": 1}})
    example_id = world.example()
    person = world.person()
    assert person.skip(person.hold(world.round_id)["lease_id"]).status_code == 204
    assert served(person, world.round_id) is None
    other = world.person()
    assert served(other, world.round_id) == example_id
    other.skip(other.hold(world.round_id)["lease_id"])
    world.clock.move(24 * 3600)
    assert served(person, world.round_id) == example_id


def test_an_empty_queue_says_why(world: World) -> None:
    world.begin()
    person, colleague = world.person(), world.person()

    def state(caller: Any) -> str:
        answer = caller.lease(world.round_id)
        assert answer.status_code == 200
        assert answer.get_json()["lease_id"] is None
        assert answer.get_json()["retry_after_seconds"] > 0
        assert answer.get_json()["reason"]
        found: str = answer.get_json()["state"]
        return found

    assert state(person) == "nothing_waits"
    world.example(author_id=str(person.person_id))
    assert state(person) == "only_own"
    for _ in range(3):
        world.person().hold(world.round_id)
    assert state(colleague) == "others_working"
    world.clock.move(301)
    colleague.answer(world.round_id, "negative")
    assert state(colleague) == "all_answered"


def test_an_expired_lease_counts_while_its_slot_is_free(world: World) -> None:
    world.begin(policy={"adaptive": {"agree": 1, "max_votes": 1}})
    world.example()
    slow = world.person()
    lease_id = slow.hold(world.round_id)["lease_id"]
    world.clock.move(301)
    assert slow.vote(lease_id, kind="label", value="negative").status_code == 201


def test_an_expired_lease_whose_slot_is_taken_is_refused(world: World) -> None:
    world.begin(policy={"adaptive": {"agree": 1, "max_votes": 1}})
    world.example()
    slow, quick = world.person(), world.person()
    lease_id = slow.hold(world.round_id)["lease_id"]
    world.clock.move(301)
    taken = quick.hold(world.round_id)["lease_id"]
    refused = slow.vote(lease_id, kind="label", value="negative")
    assert (refused.status_code, refused.get_json()["type"]) == (409, "/problems/lease-expired")
    assert refused.get_json()["remedy"]
    assert world.rows("vote") == []
    quick.vote(taken, kind="label", value="negative")
    assert world.resolution() == "correct"
    assert slow.vote(lease_id, kind="label", value="negative").status_code == 409


def test_a_draft_and_a_released_round_take_no_votes(world: World) -> None:
    world.apply(
        world.events.task(world.task_id),
        world.events.round(world.round_id, world.task_id),
    )
    world.example()
    draft = world.person().lease(world.round_id)
    assert (draft.status_code, draft.get_json()["state"]) == (200, "round_takes_no_votes")
    assert "draft" in draft.get_json()["reason"]
    world.apply(world.events.round_state(world.round_id, "open", version=2))
    person = world.person()
    lease_id = person.hold(world.round_id)["lease_id"]
    world.apply(world.events.round_state(world.round_id, "released", version=3))
    for refused in (
        person.vote(lease_id, kind="label", value="negative"),
        person.send("PUT", f"/leases/{lease_id}"),
    ):
        assert (refused.status_code, refused.get_json()["type"]) == (409, "/problems/round-takes-no-votes")
    assert person.lease(world.round_id).get_json()["state"] == "round_takes_no_votes"


def test_leases_that_are_out_when_a_round_closes_are_voted_on(world: World) -> None:
    world.begin()
    world.example()
    person = world.person()
    lease_id = person.hold(world.round_id)["lease_id"]
    assert world.counts()["leases_out"] == 1
    world.apply(world.events.round_state(world.round_id, "closed", version=3))
    assert person.send("PUT", f"/leases/{lease_id}").status_code == 200
    assert person.vote(lease_id, kind="label", value="negative").get_json()["counted"]
    assert world.counts()["leases_out"] == 0


def at_once(work: Callable[[int], Any], people: int) -> list[Any]:
    """Run `work` for every person in a thread of its own, all starting together."""
    start = threading.Barrier(people)

    def run(number: int) -> Any:
        start.wait()
        return work(number)

    with ThreadPoolExecutor(people) as pool:
        return list(pool.map(run, range(people)))


def test_fifty_at_once_get_no_example_too_often(world: World) -> None:
    """Seven examples with three slots each, and fifty people: every slot is given once."""
    world.begin()
    for _ in range(7):
        world.example()
    people = [PersonId(new_id()) for _ in range(50)]

    def ask(number: int) -> Any:
        return lease_next(LeaseNext(RoundId(world.round_id), people[number]), world.app)

    offers = [offer for offer in at_once(ask, 50) if isinstance(offer, Offer)]
    per_example = Counter(offer.example.example_id for offer in offers)
    assert len(per_example) == 7
    assert set(per_example.values()) == {3}
    assert len({offer.lease.lease_id for offer in offers}) == 21


def test_one_person_asking_twenty_times_at_once_gets_one_lease(world: World) -> None:
    world.begin()
    for _ in range(5):
        world.example()
    command = LeaseNext(RoundId(world.round_id), PersonId(new_id()))
    offers = at_once(lambda _: lease_next(command, world.app), 20)
    assert len({offer.lease.lease_id for offer in offers}) == 1
    assert len(world.rows("lease")) == 1


def test_fifty_people_working_at_once_never_overshoot(world: World) -> None:
    """People take what they get and vote, until nothing is left; each example gets what its policy asks for."""
    world.begin()
    for _ in range(30):
        world.example()

    def work(number: int) -> int:
        person, cast = PersonId(new_id()), 0
        label = ("negative", "positive")[number % 2]
        while cast < 10:
            offer = lease_next(LeaseNext(RoundId(world.round_id), person), world.app)
            if not isinstance(offer, Offer):
                break
            ballot = Ballot(VoteKind.LABEL, label)
            cast_vote(CastVote(offer.lease.lease_id, person, ballot), world.app)
            cast += 1
        return cast

    total = sum(at_once(work, 50))
    with world.engine.connect() as connection:
        votes = connection.execute(
            text("SELECT example_id, count(*) AS cast, sum(counted::int) AS counted FROM vote GROUP BY 1")
        ).all()
    assert len(votes) == 30
    assert sum(row.cast for row in votes) == total
    assert all(row.cast <= 3 and row.counted in (2, 3) for row in votes)
    assert world.counts()["resolved"] == 30
    assert world.rows("lease") == []
    versions = Counter((row["aggregate_id"], row["aggregate_version"]) for row in world.rows("outbox"))
    assert set(versions.values()) == {1}


def test_two_people_voting_in_the_same_instant_are_both_counted(world: World) -> None:
    world.begin()
    example_id = world.example()
    held = []
    for _ in range(2):
        person = world.person()
        held.append((LeaseId(UUID(person.hold(world.round_id)["lease_id"])), PersonId(person.person_id)))

    def vote(number: int) -> Any:
        lease_id, person_id = held[number]
        return cast_vote(CastVote(lease_id, person_id, Ballot(VoteKind.LABEL, "negative")), world.app)

    replies = at_once(vote, 2)
    assert [reply.document["counted"] for reply in replies] == [True, True]
    assert world.resolution(example_id) == "correct"
    assert [name for name, _, _ in world.published()] == ["VoteCast", "VoteCast", "ExampleResolved"]
    assert [row["example_id"] for row in world.rows("vote")] == [ExampleId(example_id)] * 2


def test_the_same_vote_sent_ten_times_at_once_is_one_vote(world: World) -> None:
    world.begin()
    world.example()
    person = world.person()
    lease_id = LeaseId(UUID(person.hold(world.round_id)["lease_id"]))
    command = CastVote(lease_id, PersonId(person.person_id), Ballot(VoteKind.LABEL, "negative"), "once")
    replies = at_once(lambda _: cast_vote(command, world.app), 10)
    assert len({reply.document["vote_id"] for reply in replies}) == 1
    assert sum(not reply.replayed for reply in replies) == 1
    assert len(world.rows("vote")) == 1
