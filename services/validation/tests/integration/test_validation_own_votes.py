"""Thinking again: keeping an example for longer, taking a vote back, changing it, and remarks on the claim."""

from datetime import datetime
from typing import Any

import pytest
from dynabench_common.identifiers import new_id

ONE_VOTE = {"policy": {"adaptive": {"agree": 1, "max_votes": 1}}}
POSITIVE = {"kind": "label", "value": "positive"}


def refused(response: Any, status: int, problem: str, field: str) -> None:
    assert (response.status_code, response.json["type"]) == (status, f"/problems/{problem}"), response.text
    assert response.json["field"] == field
    assert response.json["detail"]
    assert response.json["remedy"]


def renew(person: Any, lease_id: str) -> Any:
    return person.send("PUT", f"/leases/{lease_id}")


def undo(person: Any, vote_id: str) -> Any:
    return person.send("DELETE", f"/votes/{vote_id}")


def change(person: Any, vote_id: str, **body: Any) -> Any:
    return person.send("PUT", f"/votes/{vote_id}", **(body or POSITIVE))


def names(world: Any) -> list[str]:
    return [name for name, _, _ in world.published()]


def test_a_renewed_lease_lasts_from_then_on(world: Any) -> None:
    world.begin(**ONE_VOTE)
    world.example()
    person = world.person()
    lease_id = person.hold(world.round_id)["lease_id"]
    world.clock.move(200)
    renewed = renew(person, lease_id)
    assert renewed.status_code == 200
    assert renewed.json["lease_id"] == lease_id
    expires_at = datetime.fromisoformat(renewed.json["expires_at"])
    assert (expires_at - world.clock.now()).total_seconds() == 300
    world.clock.move(200)
    assert world.person().lease(world.round_id).json["state"] == "others_working"
    assert person.hold(world.round_id)["lease_id"] == lease_id


def test_an_expired_lease_is_renewed_while_its_slot_is_free(world: Any) -> None:
    world.begin(**ONE_VOTE)
    world.example()
    person = world.person()
    lease_id = person.hold(world.round_id)["lease_id"]
    world.clock.move(301)
    assert renew(person, lease_id).status_code == 200
    assert world.person().lease(world.round_id).json["lease_id"] is None
    world.clock.move(301)
    world.person().hold(world.round_id)
    refused(renew(person, lease_id), 409, "lease-expired", "lease_id")


def test_what_can_not_be_renewed(world: Any) -> None:
    world.begin()
    example_id = world.example()
    person, other = world.person(), world.person()
    lease_id = person.hold(world.round_id)["lease_id"]
    refused(renew(person, str(new_id())), 404, "lease-not-found", "lease_id")
    refused(renew(other, lease_id), 403, "lease-of-another", "lease_id")
    for _ in range(2):
        world.person().answer(world.round_id, "negative")
    refused(renew(person, lease_id), 409, "lease-expired", "lease_id")
    person.vote(lease_id, kind="label", value="negative")
    refused(renew(person, lease_id), 409, "already-voted", "lease_id")
    assert world.person().get(f"/examples/{example_id}").json["resolution"] == "correct"


def test_a_vote_taken_back_is_answered_anew(world: Any) -> None:
    world.begin(**ONE_VOTE)
    example_id = str(world.example())
    person = world.person()
    vote = person.answer(world.round_id, "positive")
    assert vote["resolution"] == "incorrect"
    undo_until = datetime.fromisoformat(vote["undo_until"])
    assert (undo_until - world.clock.now()).total_seconds() == 60
    world.clock.move(60)
    undone = undo(person, vote["vote_id"])
    assert undone.status_code == 200
    lease = undone.json
    assert (lease["example"]["example_id"], lease["can_go_back"]) == (example_id, False)
    assert world.rows("vote") == []
    assert (world.counts()["resolved"], world.counts()["pending"], world.counts()["leases_out"]) == (0, 1, 1)
    assert person.hold(world.round_id)["lease_id"] == lease["lease_id"]
    assert world.person().lease(world.round_id).json["lease_id"] is None
    assert person.vote(lease["lease_id"], kind="label", value="negative").json["resolution"] == "correct"
    assert names(world) == [
        "VoteCast",
        "ExampleResolved",
        "VotesWithdrawn",
        "ResolutionWithdrawn",
        "VoteCast",
        "ExampleResolved",
    ]
    assert [version for _, version, _ in world.published()] == [1, 2, 3, 4, 5, 6]
    withdrawn = world.published()[2][2]
    assert (list(withdrawn.vote_ids), withdrawn.cause) == ([vote["vote_id"]], "undone")


def test_who_takes_a_vote_back_goes_on_with_it_before_what_was_taken_since(world: Any) -> None:
    world.begin()
    world.example(created_at=world.clock.now())
    person = world.person()
    vote = person.answer(world.round_id, "negative")
    world.example()
    since = person.hold(world.round_id)
    assert since["can_go_back"]
    world.clock.move(1)
    again = undo(person, vote["vote_id"]).json
    assert person.hold(world.round_id)["lease_id"] == again["lease_id"]
    person.vote(again["lease_id"], kind="label", value="negative")
    assert person.hold(world.round_id)["lease_id"] == since["lease_id"]


def test_what_can_not_be_taken_back(world: Any) -> None:
    world.begin()
    example_id = world.example()
    person, other = world.person(), world.person()
    first = person.answer(world.round_id, "negative")["vote_id"]
    refused(undo(person, str(new_id())), 404, "vote-not-found", "vote_id")
    refused(undo(other, first), 403, "vote-of-another", "vote_id")
    second = other.answer(world.round_id, "positive")["vote_id"]
    refused(undo(person, first), 409, "vote-followed", "vote_id")
    world.clock.move(61)
    refused(undo(other, second), 409, "undo-too-late", "vote_id")
    third = world.person()
    last = third.answer(world.round_id, "positive")["vote_id"]
    world.apply(world.events.retracted(example_id))
    refused(undo(third, last), 409, "example-retracted", "example_id")
    world.apply(world.events.round_state(world.round_id, "released", version=3))
    refused(undo(third, last), 409, "round-takes-no-votes", "round_id")
    assert len(world.rows("vote")) == 3


def test_an_unsure_answer_is_not_taken_back_once_its_slot_is_anothers(world: Any) -> None:
    world.begin(**ONE_VOTE)
    world.example()
    person, other = world.person(), world.person()
    unsure = person.vote(person.hold(world.round_id)["lease_id"], kind="unsure").json["vote_id"]
    lease_id = other.hold(world.round_id)["lease_id"]
    refused(undo(person, unsure), 409, "slot-taken", "vote_id")
    refused(change(person, unsure), 409, "slot-taken", "vote_id")
    other.skip(lease_id)
    assert undo(person, unsure).status_code == 200


def test_a_changed_vote_counts_in_the_place_of_the_first(world: Any) -> None:
    world.begin()
    world.example()
    person = world.person()
    first = person.answer(world.round_id, "negative")
    world.person().answer(world.round_id, "positive")
    world.clock.move(3600)
    changed = change(person, first["vote_id"])
    assert changed.status_code == 200
    assert (changed.json["counted"], changed.json["resolution"]) == (True, "incorrect")
    assert changed.json["vote_id"] != first["vote_id"]
    assert world.counts()["votes"] == 2
    assert names(world) == ["VoteCast", "VoteCast", "VotesWithdrawn", "VoteCast", "ExampleResolved"]
    refused(change(person, first["vote_id"]), 404, "vote-not-found", "vote_id")
    world.clock.move(61)
    refused(change(person, changed.json["vote_id"]), 409, "vote-settled", "vote_id")


def test_an_unusable_change_is_refused_as_a_vote_would_be(world: Any) -> None:
    world.begin()
    world.example()
    person = world.person()
    vote_id = person.answer(world.round_id, "negative")["vote_id"]
    refused(change(person, vote_id, kind="label", value="lovely"), 422, "value-refused", "value")
    refused(change(person, vote_id, kind="flag"), 422, "reason-missing", "reason")
    refused(change(world.person(), vote_id), 403, "vote-of-another", "vote_id")
    assert [row["option"] for row in world.rows("vote")] == ["negative"]


def test_one_goes_back_through_ones_own_votes(world: Any) -> None:
    world.begin(metadata={"validate": [{"name": "hint", "type": "string", "optional": True}]})
    person = world.person()
    votes = []
    for number in range(3):
        world.example(input={"text": f"Number {number}"})
        votes.append(person.answer(world.round_id, "negative")["vote_id"])
        world.clock.move(61)
    items = person.get(f"/rounds/{world.round_id}/me/votes?limit=2").json["items"]
    assert [item["vote_id"] for item in items] == [votes[2], votes[1]]
    newest = items[0]
    assert newest["example"]["input"] == {"text": "Number 2"}
    assert (newest["kind"], newest["value"], newest["reveal"]["claimed"]) == ("label", "negative", "negative")
    assert (newest["options"], newest["vote"]) == (["negative", "neutral", "positive"], "label")
    assert (newest["agrees"], newest["corrected"], newest["explanation"]) == (None, None, None)
    assert newest["undo_until"] < world.clock.now().isoformat()
    assert world.person().get(f"/rounds/{world.round_id}/me/votes").json == {"items": []}
    assert person.get(f"/rounds/{new_id()}/me/votes").status_code == 404
    assert person.get(f"/rounds/{world.round_id}/me/votes?limit=51").status_code == 422


@pytest.mark.parametrize(
    ("others", "seconds", "can_change"),
    [
        # While the example waits.
        (["positive"], 3600, True),
        # Resolved by somebody else's vote: what others found stands.
        (["negative"], 0, False),
        ([], 3600, True),
    ],
)
def test_what_the_list_says_of_changing_is_what_happens(
    world: Any, others: list[str], seconds: int, can_change: bool
) -> None:
    world.begin()
    world.example()
    person = world.person()
    vote_id = person.answer(world.round_id, "negative")["vote_id"]
    for label in others:
        world.person().answer(world.round_id, label)
    world.clock.move(seconds)
    (item,) = person.get(f"/rounds/{world.round_id}/me/votes").json["items"]
    assert item["can_change"] is can_change
    assert (change(person, vote_id).status_code == 200) is can_change


@pytest.mark.parametrize(("seconds", "can_change"), [(60, True), (61, False)])
def test_a_resolution_of_ones_own_vote_may_be_changed_for_a_minute(
    world: Any, seconds: int, can_change: bool
) -> None:
    world.begin(**ONE_VOTE)
    world.example()
    person = world.person()
    vote_id = person.answer(world.round_id, "negative")["vote_id"]
    world.clock.move(seconds)
    (item,) = person.get(f"/rounds/{world.round_id}/me/votes").json["items"]
    assert item["can_change"] is can_change
    assert (change(person, vote_id).status_code == 200) is can_change


def test_nothing_changes_in_a_released_round_or_a_withdrawn_example(world: Any) -> None:
    world.begin()
    example_id = world.example()
    person = world.person()
    vote_id = person.answer(world.round_id, "negative")["vote_id"]

    def can_change() -> bool:
        (item,) = person.get(f"/rounds/{world.round_id}/me/votes").json["items"]
        found: bool = item["can_change"]
        return found

    assert can_change()
    world.apply(world.events.retracted(example_id))
    assert not can_change()
    refused(change(person, vote_id), 409, "example-retracted", "example_id")
    world.apply(world.events.round_state(world.round_id, "released", version=3))
    refused(change(person, vote_id), 409, "round-takes-no-votes", "round_id")


def test_remarks_are_kept_with_the_vote_and_never_count(world: Any) -> None:
    world.begin()
    world.example()
    person = world.person()
    vote_id = person.answer(world.round_id, "positive")["vote_id"]
    path = f"/votes/{vote_id}/judgement"
    said = person.send("PUT", path, agrees=False, corrected="neutral", explanation=" It is both. ")
    assert said.status_code == 200
    kept = {name: said.json[name] for name in ("agrees", "corrected", "explanation")}
    assert kept == {"agrees": False, "corrected": "neutral", "explanation": "It is both."}
    (item,) = person.get(f"/rounds/{world.round_id}/me/votes").json["items"]
    assert {name: item[name] for name in kept} == kept
    _, version, judged = world.published()[-1]
    assert (version, judged.agrees, judged.corrected, judged.explanation) == (
        2,
        False,
        "neutral",
        "It is both.",
    )
    assert world.counts()["votes"] == 1


def test_who_judged_may_correct_and_not_judge_again(world: Any) -> None:
    world.begin(vote="judgement")
    world.example()
    person = world.person()
    lease_id = person.hold(world.round_id)["lease_id"]
    vote_id = person.vote(lease_id, kind="judgement", value="incorrect").json["vote_id"]
    path = f"/votes/{vote_id}/judgement"
    refused(person.send("PUT", path, agrees=True), 409, "nothing-to-judge", "agrees")
    said = person.send("PUT", path, corrected="positive")
    assert (said.status_code, said.json["agrees"], said.json["corrected"]) == (200, None, "positive")
    (item,) = person.get(f"/rounds/{world.round_id}/me/votes").json["items"]
    assert (item["kind"], item["value"]) == ("judgement", "incorrect")


def test_the_reply_to_a_repeated_vote_outlives_its_undoing(world: Any) -> None:
    world.begin()
    world.example()
    person = world.person()
    lease_id = person.hold(world.round_id)["lease_id"]
    first = person.vote(lease_id, key="k-1", kind="label", value="negative")
    undo(person, first.json["vote_id"])
    again = person.vote(lease_id, key="k-1", kind="label", value="negative")
    assert again.json == first.json
    assert world.rows("vote") == []
