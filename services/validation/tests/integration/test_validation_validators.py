"""Warnings, pauses, appeals, and the figures that owners see of validators."""

from typing import Any

import pytest

from .conftest import Someone, World

TASK = "/tasks/sentiment"


def owner(world: World) -> Someone:
    return world.person("annotator", "owner:sentiment")


def checks(world: World, number: int) -> None:
    """Let there be attention checks, and work enough to meet them all."""
    world.example()
    for n in range(number):
        body = {
            "kind": "attention",
            "context": {"prompt": "A day at the sea"},
            "input": {"text": f"Check {n}"},
            "answer": "positive",
        }
        assert owner(world).send("POST", f"{TASK}/gold", **body).status_code == 201
        world.example()


def work(world: World, person: Someone, answers: str) -> list[str | None]:
    """Answer on so many checks, each after an example: + right, - wrong; return what each notice was."""
    notices = []
    for answer in answers:
        person.answer(world.round_id, "neutral")
        world.clock.move(1)
        vote = person.answer(world.round_id, "positive" if answer == "+" else "negative")
        notices.append(vote["notice"]["kind"] if vote["notice"] else None)
        world.clock.move(1)
    return notices


def listed(world: World, person: Someone) -> dict[str, Any]:
    items = owner(world).get(f"{TASK}/validators").get_json()["items"]
    (found,) = [item for item in items if item["voter_id"] == str(person.person_id)]
    record: dict[str, Any] = found
    return record


def decide(world: World, person: Someone, state: str, reason: str = "I looked at the answers.") -> Any:
    path = f"{TASK}/validators/{person.person_id}"
    return owner(world).send("PUT", path, state=state, reason=reason)


def waiting_appeals(world: World) -> int:
    counts = world.person("owner:sentiment").get(f"/rounds/{world.round_id}/work/counts").get_json()
    return int(counts["pause_appeals"])


def test_who_fails_two_is_warned_and_who_fails_five_is_paused_and_may_appeal(world: World) -> None:
    world.begin()
    checks(world, 6)
    person = world.person()
    assert work(world, person, "--") == [None, "warned"]
    assert listed(world, person)["state"] == "warned"
    assert work(world, person, "---") == ["warned", "warned", "paused"]

    refused = person.lease(world.round_id)
    assert (refused.status_code, refused.get_json()["lease_id"], refused.get_json()["state"]) == (
        200,
        None,
        "paused_you",
    )
    own = person.get(f"/rounds/{world.round_id}/me").get_json()
    assert (own["state"], own["gold"]["value"], own["gold"]["n"]) == ("paused", 0.0, 5)
    assert own["pause"] == {"reason": None, "appeal": None}

    appeal = person.send("POST", f"/rounds/{world.round_id}/me/pause-appeal", reason="They are ambiguous.")
    assert (appeal.status_code, appeal.get_json()["state"]) == (201, "paused")
    assert appeal.get_json()["appeal"]["reason"] == "They are ambiguous."
    assert waiting_appeals(world) == 1
    again = person.send("POST", f"/rounds/{world.round_id}/me/pause-appeal", reason="Please.")
    assert (again.status_code, again.get_json()["type"]) == (409, "/problems/pause-appealed-before")

    told = person.get(f"/rounds/{world.round_id}/me").get_json()["pause"]["appeal"]
    assert (told["reason"], told["answer"]) == ("They are ambiguous.", None)
    seen = listed(world, person)
    assert (seen["state"], seen["failures"]) == ("paused", 5)
    assert seen["appeal"]["reason"] == "They are ambiguous."
    back = decide(world, person, "active", "They are.")
    assert (
        back.status_code,
        back.get_json()["state"],
        back.get_json()["failures"],
        back.get_json()["appeal"],
    ) == (
        200,
        "active",
        0,
        None,
    )
    assert person.get(f"/rounds/{world.round_id}/me").get_json()["pause"] is None
    assert person.hold(world.round_id)["lease_id"]
    assert waiting_appeals(world) == 0
    (name, _, entry) = world.published("audit")[-1]
    assert (name, entry.action, entry.reason) == ("ActionTaken", "validator.reinstated", "They are.")
    assert (entry.object_id, entry.task_slug) == (str(person.person_id), "sentiment")


def test_a_lease_from_before_the_pause_takes_no_vote(world: World) -> None:
    world.begin()
    checks(world, 1)
    person = world.person()
    work(world, person, "+")
    lease_id = person.hold(world.round_id)["lease_id"]
    assert decide(world, person, "paused").get_json()["state"] == "paused"
    refused = person.vote(lease_id, kind="label", value="negative")
    assert (refused.status_code, refused.get_json()["type"]) == (403, "/problems/validation-paused")
    assert "ppeal" in refused.get_json()["remedy"]
    assert len(world.rows("vote")) == 1
    assert world.published("audit")[-1][2].action == "validator.paused"


def test_a_paused_person_takes_no_vote_back_and_changes_none(world: World) -> None:
    world.begin()
    world.example()
    person = world.person()
    vote = person.answer(world.round_id, "negative")
    path, votes = f"/votes/{vote['vote_id']}", f"/rounds/{world.round_id}/me/votes"
    assert person.get(votes).get_json()["items"][0]["can_change"]
    decide(world, person, "paused")
    for refused in (person.send("PUT", path, kind="label", value="neutral"), person.send("DELETE", path)):
        assert (refused.status_code, refused.get_json()["type"]) == (403, "/problems/validation-paused")
    (own,) = person.get(votes).get_json()["items"]
    assert (own["vote_id"], own["value"], own["can_change"]) == (vote["vote_id"], "negative", False)


def test_a_confirmed_pause_stands(world: World) -> None:
    world.begin()
    checks(world, 1)
    person = world.person()
    work(world, person, "+")
    path = f"/rounds/{world.round_id}/me/pause-appeal"
    assert person.send("POST", path, reason="Why?").get_json()["type"] == "/problems/not-paused"
    decide(world, person, "paused")
    world.clock.move(60)
    assert person.send("POST", path, reason="I read fast.").status_code == 201
    assert listed(world, person)["appeal"] is not None
    world.clock.move(60)
    assert decide(world, person, "paused", "Too fast.").get_json()["appeal"] is None
    told = person.get(f"/rounds/{world.round_id}/me").get_json()["pause"]
    assert told["reason"] == "Too fast."
    assert (told["appeal"]["reason"], told["appeal"]["answer"]) == ("I read fast.", "Too fast.")
    world.clock.move(60)
    assert person.send("POST", path, reason="But.").status_code == 409
    assert person.lease(world.round_id).get_json()["state"] == "paused_you"


def test_bad_gold_is_the_owners_fault(world: World) -> None:
    """An item that most of ten people fail is retired, and nobody is warned for it any more."""
    world.begin()
    checks(world, 1)
    for _ in range(20):
        world.example()
    people = [world.person() for _ in range(10)]
    for person in people[:9]:
        work(world, person, "-")
    assert listed(world, people[0])["failures"] == 1
    work(world, people[9], "-")
    (item,) = owner(world).get(f"{TASK}/gold").get_json()["items"]
    assert (item["answered"], item["failed"], item["retirement"]) == (10, 10, "failed_often")
    seen = listed(world, people[0])
    assert (seen["failures"], seen["gold"]["n"], seen["gold"]["value"]) == (0, 0, None)
    assert seen["gold"]["reason"]


def test_an_item_that_the_owner_retires_lifts_a_pause(world: World) -> None:
    world.begin()
    checks(world, 6)
    person = world.person()
    work(world, person, "-----")
    assert person.lease(world.round_id).get_json()["state"] == "paused_you"
    items = owner(world).get(f"{TASK}/gold").get_json()["items"]
    failed = next(item for item in items if item["failed"])
    assert owner(world).send("DELETE", f"/gold/{failed['gold_id']}").status_code == 204
    assert listed(world, person)["failures"] == 4
    assert person.hold(world.round_id)["lease_id"]


def test_figures_of_validators(world: World) -> None:
    world.begin(policy={"fixed": {"votes": 3, "agree": 2}})
    people = [world.person() for _ in range(3)]
    examples = []
    for labels in (("negative", "negative", "positive"), ("neutral", "neutral", "neutral")):
        examples.append(world.example())
        for person, label in zip(people, labels, strict=True):
            lease = person.hold(world.round_id)
            world.clock.move(4)
            assert person.vote(lease["lease_id"], kind="label", value=label).status_code == 201
    odd = listed(world, people[2])
    assert (odd["votes"], odd["seconds_median"], odd["state"]) == (2, 4.0, "active")
    assert (odd["agreement"]["value"], odd["agreement"]["n"]) == (0.5, 2)
    assert odd["agreement"]["low"] < 0.5 < odd["agreement"]["high"]
    # Of the other two votes on the first example one says negative, one positive: nothing to agree with.
    assert listed(world, people[0])["agreement"]["n"] == 1

    path = f"/examples/{examples[0]}/adjudication"
    owner(world).send("PUT", path, kind="label", value="positive", reason="It is about sand.")
    assert listed(world, people[2])["agreement"]["value"] == 1.0
    assert listed(world, people[0])["agreement"] | {"low": 0, "high": 0} == {
        "value": 0.5,
        "low": 0,
        "high": 0,
        "n": 2,
        "reason": None,
    }


def test_validators_come_in_pages(world: World) -> None:
    world.begin()
    for _ in range(3):
        world.example()
        world.person().answer(world.round_id, "negative")
    first = owner(world).get(f"{TASK}/validators?limit=2").get_json()
    second = owner(world).get(f"{TASK}/validators?limit=2&cursor={first['next_cursor']}").get_json()
    ids = [item["voter_id"] for item in first["items"] + second["items"]]
    assert (len(set(ids)), ids, second["next_cursor"]) == (3, sorted(ids), None)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"state": "paused", "reason": "Why not."}, 404),
        ({"state": "warned", "reason": "Why not."}, 422),
        ({"state": "paused", "reason": " "}, 422),
    ],
)
def test_unusable_decisions(world: World, body: dict[str, str], status: int) -> None:
    world.begin()
    path = f"{TASK}/validators/{world.person().person_id}"
    assert owner(world).send("PUT", path, **body).status_code == status


def test_only_owners_of_the_task_see_and_decide(world: World) -> None:
    world.begin()
    stranger = world.person("annotator", "owner:another")
    assert stranger.get(f"{TASK}/validators").status_code == 403
    path = f"{TASK}/validators/{stranger.person_id}"
    assert stranger.send("PUT", path, state="active", reason="Me.").status_code == 403
    assert world.person().get(f"{TASK}/validators").status_code == 403


def standings(world: World, of: Someone, *roles: str) -> Any:
    return world.person(*(roles or ("annotator", "admin"))).get(f"/people/{of.person_id}/standings")


def test_an_administrator_reads_where_and_why_a_person_is_paused(world: World) -> None:
    world.begin()
    checks(world, 6)
    person = world.person()
    assert standings(world, person).get_json() == {"items": []}
    work(world, person, "-----")
    (found,) = standings(world, person).get_json()["items"]
    assert (found["task_slug"], found["state"], found["paused_by"]) == ("sentiment", "paused", "checks")
    assert (found["failures"], found["reason"], found["appeal"]) == (5, None, None)
    assert found["paused_at"] is not None
    person.send("POST", f"/rounds/{world.round_id}/me/pause-appeal", reason="They are ambiguous.")
    assert standings(world, person).get_json()["items"][0]["appeal"]["reason"] == "They are ambiguous."
    world.clock.move(1)
    decide(world, person, "paused", "They are not.")
    (found,) = standings(world, person).get_json()["items"]
    assert (found["paused_by"], found["reason"]) == ("owner", "They are not.")
    decide(world, person, "active")
    (found,) = standings(world, person).get_json()["items"]
    assert (found["state"], found["paused_by"], found["paused_at"], found["reason"]) == (
        "active",
        None,
        None,
        None,
    )
    assert standings(world, person, "annotator", "owner:sentiment").status_code == 403
