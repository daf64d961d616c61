"""Owners decide, take that back and ask anew; authors see the votes and appeal: through HTTP, with what goes out."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from dynabench.validation.v1 import validation_pb2 as pb
from dynabench_common.identifiers import new_id

from .conftest import Someone, World

WHY = "Guideline 4 says so."


@pytest.fixture
def owner(world: World) -> Someone:
    return world.person("owner:sentiment")


def voted(world: World, words: str, **fields: Any) -> UUID:
    """Make an example on which different people gave these labels, the only one that waits."""
    example_id: UUID = world.example(**fields)
    for word in words.split():
        world.person().answer(world.round_id, word)
    return example_id


def decide(owner: Someone, example_id: UUID, value: Any = "negative", reason: str = WHY) -> Any:
    path = f"/examples/{example_id}/adjudication"
    return owner.send("PUT", path, kind="label", value=value, reason=reason)


def audited(world: World) -> list[tuple[str, str]]:
    return [(entry.action, entry.reason) for _, _, entry in world.published("audit")]


def test_a_dispute_is_decided_and_the_decision_reversed(world: World, owner: Someone) -> None:
    world.begin()
    example_id = voted(world, "negative positive neutral")
    decided = decide(owner, example_id)
    assert (decided.status_code, decided.get_json()["resolution"]) == (200, "correct")
    assert (decided.get_json()["golds"], decided.get_json()["pending"]) == (["negative"], False)
    assert world.counts()["correct"] == 1
    name, version, message = world.published()[-1]
    assert (name, version) == ("ExampleResolved", 5)
    assert (message.adjudicated_by, message.votes_counted) == (str(owner.person_id), 3)

    reversed_ = owner.send("DELETE", f"/examples/{example_id}/adjudication")
    assert (reversed_.status_code, reversed_.get_json()["resolution"]) == (200, "disputed")
    name, version, message = world.published()[-1]
    assert (name, version, message.adjudicated_by) == ("ExampleResolved", 6, "")
    assert audited(world) == [("example.adjudicated", WHY), ("example.adjudication_reversed", "")]
    entry = world.published("audit")[0][2]
    assert (entry.actor_id, entry.object_id) == (str(owner.person_id), str(example_id))
    assert (entry.task_slug, entry.round_id) == ("sentiment", str(world.round_id))
    assert dict(entry.details) == {"before": "disputed", "after": "correct"}


def test_a_reversed_decision_on_an_example_that_waited_lets_it_wait(world: World, owner: Someone) -> None:
    world.begin()
    example_id = voted(world, "positive")
    decide(owner, example_id)
    assert world.person().lease(world.round_id).get_json()["lease_id"] is None
    owner.send("DELETE", f"/examples/{example_id}/adjudication")
    assert [name for name, _, _ in world.published()] == [
        "VoteCast",
        "ExampleResolved",
        "ResolutionWithdrawn",
    ]
    world.person().answer(world.round_id, "positive")
    assert world.resolution(example_id) == "incorrect"


def test_an_owner_may_flag(world: World, owner: Someone) -> None:
    world.begin()
    example_id = voted(world, "negative negative")
    path = f"/examples/{example_id}/adjudication"
    assert owner.send("PUT", path, kind="flag", reason=WHY).get_json()["resolution"] == "flagged"


def test_the_same_decision_again_is_published_and_audited_once(world: World, owner: Someone) -> None:
    world.begin()
    example_id = voted(world, "negative positive neutral")
    assert decide(owner, example_id).get_json() == decide(owner, example_id).get_json()
    assert len(audited(world)) == 1
    assert len(world.published()) == 5


def test_later_facts_leave_a_decision_alone(world: World, owner: Someone) -> None:
    """The projection derives an example anew at each of its events, and at a correction of its configuration."""
    world.begin()
    example_id = voted(world, "negative positive neutral")
    decide(owner, example_id)
    before = world.rows("example_validation")
    world.apply(
        world.events.explained(example_id, "sand hurts"),
        replace(
            world.events.task(world.task_id, policy={"fixed": {"votes": 9, "agree": 5}}), aggregate_version=9
        ),
    )
    assert world.rows("example_validation") == before
    world.apply(world.events.retracted(example_id, version=4))
    row = world.rows("example_validation")[0]
    assert (row["resolution"], row["adjudicated_by"], row["retracted"]) == ("correct", owner.person_id, True)


def test_a_vote_after_the_decision_is_evidence(world: World, owner: Someone) -> None:
    world.begin()
    example_id = world.example()
    person = world.person()
    lease_id = person.hold(world.round_id)["lease_id"]
    decide(owner, example_id)
    late = person.vote(lease_id, kind="label", value="positive")
    assert (late.status_code, late.get_json()["counted"]) == (201, False)
    assert person.reveal(late.get_json()["vote_id"])["resolution"] == "correct"


@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        ({"kind": "label", "value": "lovely", "reason": WHY}, 422, "value"),
        ({"kind": "label", "reason": WHY}, 422, "value"),
        ({"kind": "judgement", "value": "correct", "reason": WHY}, 422, "kind"),
        ({"kind": "unsure", "reason": WHY}, 422, "kind"),
        ({"kind": "flag", "value": "negative", "reason": WHY}, 422, "value"),
        ({"kind": "label", "value": "negative"}, 422, "reason"),
        ({"kind": "label", "value": "negative", "reason": "  "}, 422, "reason"),
        ({"kind": "label", "value": "negative", "reason": "x" * 1001}, 422, "reason"),
    ],
)
def test_unusable_decisions(
    world: World, owner: Someone, body: dict[str, Any], status: int, field: str
) -> None:
    world.begin()
    example_id = voted(world, "negative positive neutral")
    refused = owner.send("PUT", f"/examples/{example_id}/adjudication", **body)
    assert (refused.status_code, refused.get_json()["field"]) == (status, field)
    assert refused.get_json()["remedy"]
    assert (audited(world), world.counts()["disputed"]) == ([], 1)


def test_who_decides(world: World, owner: Someone) -> None:
    world.begin()
    example_id = voted(world, "negative positive neutral")
    assert decide(world.person("owner:another"), example_id).status_code == 403
    assert decide(world.person("admin"), example_id).status_code == 200
    own = voted(world, "negative positive neutral", author_id=str(owner.person_id))
    refused = decide(owner, own)
    assert (refused.status_code, refused.get_json()["type"]) == (403, "/problems/own-example")


def test_nothing_to_reverse(world: World, owner: Someone) -> None:
    world.begin()
    example_id = voted(world, "negative negative")
    refused = owner.send("DELETE", f"/examples/{example_id}/adjudication")
    assert (refused.status_code, refused.get_json()["type"]) == (409, "/problems/not-adjudicated")


def appeal(author: Any, example_id: UUID, reason: str = "Look again.") -> Any:
    return author.send("POST", f"/examples/{example_id}/appeal", reason=reason)


def test_an_author_appeals_once_and_reads_the_answer(world: World, owner: Someone) -> None:
    world.begin()
    author = world.person()
    example_id = voted(world, "positive positive", author_id=str(author.person_id))
    path = f"/examples/{example_id}/votes"
    assert (author.get(path).get_json()["appeal"], author.get(path).get_json()["adjudication"]) == (
        None,
        None,
    )

    appealed = appeal(author, example_id)
    assert (appealed.status_code, appealed.get_json()["reason"]) == (201, "Look again.")
    assert world.published()[-1][:2] == ("ExampleAppealed", 4)
    again = appeal(author, example_id)
    assert (again.status_code, again.get_json()["type"]) == (409, "/problems/already-appealed")

    decide(owner, example_id, "positive", "Sand is a joke here.")
    read = author.get(path).get_json()
    assert (read["appeal"]["reason"], read["appeal"]["answer"]) == ("Look again.", "Sand is a joke here.")
    decision = read["adjudication"]
    assert (decision["resolution"], decision["reason"]) == ("incorrect", "Sand is a joke here.")
    assert audited(world) == [
        ("example.appealed", "Look again."),
        ("example.adjudicated", "Sand is a joke here."),
    ]


def test_what_can_not_be_appealed(world: World) -> None:
    world.begin()
    author = world.person()
    confirmed = voted(world, "negative negative", author_id=str(author.person_id))
    for words, problem in ((None, "nothing-to-appeal"), ("positive", "nothing-to-appeal")):
        example_id = confirmed if words is None else voted(world, words, author_id=str(author.person_id))
        refused = appeal(author, example_id)
        assert (refused.status_code, refused.get_json()["type"]) == (409, f"/problems/{problem}")
    stranger = appeal(world.person(), confirmed)
    assert (stranger.status_code, stranger.get_json()["type"]) == (403, "/problems/example-of-another")
    assert audited(world) == []


def test_an_author_reads_what_was_said_and_never_by_whom(world: World) -> None:
    """Also an author who owns the task; a flag's reason and what voters added later are for the author."""
    world.begin(policy={"fixed": {"votes": 3, "agree": 2}})
    author = world.person("annotator", "owner:sentiment")
    example_id = world.example(author_id=str(author.person_id))
    voters = [world.person() for _ in range(3)]
    voted_ids = [voter.answer(world.round_id, "positive")["vote_id"] for voter in voters[:2]]
    voters[2].vote(voters[2].hold(world.round_id)["lease_id"], kind="flag", reason="not English")
    voters[0].judge(voted_ids[0], False)
    read = author.get(f"/examples/{example_id}/votes")
    assert [(item["kind"], item["option"], item["reason"]) for item in read.get_json()["items"]] == [
        ("label", "positive", ""),
        ("label", "positive", ""),
        ("flag", "", "not English"),
    ]
    assert [item["agrees"] for item in read.get_json()["items"]] == [False, None, None]
    assert {item["voter_id"] for item in read.get_json()["items"]} == {None}
    assert not [voter for voter in voters if str(voter.person_id) in read.text]


def test_a_requeued_example_goes_to_other_people(world: World, owner: Someone) -> None:
    world.begin()
    example_id = world.example()
    voters = [world.person() for _ in range(2)]
    for voter in voters:
        voter.answer(world.round_id, "positive")
    requeued = requeue(world, owner, example_id)
    assert (requeued.status_code, requeued.get_json()) == (200, {"requeued": 1})
    name, _, message = world.published()[-2]
    assert (name, message.cause, len(message.vote_ids)) == ("VotesWithdrawn", "requeued", 2)
    assert world.published()[-1][0] == "ResolutionWithdrawn"
    assert (world.counts()["votes"], world.counts()["pending"]) == (0, 1)
    assert all(voter.lease(world.round_id).get_json()["lease_id"] is None for voter in voters)
    items = owner.get(f"/examples/{example_id}/votes").get_json()["items"]
    assert [(item["counted"], item["set_aside"]) for item in items] == [(False, True)] * 2
    for _ in range(2):
        world.person().answer(world.round_id, "negative")
    assert world.resolution(example_id) == "correct"
    assert audited(world) == [("example.requeued", WHY)]


def test_nobody_requeues_an_example_of_their_own(world: World, owner: Someone) -> None:
    world.begin()
    others, own = world.example(), world.example(author_id=str(owner.person_id))
    for _ in range(2):
        world.person().answer(world.round_id, "positive")
    refused = requeue(world, owner, others, own)
    assert (refused.status_code, refused.get_json()["type"]) == (403, "/problems/own-example")
    assert str(own) in refused.get_json()["detail"]
    assert world.counts()["votes"] == 2


def requeue(world: World, owner: Someone, *example_ids: UUID) -> Any:
    ids = [str(example_id) for example_id in example_ids]
    return owner.send("POST", f"/rounds/{world.round_id}/requeue", example_ids=ids, reason=WHY)


def test_an_example_that_the_task_would_not_ask_about_waits_once_it_is_requeued(
    world: World, owner: Someone
) -> None:
    world.begin("closed")
    votes = [{"voter_id": str(new_id()), "kind": "label", "option": "positive"} for _ in range(2)]
    example_id = world.example(verdict="not_fooled", imported_votes=votes)
    assert requeue(world, owner, example_id).get_json() == {"requeued": 1}
    world.apply(world.events.explained(example_id, "the projection looks at it again"))
    assert world.counts()["pending"] == 1


def test_requeueing_is_all_or_nothing(world: World, owner: Someone) -> None:
    world.begin()
    mine = voted(world, "positive positive")
    world.round_id, elsewhere = new_id(), world.round_id
    world.apply(world.events.round(world.round_id, world.task_id))
    other = world.example()
    world.round_id = elsewhere
    for stranger in (other, new_id()):
        refused = requeue(world, owner, mine, stranger)
        assert (refused.status_code, refused.get_json()["type"]) == (422, "/problems/example-not-in-round")
        assert str(stranger) in refused.get_json()["detail"]
    assert world.counts()["incorrect"] == 1
    assert requeue(world, owner, mine, mine).get_json() == {"requeued": 1}
    assert requeue(world, owner, mine).get_json() == {"requeued": 0}
    assert requeue(world, owner).status_code == 422
    assert requeue(world, owner, *(new_id() for _ in range(201))).status_code == 422
    assert requeue(world, world.person("owner:another"), mine).status_code == 403


RELEASED: list[Callable[[Any, Any, Any, UUID], Any]] = [
    lambda world, owner, author, example_id: decide(owner, example_id),
    lambda world, owner, author, example_id: owner.send("DELETE", f"/examples/{example_id}/adjudication"),
    lambda world, owner, author, example_id: appeal(author, example_id),
    lambda world, owner, author, example_id: requeue(world, owner, example_id),
]


@pytest.mark.parametrize("act", RELEASED, ids=["decide", "reverse", "appeal", "requeue"])
def test_nothing_changes_once_the_round_is_released(
    world: World, owner: Someone, act: Callable[..., Any]
) -> None:
    world.begin()
    author = world.person()
    example_id = voted(world, "positive positive", author_id=str(author.person_id))
    world.apply(world.events.round_state(world.round_id, "released", version=3))
    refused = act(world, owner, author, example_id)
    assert (refused.status_code, refused.get_json()["type"]) == (409, "/problems/round-released")
    assert len(world.published()) == 3
    assert audited(world) == []


def test_events_name_every_field(world: World, owner: Someone) -> None:
    world.begin()
    author = world.person()
    example_id = voted(world, "positive positive", author_id=str(author.person_id))
    appeal(author, example_id)
    requeue(world, owner, example_id)
    messages = {name: message for name, _, message in world.published()}
    for name in ("VotesWithdrawn", "ResolutionWithdrawn", "ExampleAppealed"):
        fields = {field.name for field, _ in messages[name].ListFields()}
        assert fields == set(getattr(pb, name).DESCRIPTOR.fields_by_name)
