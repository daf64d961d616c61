"""The training before work: who is led there, its steps, and what owners see."""

from urllib.parse import quote
from uuid import uuid4

import pytest
from web_fake_platform import FakePlatform
from web_fake_training import BECAUSE, QUESTIONS, TrainingDesk
from web_visiting import Visitor
from werkzeug.test import TestResponse

HERE = "/tasks/sentiment/training"
FIRST, SECOND = (str(each["question"]) for each in QUESTIONS)
RIGHT, WRONG = "The reader's", "The author's"


@pytest.fixture
def training(fake: FakePlatform) -> TrainingDesk:
    fake.loop.training.is_needed = True
    return fake.loop.training


def work(fake: FakePlatform, activity: str) -> str:
    return f"/rounds/{fake.loop.round_id}/{activity}"


def confirm(visitor: Visitor, activity: str = "create", version: int = 1) -> TestResponse:
    versions = {"guidelines_version": str(version), "consent_version": "1"}
    return visitor.post(f"{HERE}/{activity}/confirmation", **versions)


def answer(visitor: Visitor, training: TrainingDesk, number: int, option: str) -> TestResponse:
    attempt = training.attempts["create", _person(training)][-1]
    form = {"attempt_id": attempt["attempt_id"], "number": str(number), "option": option}
    return visitor.post(f"{HERE}/create/answers", **form)


def _person(training: TrainingDesk) -> str:
    return next(person for activity, person in training.attempts if activity == "create")


def take_quiz(visitor: Visitor, training: TrainingDesk, *options: str) -> None:
    visitor.post(f"{HERE}/create/attempts")
    for number, option in enumerate(options, start=1):
        assert answer(visitor, training, number, option).status_code == 303


@pytest.mark.parametrize("activity", ["create", "validate"])
def test_work_leads_to_the_training_and_back(
    ada: Visitor, fake: FakePlatform, training: TrainingDesk, activity: str
) -> None:
    led = ada.get(work(fake, activity))
    assert led.status_code == 303
    assert led.headers["Location"] == f"{HERE}/{activity}?next={quote(work(fake, activity), safe='')}"
    training.has_quiz = False
    confirm(ada, activity)
    done = ada.get(led.headers["Location"]).text
    assert f'href="{work(fake, activity)}">Start to work' in done
    assert ada.get(work(fake, activity)).status_code == 200


def test_the_texts_come_first(ada: Visitor, training: TrainingDesk) -> None:
    page = ada.get(f"{HERE}/create").text
    assert "start from it" in page
    assert "I am at least 18 years old." in page
    assert "Start the quiz" not in page
    training.consent = ""
    assert "Your consent" not in ada.get(f"{HERE}/create").text


def test_an_answer_is_shown_with_its_reason_and_not_before(ada: Visitor, training: TrainingDesk) -> None:
    confirm(ada)
    ada.post(f"{HERE}/create/attempts")
    page = ada.get(f"{HERE}/create").text
    assert FIRST in page
    assert BECAUSE not in page
    led = answer(ada, training, 1, WRONG)
    told = ada.get(led.headers["Location"]).text
    assert "Not right" in told
    assert BECAUSE in told
    assert SECOND in ada.get(f"{HERE}/create").text
    assert SECOND in ada.get(f"{HERE}/create?question=2").text


def test_who_fails_tries_again_until_no_attempt_is_left(ada: Visitor, training: TrainingDesk) -> None:
    confirm(ada)
    take_quiz(ada, training, RIGHT, WRONG)
    page = ada.get(f"{HERE}/create").text
    assert "Not passed this time: 1 of 2 answers are right." in page
    assert "You have one attempt left." in page
    take_quiz(ada, training, WRONG, WRONG)
    assert "You have used all attempts" in ada.get(f"{HERE}/create").text


def test_who_passes_works(ada: Visitor, fake: FakePlatform, training: TrainingDesk) -> None:
    confirm(ada)
    take_quiz(ada, training, RIGHT, RIGHT)
    assert "You passed: 2 of 2 answers are right." in ada.get(f"{HERE}/create").text
    assert ada.get(work(fake, "create")).status_code == 200


def test_guidelines_that_change_meanwhile_are_read_anew(ada: Visitor, training: TrainingDesk) -> None:
    training.version = 2
    refused = confirm(ada)
    assert refused.status_code == 409
    assert "There is a new version." in refused.text
    confirm(ada, version=2)
    training.version = 3
    assert "The guidelines have changed since you confirmed them." in ada.get(f"{HERE}/create").text


def test_a_text_sent_after_a_change_of_the_guidelines_is_kept_on_the_page(
    ada: Visitor, fake: FakePlatform, training: TrainingDesk
) -> None:
    form = {"input.text": "A queue to remember.", "input.label": "negative", "context_id": str(uuid4())}
    page = ada.post(work(fake, "create"), key="a" * 20, **form)
    assert page.status_code == 403
    assert "A queue to remember." in page.text
    assert f'href="{HERE}/create?next={work(fake, "create")}"' in page.text


def test_a_vote_sent_after_a_change_of_the_guidelines_leads_to_the_training(
    ada: Visitor, fake: FakePlatform, training: TrainingDesk
) -> None:
    form = {"lease_id": fake.loop.queue[0]["lease_id"], "choice": "option:negative"}
    page = ada.post(work(fake, "validate"), key="a" * 20, **form)
    assert f'href="{HERE}/validate?next={work(fake, "validate")}"' in page.text


def test_practice_is_a_part_of_the_training(ada: Visitor, fake: FakePlatform, training: TrainingDesk) -> None:
    task = fake.loop.add("nli", has_practice=True, changes={"onboarding": training.document})
    fake.my_rounds.clear()
    create, here = f"/rounds/{task.round_id}/create", "/tasks/nli/training/create"
    assert ada.get(create).headers["Location"].startswith(here)
    versions = {"guidelines_version": "1", "consent_version": "1", "next": create}
    led = ada.post(f"{here}/confirmation", **versions).headers["Location"]
    back = quote(f"{here}?next={quote(create, safe='')}", safe="")
    assert led == f"/tasks/nli/practice?next={back}"
    assert ada.get(led).status_code == 200
    assert ada.post(f"{here}/confirmation", **versions).headers["Location"].startswith(here)


@pytest.mark.parametrize("next_", ["https://evil.example/", "//evil.example"])
def test_the_way_back_stays_on_the_platform(
    ada: Visitor, fake: FakePlatform, training: TrainingDesk, next_: str
) -> None:
    training.has_quiz = False
    confirm(ada)
    page = ada.get(f"{HERE}/create?next={quote(next_, safe='')}").text
    assert f'href="{work(fake, "create")}">Start to work' in page


@pytest.mark.parametrize(
    "form", [{}, {"number": "x"}, {"number": "99999999"}, {"number": "1", "option": "?"}]
)
def test_an_answer_that_no_page_offers_is_refused(
    ada: Visitor, training: TrainingDesk, form: dict[str, str]
) -> None:
    confirm(ada)
    ada.post(f"{HERE}/create/attempts")
    refused = ada.post(f"{HERE}/create/answers", attempt_id="x", **form)
    assert refused.status_code == 422
    assert 'role="alert"' in refused.text


def test_owners_see_which_question_most_people_fail(visitor: Visitor, training: TrainingDesk) -> None:
    visitor.sign_in("olga")
    for activity in ("create", "validate"):
        page = visitor.get(f"{HERE}?of={activity}").text
        hard = page.split(FIRST)[1].split("</tr>")[0]
        assert "Most people fail it" in hard
        assert page.count("Most people fail it") == 1
        assert "Person " in page


def test_owners_of_a_task_without_training_learn_how_to_add_one(visitor: Visitor) -> None:
    visitor.sign_in("olga")
    assert "No training in this task" in visitor.get(HERE).text


def test_results_are_for_owners(ada: Visitor, training: TrainingDesk) -> None:
    assert ada.get(HERE).status_code == 403
