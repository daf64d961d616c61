"""Thinking again: keeping an example for longer, taking a vote back, changing it, and remarks on the claim."""

from datetime import UTC, datetime
from typing import Any

import pytest
from dynabench_common.identifiers import new_id
from werkzeug.test import TestResponse

from .conftest import Someone, World

ONE_VOTE: dict[str, Any] = {"policy": {"adaptive": {"agree": 1, "max_votes": 1}}}
POSITIVE = {"kind": "label", "value": "positive"}


def refused(response: TestResponse, status: int, problem: str, field: str) -> None:
    assert (response.status_code, response.get_json()["type"]) == (status, f"/problems/{problem}"), (
        response.text
    )
    assert response.get_json()["field"] == field
    assert response.get_json()["detail"]
    assert response.get_json()["remedy"]


def renew(person: Someone, lease_id: str) -> Any:
    return person.send("PUT", f"/leases/{lease_id}")


def undo(person: Someone, vote_id: str) -> Any:
    return person.send("DELETE", f"/votes/{vote_id}")


def change(person: Someone, vote_id: str, **body: Any) -> Any:
    return person.send("PUT", f"/votes/{vote_id}", **(body or POSITIVE))


def names(world: World) -> list[str]:
    return [name for name, _, _ in world.published()]


def test_a_renewed_lease_lasts_from_then_on(world: World) -> None:
    world.begin(**ONE_VOTE)
    world.example()
    person = world.person()
    lease_id = person.hold(world.round_id)["lease_id"]
    world.clock.move(200)
    renewed = renew(person, lease_id)
    assert renewed.status_code == 200
    assert renewed.get_json()["lease_id"] == lease_id
    expires_at = datetime.fromisoformat(renewed.get_json()["expires_at"])
    assert (expires_at - world.clock.now()).total_seconds() == 300
    world.clock.move(200)
    assert world.person().lease(world.round_id).get_json()["state"] == "others_working"
    assert person.hold(world.round_id)["lease_id"] == lease_id


def test_an_expired_lease_is_renewed_while_its_slot_is_free(world: World) -> None:
    world.begin(**ONE_VOTE)
    world.example()
    person = world.person()
    lease_id = person.hold(world.round_id)["lease_id"]
    world.clock.move(301)
    assert renew(person, lease_id).status_code == 200
    assert world.person().lease(world.round_id).get_json()["lease_id"] is None
    world.clock.move(301)
    world.person().hold(world.round_id)
    refused(renew(person, lease_id), 409, "lease-expired", "lease_id")


def test_what_can_not_be_renewed(world: World) -> None:
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
    assert world.person().get(f"/examples/{example_id}").get_json()["resolution"] == "correct"


def test_a_vote_taken_back_is_answered_anew(world: World) -> None:
    world.begin()
    example_id = str(world.example())
    person = world.person()
    vote = person.answer(world.round_id, "positive")
    undo_until = datetime.fromisoformat(vote["undo_until"])
    assert (undo_until - world.clock.now()).total_seconds() == 60
    world.clock.move(60)
    undone = undo(person, vote["vote_id"])
    assert undone.status_code == 200
    lease = undone.get_json()
    assert (lease["example"]["example_id"], lease["can_go_back"]) == (example_id, False)
    assert world.rows("vote") == []
    assert (world.counts()["resolved"], world.counts()["pending"], world.counts()["leases_out"]) == (0, 1, 1)
    assert person.hold(world.round_id)["lease_id"] == lease["lease_id"]
    assert person.vote(lease["lease_id"], kind="label", value="negative").get_json()["counted"]
    assert names(world) == ["VoteCast", "VotesWithdrawn", "VoteCast"]
    assert [version for _, version, _ in world.published()] == [1, 2, 3]
    withdrawn = world.published()[1][2]
    assert (list(withdrawn.vote_ids), withdrawn.cause) == ([vote["vote_id"]], "undone")


def test_a_vote_taken_back_that_had_settled_the_example_leaves_it_to_another_person(world: World) -> None:
    world.begin(**ONE_VOTE)
    example_id = world.example()
    person = world.person()
    vote = person.answer(world.round_id, "positive")
    assert world.resolution() == "incorrect"
    undone = undo(person, vote["vote_id"])
    assert (undone.status_code, undone.get_json()["lease_id"]) == (200, None)
    assert (undone.get_json()["state"], undone.get_json()["retry_after_seconds"]) == ("another_is_asked", 1)
    assert (world.rows("vote"), world.resolution()) == ([], None)
    for _ in range(2):
        assert person.lease(world.round_id).get_json()["state"] == "all_answered"
        world.clock.move(24 * 3600)
    assert world.person().hold(world.round_id)["example"]["example_id"] == str(example_id)
    assert names(world) == ["VoteCast", "ExampleResolved", "VotesWithdrawn", "ResolutionWithdrawn"]


def test_a_changed_vote_that_had_settled_the_example_is_evidence_from_then_on(world: World) -> None:
    world.begin(**ONE_VOTE)
    world.example()
    person = world.person()
    first = person.answer(world.round_id, "positive")["vote_id"]
    second = change(person, first, kind="label", value="negative").get_json()
    assert (second["counted"], second["resolution"], second["reveal"]) == (False, None, None)
    assert world.resolution() is None
    third = change(person, second["vote_id"], kind="label", value="neutral").get_json()
    assert (third["counted"], world.resolution()) == (False, None)
    assert undo(person, third["vote_id"]).get_json()["state"] == "another_is_asked"
    assert person.lease(world.round_id).get_json()["lease_id"] is None
    world.person().answer(world.round_id, "negative")
    assert world.resolution() == "correct"


CLAIM = "neutral"
WHY = "it is both, and neither"


def told(world: World, person: Any, example_id: Any) -> str:
    """Return all that the service tells a person about an example and their own work, as one text."""
    paths = f"/examples/{example_id}", f"/rounds/{world.round_id}/me/votes", f"/rounds/{world.round_id}/me"
    texts = [person.get(path).text for path in paths]
    return "".join(texts).replace('"options":["negative","neutral","positive"]', "")


@pytest.mark.parametrize("said", [POSITIVE, {"kind": "unsure"}, {"kind": "flag", "reason": "No text."}])
@pytest.mark.parametrize("rules", [{}, ONE_VOTE])
def test_no_answer_that_may_still_be_changed_reveals_anything(
    world: World, said: dict[str, Any], rules: dict[str, Any]
) -> None:
    world.begin(**rules)
    example_id = world.example(claimed=CLAIM)
    world.apply(world.events.explained(example_id, WHY))
    person = world.person()
    vote = person.vote(person.hold(world.round_id)["lease_id"], **said)
    replies = vote.text, told(world, person, example_id)
    changed = person.send("PUT", f"/votes/{vote.get_json()['vote_id']}", kind="unsure")
    after = changed.text, told(world, person, example_id)
    for text in (*replies, *after):
        for secret in (CLAIM, WHY, "incorrect", "disputed", "flagged", '"correct"'):
            assert secret not in text, text
    revealed = person.reveal(changed.get_json()["vote_id"])
    assert (revealed["reveal"]["claimed"], revealed["reveal"]["explanation"]) == (CLAIM, WHY)
    for method, body in (("PUT", POSITIVE), ("DELETE", {})):
        again = person.send(method, f"/votes/{changed.get_json()['vote_id']}", **body)
        refused(again, 409, "vote-revealed", "vote_id")
    assert CLAIM in told(world, person, example_id)
    (item,) = person.get(f"/rounds/{world.round_id}/me/votes").get_json()["items"]
    assert (item["can_change"], item["undo_until"]) == (False, None)


def test_what_the_others_say_is_told_of_final_votes_alone(world: World) -> None:
    """The own agreement would tell whether the first voter said the same, while the vote may be changed."""
    world.begin()
    example_id = world.example()
    world.person().answer(world.round_id, "negative")
    person = world.person()
    vote = person.answer(world.round_id, "positive")
    own = person.get(f"/rounds/{world.round_id}/me").get_json()
    assert (own["votes"], own["agreement_votes"], own["agreement"]) == (1, 0, None)
    state = person.get(f"/examples/{example_id}").get_json()
    assert (state["votes_counted"], state["pending"]) == (0, True)
    person.reveal(vote["vote_id"])
    own = person.get(f"/rounds/{world.round_id}/me").get_json()
    assert (own["agreement_votes"], own["agreement"]) == (1, 0.0)


def test_who_takes_a_vote_back_goes_on_with_it_before_what_was_taken_since(world: World) -> None:
    world.begin()
    world.example(created_at=world.clock.now())
    person = world.person()
    vote = person.answer(world.round_id, "negative")
    world.example()
    since = person.hold(world.round_id)
    assert since["can_go_back"]
    world.clock.move(1)
    again = undo(person, vote["vote_id"]).get_json()
    assert person.hold(world.round_id)["lease_id"] == again["lease_id"]
    person.vote(again["lease_id"], kind="label", value="negative")
    assert person.hold(world.round_id)["lease_id"] == since["lease_id"]


def test_what_can_not_be_taken_back(world: World) -> None:
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


def test_an_unsure_answer_is_not_taken_back_once_its_slot_is_anothers(world: World) -> None:
    world.begin(**ONE_VOTE)
    world.example()
    person, other = world.person(), world.person()
    unsure = person.vote(person.hold(world.round_id)["lease_id"], kind="unsure").get_json()["vote_id"]
    lease_id = other.hold(world.round_id)["lease_id"]
    refused(undo(person, unsure), 409, "slot-taken", "vote_id")
    refused(change(person, unsure), 409, "slot-taken", "vote_id")
    other.skip(lease_id)
    assert undo(person, unsure).status_code == 200


def test_a_changed_vote_counts_in_the_place_of_the_first(world: World) -> None:
    world.begin()
    world.example()
    person = world.person()
    first = person.answer(world.round_id, "negative")
    world.person().answer(world.round_id, "positive")
    world.clock.move(3600)
    changed = change(person, first["vote_id"])
    assert changed.status_code == 200
    assert (changed.get_json()["counted"], world.resolution()) == (True, "incorrect")
    assert changed.get_json()["vote_id"] != first["vote_id"]
    assert world.counts()["votes"] == 2
    assert names(world) == ["VoteCast", "VoteCast", "VotesWithdrawn", "VoteCast", "ExampleResolved"]
    refused(change(person, first["vote_id"]), 404, "vote-not-found", "vote_id")
    world.clock.move(61)
    refused(change(person, changed.get_json()["vote_id"]), 409, "vote-settled", "vote_id")


def test_an_unusable_change_is_refused_as_a_vote_would_be(world: World) -> None:
    world.begin()
    world.example()
    person = world.person()
    vote_id = person.answer(world.round_id, "negative")["vote_id"]
    refused(change(person, vote_id, kind="label", value="lovely"), 422, "value-refused", "value")
    refused(change(person, vote_id, kind="flag"), 422, "reason-missing", "reason")
    refused(change(world.person(), vote_id), 403, "vote-of-another", "vote_id")
    assert [row["option"] for row in world.rows("vote")] == ["negative"]


def waiting(world: World, person: Someone) -> int | None:
    """Return how many of the round's examples wait for the person; None if the round is not listed."""
    items = person.get("/people/me/waiting").get_json()["items"]
    return {each["round_id"]: each["waiting"] for each in items}.get(str(world.round_id))


def test_what_one_wrote_or_has_answered_does_not_wait_for_one(world: World) -> None:
    world.begin()
    person, other = world.person(), world.person()
    assert waiting(world, person) is None
    world.example(author_id=str(person.person_id))
    assert waiting(world, person) is None
    for _ in range(2):
        world.example()
    assert waiting(world, person) == 2
    person.skip(person.hold(world.round_id)["lease_id"])
    assert waiting(world, person) == 2
    person.answer(world.round_id, "negative")
    assert (waiting(world, person), waiting(world, other)) == (1, 3)


def test_an_unsure_answer_changes_no_count_as_it_would_on_an_attention_check(world: World) -> None:
    world.begin()
    world.example()
    person = world.person()
    assert person.vote(person.hold(world.round_id)["lease_id"], kind="unsure").status_code == 201
    assert waiting(world, person) == 1


def test_what_votes_have_settled_waits_for_nobody_nor_does_a_released_round(world: World) -> None:
    world.begin(**ONE_VOTE)
    world.example()
    person, other = world.person(), world.person()
    assert waiting(world, other) == 1
    person.answer(world.round_id, "negative")
    assert waiting(world, other) is None
    world.example()
    assert waiting(world, other) == 1
    world.apply(world.events.round_state(world.round_id, "released", version=3))
    assert waiting(world, other) is None


def test_one_goes_back_through_ones_own_votes(world: World) -> None:
    world.begin(metadata={"validate": [{"name": "hint", "type": "string", "optional": True}]})
    person = world.person()
    votes = []
    for number in range(3):
        world.example(input={"text": f"Number {number}"})
        votes.append(person.answer(world.round_id, "negative")["vote_id"])
        world.clock.move(61)
    person.reveal(votes[2])
    items = person.get(f"/rounds/{world.round_id}/me/votes?limit=2").get_json()["items"]
    assert [item["vote_id"] for item in items] == [votes[2], votes[1]]
    newest = items[0]
    assert newest["example"]["input"] == {"text": "Number 2"}
    assert (newest["kind"], newest["value"], newest["reveal"]["claimed"]) == ("label", "negative", "negative")
    assert (newest["options"], newest["vote"]) == (["negative", "neutral", "positive"], "label")
    assert (newest["agrees"], newest["corrected"], newest["explanation"]) == (None, None, None)
    assert (newest["undo_until"], items[1]["reveal"]) == (None, None)
    assert items[1]["undo_until"] < world.clock.now().isoformat()
    assert world.person().get(f"/rounds/{world.round_id}/me/votes").get_json() == {"items": []}
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
    world: World, others: list[str], seconds: int, can_change: bool
) -> None:
    world.begin()
    world.example()
    person = world.person()
    vote_id = person.answer(world.round_id, "negative")["vote_id"]
    for label in others:
        world.person().answer(world.round_id, label)
    world.clock.move(seconds)
    (item,) = person.get(f"/rounds/{world.round_id}/me/votes").get_json()["items"]
    assert item["can_change"] is can_change
    assert (change(person, vote_id).status_code == 200) is can_change


@pytest.mark.parametrize(("seconds", "can_change"), [(60, True), (61, False)])
def test_a_resolution_of_ones_own_vote_may_be_changed_for_a_minute(
    world: World, seconds: int, can_change: bool
) -> None:
    world.begin(**ONE_VOTE)
    world.example()
    person = world.person()
    vote_id = person.answer(world.round_id, "negative")["vote_id"]
    world.clock.move(seconds)
    (item,) = person.get(f"/rounds/{world.round_id}/me/votes").get_json()["items"]
    assert item["can_change"] is can_change
    assert (change(person, vote_id).status_code == 200) is can_change


def test_nothing_changes_in_a_released_round_or_a_withdrawn_example(world: World) -> None:
    world.begin()
    example_id = world.example()
    person = world.person()
    vote_id = person.answer(world.round_id, "negative")["vote_id"]

    def can_change() -> bool:
        (item,) = person.get(f"/rounds/{world.round_id}/me/votes").get_json()["items"]
        found: bool = item["can_change"]
        return found

    assert can_change()
    world.apply(world.events.retracted(example_id))
    assert not can_change()
    refused(change(person, vote_id), 409, "example-retracted", "example_id")
    world.apply(world.events.round_state(world.round_id, "released", version=3))
    refused(change(person, vote_id), 409, "round-takes-no-votes", "round_id")


def test_remarks_are_kept_with_the_vote_and_never_count(world: World) -> None:
    world.begin()
    world.example()
    person = world.person()
    vote_id = person.answer(world.round_id, "positive")["vote_id"]
    path = f"/votes/{vote_id}/judgement"
    said = person.send("PUT", path, agrees=False, corrected="neutral", explanation=" It is both. ")
    assert said.status_code == 200
    kept = {name: said.get_json()[name] for name in ("agrees", "corrected", "explanation")}
    assert kept == {"agrees": False, "corrected": "neutral", "explanation": "It is both."}
    (item,) = person.get(f"/rounds/{world.round_id}/me/votes").get_json()["items"]
    assert {name: item[name] for name in kept} == kept
    _, version, judged = world.published()[-1]
    assert (version, judged.agrees, judged.corrected, judged.explanation) == (
        2,
        False,
        "neutral",
        "It is both.",
    )
    assert world.counts()["votes"] == 1


def test_who_judged_may_correct_and_not_judge_again(world: World) -> None:
    world.begin(vote="judgement")
    world.example()
    person = world.person()
    lease_id = person.hold(world.round_id)["lease_id"]
    vote_id = person.vote(lease_id, kind="judgement", value="incorrect").get_json()["vote_id"]
    path = f"/votes/{vote_id}/judgement"
    refused(person.send("PUT", path, agrees=True), 409, "nothing-to-judge", "agrees")
    said = person.send("PUT", path, corrected="positive")
    assert (said.status_code, said.get_json()["agrees"], said.get_json()["corrected"]) == (
        200,
        None,
        "positive",
    )
    (item,) = person.get(f"/rounds/{world.round_id}/me/votes").get_json()["items"]
    assert (item["kind"], item["value"]) == ("judgement", "incorrect")


def test_the_reply_to_a_repeated_vote_outlives_its_undoing(world: World) -> None:
    world.begin()
    world.example()
    person = world.person()
    lease_id = person.hold(world.round_id)["lease_id"]
    first = person.vote(lease_id, key="k-1", kind="label", value="negative")
    undo(person, first.get_json()["vote_id"])
    again = person.vote(lease_id, key="k-1", kind="label", value="negative")
    assert again.get_json() == first.get_json()
    assert world.rows("vote") == []


def test_votes_since_a_moment_are_counted_for_oneself_and_for_owners(world: World) -> None:
    world.begin(**ONE_VOTE)
    person = world.person()
    for _ in range(2):
        world.example()
        person.answer(world.round_id, "positive")
        world.clock.move(60)
    since = world.clock.now().timestamp() - 90
    moment = datetime.fromtimestamp(since, UTC).isoformat().replace("+", "%2B")
    path = f"/rounds/{world.round_id}/voters/{person.person_id}/count?since={moment}"
    for reader in (person, world.person("owner:sentiment")):
        assert reader.get(path).get_json() == {"votes": 1, "left": None}
    assert world.person().get(path).status_code == 403
    assert person.get(path.split("?", maxsplit=1)[0]).status_code == 422
