"""Lease, vote, resolution: the path of an example through validation."""

from uuid import UUID

import pytest
from dynabench.validation.v1 import validation_pb2 as pb
from validation.queries import validators

from .conftest import World

AUTHORS_WORD = "sand in one's eyes is no pleasure"


def test_an_example_goes_from_queue_to_resolution(world: World) -> None:
    world.begin()
    example_id = world.example()
    world.apply(world.events.explained(example_id, AUTHORS_WORD))
    first, second = world.person(), world.person()

    lease = first.hold(world.round_id)
    assert lease["example"]["example_id"] == str(example_id)
    assert (lease["options"], lease["vote"]) == (["negative", "neutral", "positive"], "label")

    vote = first.vote(lease["lease_id"], kind="label", value="negative")
    assert vote.status_code == 201
    assert vote.get_json()["counted"]
    assert (vote.get_json()["resolution"], vote.get_json()["reveal"]) == (None, None)
    revealed = first.reveal(vote.get_json()["vote_id"])
    reveal = revealed["reveal"]
    assert (reveal["claimed"], reveal["explanation"]) == ("negative", AUTHORS_WORD)
    assert revealed["resolution"] is None

    second.answer(world.round_id, "negative")
    assert world.resolution(example_id) == "correct"
    assert world.counts() == {
        "round_id": str(world.round_id),
        "examples": 1,
        "votes": 2,
        "resolved": 1,
        "correct": 1,
        "incorrect": 0,
        "flagged": 0,
        "disputed": 0,
        "no_claim": 0,
        "pending": 0,
        "pending_fooling": 0,
        "not_asked": 0,
        "leases_out": 0,
    }
    events = world.published()
    assert [(name, version) for name, version, _ in events] == [
        ("VoteCast", 1),
        ("VoteCast", 2),
        ("ExampleResolved", 3),
    ]
    resolved = events[-1][2]
    assert resolved.resolution == pb.RESOLUTION_CORRECT
    assert (resolved.agreed_option, resolved.agreed_is_task_label) == ("negative", True)
    assert events[0][2].voter_id == str(first.person_id)


def test_validators_are_blind(world: World) -> None:
    """Nothing that says what author or model think reaches a validator before the vote."""
    world.begin()
    author_id = str(world.person().person_id)
    example_id = world.example(author_id=author_id, claimed="negative")
    world.apply(world.events.explained(example_id, AUTHORS_WORD))
    response = world.person().lease(world.round_id)
    assert set(response.get_json()["example"]) == {"example_id", "context", "input", "claim_to_judge"}
    assert response.get_json()["example"]["claim_to_judge"] is None
    assert response.get_json()["example"]["input"] == {"text": "Lovely, if you like sand in your eyes."}
    without_options = response.text.replace('"options":["negative","neutral","positive"]', "")
    for secret in (author_id, "negative", "positive", "fooled", AUTHORS_WORD):
        assert secret not in without_options


def test_a_task_that_votes_by_judgement_shows_the_claim_and_nothing_else(world: World) -> None:
    world.begin(vote="judgement", policy={"adaptive": {"agree": 2, "max_votes": 3}})
    world.example()
    for _ in range(2):
        person = world.person()
        lease = person.hold(world.round_id)
        assert (lease["vote"], lease["options"]) == ("judgement", ["correct", "incorrect"])
        assert lease["example"]["claim_to_judge"] == "negative"
        vote = person.vote(lease["lease_id"], kind="judgement", value="incorrect")
    assert person.reveal(vote.get_json()["vote_id"])["resolution"] == "incorrect"


@pytest.mark.parametrize(
    ("answers", "resolution"),
    [
        (["negative", "positive", "neutral"], "disputed"),
        (["positive", "positive"], "incorrect"),
        ([None, None], "flagged"),
    ],
)
def test_other_ends(world: World, answers: list[str | None], resolution: str) -> None:
    world.begin()
    world.example()
    for label in answers:
        person = world.person()
        lease_id = person.hold(world.round_id)["lease_id"]
        body = {"kind": "label", "value": label} if label else {"kind": "flag", "reason": "not English"}
        last = person.vote(lease_id, **body)
    assert person.reveal(last.get_json()["vote_id"])["resolution"] == resolution
    assert world.counts()[resolution] == 1
    assert world.rows("example_validation")[0]["possible_slots"] == 0


def test_unsure_leaves_the_slot_to_another_and_the_third_disputes(world: World) -> None:
    world.begin(policy={"adaptive": {"agree": 1, "max_votes": 1}})
    world.example()
    replies, resolutions = [], []
    for _ in range(3):
        person = world.person()
        replies.append(person.vote(person.hold(world.round_id)["lease_id"], kind="unsure").get_json())
        resolutions.append(world.resolution())
        assert person.lease(world.round_id).get_json()["lease_id"] is None
    assert [reply["counted"] for reply in replies] == [False, False, False]
    assert resolutions == [None, None, "disputed"]
    assert world.counts()["votes"] == 0


def test_a_fixed_number_of_votes_is_collected_whole(world: World) -> None:
    world.begin(
        policy={"fixed": {"votes": 5, "agree": 3}}, options=["negative", "neutral", "positive", "mixed"]
    )
    world.example()
    resolutions = []
    for _ in range(5):
        world.person().answer(world.round_id, "mixed")
        resolutions.append(world.resolution())
    assert resolutions == [None] * 4 + ["incorrect"]
    resolved = world.published()[-1][2]
    assert (resolved.agreed_option, resolved.agreed_is_task_label, resolved.votes_counted) == (
        "mixed",
        False,
        5,
    )


def test_a_vote_after_the_resolution_is_kept_and_changes_nothing(world: World) -> None:
    world.begin()
    world.example()
    people = [world.person() for _ in range(3)]
    leases = [person.hold(world.round_id)["lease_id"] for person in people]
    for person, lease_id in zip(people[:2], leases[:2], strict=True):
        person.vote(lease_id, kind="label", value="negative")
    late = people[2].vote(leases[2], kind="label", value="positive")
    assert late.status_code == 201
    assert late.get_json()["counted"] is False
    assert people[2].reveal(late.get_json()["vote_id"])["resolution"] == "correct"
    assert (world.counts()["votes"], world.counts()["correct"]) == (2, 1)
    name, version, message = world.published()[-1]
    assert (name, version, message.counted) == ("VoteCast", 4, False)


def test_a_judgement_is_stored_and_never_counts(world: World) -> None:
    world.begin()
    world.example()
    person = world.person()
    vote_id = person.answer(world.round_id, "positive")["vote_id"]
    for agrees in (True, True, False):
        response = person.judge(vote_id, agrees)
        assert (response.status_code, response.get_json()["agrees"]) == (200, agrees)
    assert world.counts()["resolved"] == 0
    events = world.published()
    assert [(name, version) for name, version, _ in events] == [
        ("VoteCast", 1),
        ("VoteJudged", 2),
        ("VoteJudged", 3),
    ]
    assert [message.agrees for _, _, message in events[1:]] == [True, False]


def test_a_repeated_key_gets_the_first_reply(world: World) -> None:
    world.begin()
    world.example()
    person = world.person()
    lease_id = person.hold(world.round_id)["lease_id"]
    first = person.vote(lease_id, key="k-1", kind="label", value="negative")
    again = person.vote(lease_id, key="k-1", kind="label", value="negative")
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.get_json() == first.get_json()
    assert again.headers["Idempotency-Replayed"] == "true"
    assert len(world.rows("vote")) == 1
    assert len(world.published()) == 1


def test_retraction_takes_an_example_out_of_the_queue_and_keeps_its_votes(world: World) -> None:
    world.begin()
    example_id = world.example()
    first, second = world.person(), world.person()
    first.answer(world.round_id, "negative")
    lease_id = second.hold(world.round_id)["lease_id"]
    world.apply(world.events.retracted(example_id))
    refused = second.vote(lease_id, kind="label", value="negative")
    assert (refused.status_code, refused.get_json()["type"]) == (409, "/problems/example-retracted")
    assert second.lease(world.round_id).get_json()["lease_id"] is None
    assert world.counts()["pending"] == 0
    assert (world.counts()["votes"], world.counts()["resolved"]) == (1, 0)


def test_a_resolution_outlives_the_retraction(world: World) -> None:
    world.begin()
    example_id = world.example()
    for _ in range(2):
        world.person().answer(world.round_id, "negative")
    world.apply(world.events.retracted(example_id))
    state = world.person().get(f"/examples/{example_id}").get_json()
    assert (state["resolution"], state["retracted"], state["pending"]) == ("correct", True, False)
    counts = world.counts()
    assert (counts["votes"], counts["resolved"], counts["correct"]) == (2, 0, 0)


def test_validation_goes_on_after_the_round_is_closed(world: World) -> None:
    world.begin()
    world.example()
    world.apply(world.events.round_state(world.round_id, "closed", version=3))
    assert world.person().answer(world.round_id, "negative")["counted"]


def test_owners_read_whose_votes_they_are_and_authors_what_was_said(world: World) -> None:
    world.begin()
    author = world.person()
    example_id = world.example(author_id=str(author.person_id))
    voters = [world.person() for _ in range(2)]
    for voter in voters:
        voter.answer(world.round_id, "negative")
    path = f"/examples/{example_id}/votes"
    owned = world.person("annotator", "owner:sentiment").get(path).get_json()
    assert [UUID(item["voter_id"]) for item in owned["items"]] == [voter.person_id for voter in voters]
    assert owned["resolution"] == "correct"
    own = author.get(path)
    assert [(item["option"], item["voter_id"]) for item in own.get_json()["items"]] == [
        ("negative", None)
    ] * 2
    assert own.get_json()["resolution"] == "correct"
    assert not any(str(voter.person_id) in own.text for voter in voters)
    assert world.person().get(path).status_code == 403
    assert world.person("annotator", "owner:another").get(path).status_code == 403


def test_agreement_is_that_of_the_newest_votes(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person who was alone with the first of three answers agrees in the two that count."""
    monkeypatch.setattr(validators, "NEWEST_VOTES", 2)
    world.begin(policy={"fixed": {"votes": 3, "agree": 3}})
    person, others = world.person(), [world.person() for _ in range(2)]
    for label in ("positive", "negative", "negative"):
        world.example()
        person.answer(world.round_id, label)
        for other in others:
            other.answer(world.round_id, "negative")
        world.clock.move(61)
    own = person.get(f"/rounds/{world.round_id}/me").get_json()
    assert (own["votes"], own["agreement_votes"], own["agreement"]) == (3, 2, 1.0)


def test_own_work_in_a_round(world: World) -> None:
    world.begin()
    for _ in range(2):
        world.example()
    person = world.person()
    person.answer(world.round_id, "negative")
    world.clock.move(24 * 3600)
    for label in ("negative", "positive"):
        world.person().answer(world.round_id, label)
    person.answer(world.round_id, "negative")
    world.clock.move(61)
    own = person.get(f"/rounds/{world.round_id}/me").get_json()
    assert (own["votes"], own["votes_today"]) == (2, 1)
    assert own["agreement_votes"] >= 1
    stranger = world.person().get(f"/rounds/{world.round_id}/me").get_json()
    nothing = {"value": None, "low": None, "high": None, "n": 0}
    assert stranger.pop("gold").items() >= nothing.items()
    assert stranger == {
        "votes": 0,
        "votes_today": 0,
        "agreement": None,
        "agreement_low": None,
        "agreement_high": None,
        "agreement_votes": 0,
        "state": "active",
        "pause": None,
    }


def test_who_answers_faster_than_anybody_reads_is_told_kindly_and_another_person_is_asked(
    world: World,
) -> None:
    world.begin(reading_speed=10, policy={"adaptive": {"agree": 1, "max_votes": 1}})
    example_id = world.example()
    person = world.person()
    vote = person.answer(world.round_id, "negative")
    assert vote["counted"] is False
    assert vote["notice"]["kind"] == "too_fast"
    assert world.resolution() is None
    assert person.lease(world.round_id).get_json()["state"] == "all_answered"
    assert person.get(f"/rounds/{world.round_id}/me").get_json()["state"] == "active"
    changed = person.send("PUT", f"/votes/{vote['vote_id']}", kind="label", value="positive").get_json()
    assert (changed["counted"], world.resolution()) == (False, None)
    another = world.person()
    lease_id = another.hold(world.round_id)["lease_id"]
    world.clock.move(6)
    counted = another.vote(lease_id, kind="label", value="negative").get_json()
    assert (counted["counted"], counted["notice"]) == (True, None)
    assert world.resolution(example_id) == "correct"
