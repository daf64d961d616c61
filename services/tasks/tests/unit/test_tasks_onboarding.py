"""Onboarding: what comes before work, each mistake at its place, and quizzes that leave the public document."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from dynabench_tasks.configuration.onboarding import Activity, read_onboarding, without_quizzes
from dynabench_tasks.configuration.problems import ConfigurationError
from dynabench_tasks.configuration.reader import read_task_configuration

PLAIN = yaml.safe_load((Path(__file__).parents[1] / "sentiment.yaml").read_text())
FIRST = {"question": "Who decides?", "options": ["Author", "Reader"], "answer": "Reader", "because": "Votes."}
SECOND = {**FIRST, "question": "Is irony fine?", "options": ["Yes", "No"], "answer": "Yes"}
QUIZ: dict[str, Any] = {"questions": [FIRST, SECOND], "draw": 2, "pass_mark": 1, "attempts": 2}
WHOLE: dict[str, Any] = {
    "activities": ["create", "validate"],
    "guidelines_version": 3,
    "consent": {"text": "I agree.", "version": 2},
    "quizzes": {"create": QUIZ},
}


def problems_of(onboarding: Any) -> list[tuple[str, str]]:
    with pytest.raises(ConfigurationError) as caught:
        read_task_configuration({**PLAIN, "onboarding": onboarding})
    assert all(each.remedy for each in caught.value.problems)
    return [(each.path, each.reason) for each in caught.value.problems]


def quiz(**changes: Any) -> dict[str, Any]:
    return {"quizzes": {"create": {**QUIZ, **changes}}}


def test_an_onboarding_is_read_and_written_back() -> None:
    configuration = read_task_configuration({**PLAIN, "onboarding": WHOLE})
    found = configuration.onboarding
    assert found is not None
    assert found.quizzes[Activity.CREATE].questions[1].answer == "Yes"
    assert found.consent_version == 2
    document = configuration.document()
    assert document["onboarding"] == WHOLE
    assert read_onboarding(document) == found


def test_an_empty_onboarding_asks_to_confirm_the_guidelines_before_all_work() -> None:
    found = read_task_configuration({**PLAIN, "onboarding": {}}).onboarding
    assert found is not None
    assert found.activities == {Activity.CREATE, Activity.VALIDATE}
    assert (found.guidelines_version, found.consent_version, dict(found.quizzes)) == (1, 0, {})


def test_a_task_without_onboarding_is_published_as_before() -> None:
    document = read_task_configuration(PLAIN).document()
    assert "onboarding" not in document
    assert read_onboarding(document) is None
    assert without_quizzes(document) == document


def test_the_public_document_has_no_questions_and_can_still_be_read() -> None:
    document = read_task_configuration({**PLAIN, "onboarding": WHOLE}).document()
    public = without_quizzes(document)
    assert "Reader" not in str(public["onboarding"])
    found = read_onboarding(public)
    assert found is not None
    assert (found.guidelines_version, found.consent_version, found.quizzes) == (3, 2, {})
    assert document["onboarding"] == WHOLE


@pytest.mark.parametrize(
    ("onboarding", "path", "reason"),
    [
        ([], "onboarding", "is a list"),
        ({"activities": []}, "onboarding.activities", "has 0 entries"),
        ({"activities": ["vote"]}, "onboarding.activities[0]", "is 'vote', a kind of work that is not known"),
        ({"activities": ["create"] * 2}, "onboarding.activities[1]", "repeats 'create'"),
        ({"guidelines_version": 0}, "onboarding.guidelines_version", "is 0"),
        ({"consent": {"text": " "}}, "onboarding.consent.text", "is blank"),
        ({"consent": {}}, "onboarding.consent.text", "is missing"),
        (quiz(draw=3), "onboarding.quizzes.create.draw", "is 3"),
        (quiz(draw=1, pass_mark=2), "onboarding.quizzes.create.pass_mark", "is 2"),
        (quiz(questions=[]), "onboarding.quizzes.create.questions", "has 0 entries"),
        (quiz(attempts=0), "onboarding.quizzes.create.attempts", "is 0"),
        (
            quiz(questions=[FIRST, FIRST]),
            "onboarding.quizzes.create.questions[1]",
            "repeats 'Who decides?'",
        ),
        (
            quiz(questions=[FIRST, {**SECOND, "answer": "Perhaps"}]),
            "onboarding.quizzes.create.questions[1].answer",
            "is 'Perhaps', no option of the question",
        ),
        (
            quiz(questions=[FIRST, {**SECOND, "options": ["Yes"]}]),
            "onboarding.quizzes.create.questions[1].options",
            "has 1 entries",
        ),
        (
            {**quiz(), "activities": ["validate"]},
            "onboarding.quizzes.create",
            "belongs to no activity of this onboarding",
        ),
    ],
)
def test_a_mistake_is_reported_at_its_place(onboarding: Any, path: str, reason: str) -> None:
    assert problems_of(onboarding) == [(path, reason)]
