"""Onboarding before writing: what a person confirms and answers, what stays here, and figures for owners."""

from typing import Any
from uuid import UUID, uuid4

import pytest
import yaml
from werkzeug.test import TestResponse

from .conftest import OWNER, MakePlatform, Platform

RIGHT = "That is right."


def question(number: int) -> dict[str, Any]:
    options = ["Yes", "No"]
    return {"question": f"Question {number}?", "options": options, "answer": "Yes", "because": RIGHT}


def onboarding(questions: int = 2, **changes: Any) -> dict[str, Any]:
    """An onboarding for writers whose quiz asks two questions and lets one be wrong."""
    quiz = {
        "questions": [question(number) for number in range(questions)],
        "draw": 2,
        "pass_mark": 2,
        "attempts": 2,
    }
    whole = {"activities": ["create"], "consent": {"text": "I agree."}, "quizzes": {"create": quiz}}
    return {**whole, **changes}


class Trainee:
    """A person in the onboarding of a task."""

    def __init__(self, platform: Platform) -> None:
        self.platform = platform
        self.person = uuid4()
        self.path = f"/tasks/{platform.slug}/onboarding"

    def send(self, path: str, **body: Any) -> TestResponse:
        return self.platform.call("POST", self.path + path, body or None, person=self.person)

    def state(self) -> Any:
        return self.platform.call("GET", self.path, person=self.person).get_json()

    def confirm(self, guidelines_version: int = 1, consent_version: int = 1) -> TestResponse:
        body = {"guidelines_version": guidelines_version, "consent_version": consent_version}
        return self.send("/confirmation", **body)

    def answer(self, attempt: Any, number: int, option: str) -> TestResponse:
        path = f"/attempts/{attempt['attempt_id']}/answers"
        return self.send(path, number=number, option=option)

    def take_quiz(self, *options: str) -> Any:
        """Answer all questions of an attempt, and return the state after it."""
        attempt = self.send("/attempts").get_json()["attempt"]
        for number, option in enumerate(options, start=1):
            response = self.answer(attempt, number, option)
            assert response.status_code == 200, response.text
        return self.state()

    def assign(self, round_id: str) -> TestResponse:
        return self.platform.call("POST", f"/rounds/{round_id}/assignments", {}, person=self.person)


def slug_of(response: TestResponse) -> str:
    slug: str = response.get_json()["type"]
    return slug.removeprefix("/problems/")


@pytest.fixture
def platform(make_platform: MakePlatform) -> Platform:
    return make_platform(onboarding=onboarding())


def reconfigure(platform: Platform, **changes: Any) -> None:
    document = {**yaml.safe_load(platform.configuration), **changes}
    body = {"configuration": yaml.safe_dump(document)}
    platform.owner("PUT", f"/tasks/{platform.slug}/configuration", body)


def test_a_person_confirms_passes_and_then_writes(platform: Platform) -> None:
    round_id, trainee = platform.open_round(), Trainee(platform)
    refused = trainee.assign(round_id)
    assert (refused.status_code, slug_of(refused)) == (403, "onboarding-needed")

    state = trainee.state()
    assert state["consent"] == {"version": 1, "text": "I agree."}
    assert state["quiz"] == {"draw": 2, "pass_mark": 2, "attempts": 2, "attempts_left": 2}
    assert (state["confirmed_at"], state["attempt"], state["is_done"]) == (None, None, False)

    assert trainee.confirm().get_json()["is_done"] is False
    state = trainee.take_quiz("Yes", "Yes")
    assert (state["is_done"], state["attempt"]["passed"], state["attempt"]["right_answers"]) == (
        True,
        True,
        2,
    )
    assert trainee.assign(round_id).status_code == 200


def test_who_fails_twice_has_no_attempt_left_until_the_guidelines_change(platform: Platform) -> None:
    round_id, trainee = platform.open_round(), Trainee(platform)
    trainee.confirm()
    assert trainee.take_quiz("Yes", "No")["attempt"]["passed"] is False
    state = trainee.take_quiz("No", "No")
    assert (state["quiz"]["attempts_left"], state["is_done"]) == (0, False)
    assert slug_of(trainee.send("/attempts")) == "no-attempt-left"

    reconfigure(platform, onboarding=onboarding(guidelines_version=2))
    assert trainee.state()["quiz"]["attempts_left"] == 2
    trainee.confirm(2)
    trainee.take_quiz("Yes", "Yes")
    assert trainee.assign(round_id).status_code == 200


def test_right_answers_stay_here_until_a_question_is_answered(platform: Platform) -> None:
    trainee = Trainee(platform)
    trainee.confirm()
    started = trainee.send("/attempts")
    assert RIGHT not in started.text
    state = trainee.answer(started.get_json()["attempt"], 1, "No").get_json()
    first, second = state["attempt"]["questions"]
    assert (first["chosen"], first["answer"], first["because"]) == ("No", "Yes", RIGHT)
    assert (second["chosen"], second["answer"], second["because"]) == (None, None, None)


@pytest.mark.parametrize("path", ["", "/versions", "/versions/1", "/versions/2"])
def test_quizzes_are_in_configurations_for_owners_alone(platform: Platform, path: str) -> None:
    reconfigure(platform, onboarding=onboarding(3))
    address = f"/tasks/{platform.slug}{path}"
    for person in (None, uuid4()):
        answer = platform.call("GET", address, person=person)
        assert answer.status_code == 200
        assert "Question" not in answer.text, address
    owners = platform.call("GET", address, person=OWNER, roles=[f"owner:{platform.slug}"])
    assert "Question" in owners.text
    foreign = platform.call("GET", address, person=uuid4(), roles=["owner:another"])
    assert "Question" not in foreign.text


def test_an_open_attempt_is_continued_and_an_answer_stands(platform: Platform) -> None:
    trainee = Trainee(platform)
    trainee.confirm()
    attempt = trainee.send("/attempts").get_json()["attempt"]
    trainee.answer(attempt, 1, "No")
    assert trainee.send("/attempts").get_json()["attempt"]["attempt_id"] == attempt["attempt_id"]
    assert trainee.answer(attempt, 1, "No").status_code == 200
    assert slug_of(trainee.answer(attempt, 1, "Yes")) == "answered-before"
    assert slug_of(trainee.answer(attempt, 3, "Yes")) == "question-unknown"
    assert slug_of(trainee.answer(attempt, 2, "Perhaps")) == "option-unknown"
    assert slug_of(trainee.answer({"attempt_id": uuid4()}, 2, "Yes")) == "attempt-not-found"
    stranger = Trainee(platform)
    assert slug_of(stranger.answer(attempt, 2, "Yes")) == "attempt-not-found"


def test_a_script_that_starts_at_once_gets_one_attempt(platform: Platform) -> None:
    trainee = Trainee(platform)
    assert slug_of(trainee.send("/attempts")) == "guidelines-not-confirmed"
    trainee.confirm()
    given = platform.at_once(*[lambda: trainee.send("/attempts").get_json() for _ in range(8)])
    assert len({each["attempt"]["attempt_id"] for each in given}) == 1
    assert trainee.state()["quiz"]["attempts_left"] == 1


def test_the_next_attempt_draws_first_what_the_person_has_not_met(make_platform: MakePlatform) -> None:
    platform = make_platform(onboarding=onboarding(4))
    trainee = Trainee(platform)
    trainee.confirm()
    met = [
        each["question"] for _ in range(2) for each in trainee.take_quiz("No", "No")["attempt"]["questions"]
    ]
    assert sorted(met) == [f"Question {number}?" for number in range(4)]


def test_guidelines_that_change_in_mid_training_start_it_again(platform: Platform) -> None:
    trainee = Trainee(platform)
    trainee.confirm()
    attempt = trainee.send("/attempts").get_json()["attempt"]
    reconfigure(platform, onboarding=onboarding(guidelines_version=2))
    refused = trainee.answer(attempt, 1, "Yes")
    assert (refused.status_code, slug_of(refused)) == (409, "guidelines-changed")
    assert slug_of(trainee.confirm(1)) == "guidelines-changed"
    state = trainee.state()
    assert (state["confirmed_at"], state["confirmed_before"], state["attempt"]) == (None, True, None)


def test_a_new_version_stops_work_in_hand_and_stores_nothing(platform: Platform) -> None:
    round_id, trainee = platform.open_round(), Trainee(platform)
    trainee.confirm()
    trainee.take_quiz("Yes", "Yes")
    context_id = trainee.assign(round_id).get_json()["context"]["context_id"]
    reconfigure(platform, onboarding=onboarding(guidelines_version=2))
    refused = platform.try_(round_id, trainee.person, context_id)
    assert (refused.status_code, slug_of(refused)) == (403, "onboarding-needed")
    assert platform.counts(round_id)["tries"] == 0


def test_a_new_consent_text_is_agreed_to_without_another_quiz(platform: Platform) -> None:
    round_id, trainee = platform.open_round(), Trainee(platform)
    trainee.confirm()
    trainee.take_quiz("Yes", "Yes")
    reconfigure(platform, onboarding=onboarding(consent={"text": "I agree anew.", "version": 2}))
    assert slug_of(trainee.assign(round_id)) == "onboarding-needed"
    assert trainee.confirm(1, 2).get_json()["is_done"] is True
    assert trainee.assign(round_id).status_code == 200


def test_without_a_quiz_the_confirmation_is_enough(make_platform: MakePlatform) -> None:
    platform = make_platform(onboarding={})
    round_id, trainee = platform.open_round(), Trainee(platform)
    assert trainee.confirm(1, 0).get_json()["is_done"] is True
    assert trainee.assign(round_id).status_code == 200
    assert slug_of(trainee.send("/attempts")) == "onboarding-not-found"


@pytest.mark.parametrize("given", [None, {"activities": ["validate"]}])
def test_a_task_without_onboarding_for_writers_has_none(make_platform: MakePlatform, given: Any) -> None:
    platform = make_platform(onboarding=given)
    round_id, trainee = platform.open_round(), Trainee(platform)
    assert trainee.assign(round_id).status_code == 200
    assert slug_of(trainee.send("/confirmation", guidelines_version=1)) == "onboarding-not-found"


def test_owners_see_the_question_that_most_people_fail(platform: Platform) -> None:
    path = f"/tasks/{platform.slug}/onboarding"
    people: list[UUID] = []
    for hardest in ("No", "No", "Yes"):
        trainee = Trainee(platform)
        people.append(trainee.person)
        trainee.confirm()
        attempt = trainee.send("/attempts").get_json()["attempt"]
        for number, each in enumerate(attempt["questions"], start=1):
            trainee.answer(attempt, number, hardest if each["question"] == "Question 1?" else "Yes")
    assert platform.owner("GET", f"{path}/questions")["items"] == [
        {"question": "Question 1?", "people": 3, "failed": 2, "most_fail": True},
        {"question": "Question 0?", "people": 3, "failed": 0, "most_fail": False},
    ]
    first = platform.owner("GET", f"{path}/people?limit=2")
    rest = platform.owner("GET", f"{path}/people?cursor={first['next_cursor']}")
    listed = {each["person_id"]: each for each in (*first["items"], *rest["items"])}
    assert list(listed) == sorted(map(str, people))
    assert [listed[str(each)]["best"] for each in people] == [1, 1, 2]
    assert [listed[str(each)]["passed_at"] is not None for each in people] == [False, False, True]
    assert {each["attempts"] for each in listed.values()} == {1}
    for page in ("questions", "people"):
        refused = platform.call("GET", f"{path}/{page}", person=people[0])
        assert refused.status_code == 403
