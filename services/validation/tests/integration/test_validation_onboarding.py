"""Onboarding before checking: the rules are those of annotation, the gate is at leases and votes."""

from typing import Any

from .conftest import Someone, World

ONBOARDING = "/tasks/sentiment/onboarding"
QUIZ: dict[str, Any] = {
    "questions": [
        {"question": "May I guess?", "options": ["Yes", "No"], "answer": "No", "because": "Flag it."}
    ],
    "draw": 1,
    "pass_mark": 1,
}


def begin(world: World, **onboarding: Any) -> None:
    world.begin(changes={"onboarding": onboarding})
    world.example()


def confirm(person: Someone, version: int) -> Any:
    return person.send("POST", f"{ONBOARDING}/confirmation", guidelines_version=version)


def refusal(person: Someone, world: World) -> str:
    response = person.lease(world.round_id)
    assert response.status_code == 403, response.text
    kind: str = response.get_json()["type"]
    return kind


def test_a_person_checks_after_the_quiz(world: World) -> None:
    begin(world, activities=["validate"], quizzes={"validate": QUIZ})
    person = world.person()
    assert refusal(person, world) == "/problems/onboarding-needed"
    confirm(person, 1)
    attempt = person.send("POST", f"{ONBOARDING}/attempts").get_json()["attempt"]
    answers = f"{ONBOARDING}/attempts/{attempt['attempt_id']}/answers"
    assert refusal(person, world) == "/problems/onboarding-needed"
    state = person.send("POST", answers, number=1, option="No").get_json()
    assert state["is_done"] is True
    person.answer(world.round_id, "negative")


def test_a_new_version_refuses_a_vote_on_a_lease_in_hand(world: World) -> None:
    begin(world)
    person = world.person()
    confirm(person, 1)
    lease_id = person.hold(world.round_id)["lease_id"]
    changed = {"onboarding": {"guidelines_version": 2}}
    world.apply(world.events.task(world.task_id, 2, changed))
    refused = person.vote(lease_id, kind="label", value="negative")
    assert (refused.status_code, refused.get_json()["type"]) == (403, "/problems/onboarding-needed")
    assert world.counts()["votes"] == 0
    confirm(person, 2)
    assert person.vote(lease_id, kind="label", value="negative").status_code == 201


def test_the_onboarding_of_writers_is_not_asked_of_checkers(world: World) -> None:
    begin(world, activities=["create"])
    person = world.person()
    person.answer(world.round_id, "negative")
    assert person.get(ONBOARDING).status_code == 404
