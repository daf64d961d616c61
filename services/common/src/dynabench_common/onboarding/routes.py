"""Routes of onboarding, which a service adds for the activity that it hands out."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from dynabench_api.onboarding import (
    ConsentAnswer,
    OnboardingAnswer,
    QuestionFigures,
    QuestionsFigures,
    QuizAnswer,
    QuizAttemptAnswer,
    QuizQuestionAnswer,
    TraineeAnswer,
    TraineesAnswer,
)
from dynabench_tasks.configuration.onboarding import Activity, Onboarding, Quiz
from flask import Response
from flask_openapi import APIBlueprint
from pydantic import BaseModel, Field
from sqlalchemy import Engine, Row

from dynabench_common.auth.permissions import Permission, ensure, requires, signed_in_person
from dynabench_common.http.schemas import Input, PageQuery, Text, cut_page, page_start
from dynabench_common.http.service import json_response
from dynabench_common.onboarding.refusals import OnboardingUnknown
from dynabench_common.onboarding.training import OnboardingTables, SqlTraining, Training, Way

WORK = {Activity.CREATE: Permission.CREATE_EXAMPLE, Activity.VALIDATE: Permission.VALIDATE}


class OnboardingPath(BaseModel):
    """The task."""

    slug: Text = Field(max_length=100)


class AttemptPath(OnboardingPath):
    """An attempt at the quiz."""

    attempt_id: UUID


class ConfirmationBody(Input):
    """The versions that the person has read; 0 for the consent of a task that asks for none."""

    guidelines_version: int
    consent_version: int = 0


class QuizBody(Input):
    """An answer to a question of an attempt."""

    number: int = Field(description="Position of the question, from 1")
    option: str = Field(max_length=300)


def onboarding_blueprint(
    service: str,
    activity: Activity,
    tables: OnboardingTables,
    engine: Callable[[], Engine],
    find: Callable[[str], tuple[UUID, Onboarding | None]],
) -> APIBlueprint:
    """Return the routes of an activity's onboarding. `find` returns a task's id and onboarding by its slug."""
    blueprint = APIBlueprint("onboarding", service, url_prefix=f"/api/{service}/v1/tasks/<slug>/onboarding")

    def training_of(slug: str) -> Training:
        task_id, onboarding = find(slug)
        if onboarding is None or activity not in onboarding.activities:
            raise OnboardingUnknown
        return Training(task_id, slug, activity, onboarding)

    def quiz_of(training: Training) -> Quiz:
        if training.quiz is None:
            raise OnboardingUnknown
        return training.quiz

    @blueprint.get("", responses={200: OnboardingAnswer})
    @requires(Permission.READ_SELF)
    def get_onboarding(path: OnboardingPath) -> Response:
        """Show what you have to confirm and answer before this work, and how far you are."""
        training = training_of(path.slug)
        with engine().connect() as connection:
            way = SqlTraining(connection, tables, training).way_of(signed_in_person())
        return json_response(_answer(training, way))

    @blueprint.post("/confirmation", responses={200: OnboardingAnswer})
    @requires(WORK[activity])
    def post_confirmation(path: OnboardingPath, body: ConfirmationBody) -> Response:
        """Confirm the guidelines and agree to the consent text, in the versions in force."""
        training, person_id = training_of(path.slug), signed_in_person()
        with engine().begin() as connection:
            stored = SqlTraining(connection, tables, training)
            stored.confirm(person_id, (body.guidelines_version, body.consent_version), datetime.now(UTC))
            return json_response(_answer(training, stored.way_of(person_id)))

    @blueprint.post("/attempts", responses={200: OnboardingAnswer})
    @requires(WORK[activity])
    def post_attempt(path: OnboardingPath) -> Response:
        """Begin an attempt at the quiz, or continue the open one. The questions are drawn here."""
        training, person_id = training_of(path.slug), signed_in_person()
        with engine().begin() as connection:
            stored = SqlTraining(connection, tables, training)
            stored.start(quiz_of(training), person_id, datetime.now(UTC))
            return json_response(_answer(training, stored.way_of(person_id)))

    @blueprint.post("/attempts/<attempt_id>/answers", responses={200: OnboardingAnswer})
    @requires(WORK[activity])
    def post_answer(path: AttemptPath, body: QuizBody) -> Response:
        """Answer a question once. The answer shows the right option and the reason."""
        training, person_id = training_of(path.slug), signed_in_person()
        with engine().begin() as connection:
            stored = SqlTraining(connection, tables, training)
            quiz, now = quiz_of(training), datetime.now(UTC)
            stored.answer(quiz, path.attempt_id, body.number, body.option, person_id, now)
            return json_response(_answer(training, stored.way_of(person_id)))

    @blueprint.get("/questions", responses={200: QuestionsFigures})
    @requires(Permission.MANAGE_TASK)
    def get_questions(path: OnboardingPath) -> Response:
        """Count right and wrong answers to each question, for owners of the task."""
        ensure(Permission.MANAGE_TASK, task=path.slug)
        with engine().connect() as connection:
            found = SqlTraining(connection, tables, training_of(path.slug)).figures()
        items = [QuestionFigures.model_validate(row._mapping) for row in found]
        return json_response(QuestionsFigures(items=items))

    @blueprint.get("/people", responses={200: TraineesAnswer})
    @requires(Permission.MANAGE_TASK)
    def get_people(path: OnboardingPath, query: PageQuery) -> Response:
        """List the people who confirmed the guidelines in force, with their attempts, for owners of the task."""
        ensure(Permission.MANAGE_TASK, task=path.slug)
        after = page_start(query.cursor, UUID)
        with engine().connect() as connection:
            found = SqlTraining(connection, tables, training_of(path.slug)).people(query.limit + 1, after)
        rows, cursor = cut_page(found, query.limit, lambda row: row.person_id)
        items = [TraineeAnswer.model_validate(row._mapping) for row in rows]
        return json_response(TraineesAnswer(items=items, next_cursor=cursor))

    return blueprint


def _answer(training: Training, way: Way) -> OnboardingAnswer:
    consent, quiz = training.onboarding.consent, training.quiz
    return OnboardingAnswer(
        guidelines_version=training.onboarding.guidelines_version,
        consent=ConsentAnswer.model_validate(consent) if consent else None,
        confirmed_at=way.confirmed_at,
        confirmed_before=way.confirmed_before,
        quiz=None if quiz is None else _quiz(quiz, way),
        attempt=_attempt(way.attempts[-1]) if way.attempts else None,
        is_done=way.is_done,
    )


def _quiz(quiz: Quiz, way: Way) -> QuizAnswer:
    return QuizAnswer(
        draw=quiz.draw,
        pass_mark=quiz.pass_mark,
        attempts=quiz.attempts,
        attempts_left=max(0, quiz.attempts - len(way.attempts)),
    )


def _attempt(row: Row[Any]) -> QuizAttemptAnswer:
    return QuizAttemptAnswer(
        attempt_id=row.attempt_id,
        questions=[_question(each) for each in row.questions],
        right_answers=row.right_answers,
        started_at=row.started_at,
        passed=row.passed,
    )


def _question(document: dict[str, Any]) -> QuizQuestionAnswer:
    """Return a question; what the person may not know yet stays here."""
    is_answered = "chosen" in document
    return QuizQuestionAnswer(
        question=document["question"],
        options=document["options"],
        chosen=document.get("chosen"),
        answer=document["answer"] if is_answered else None,
        because=document["because"] if is_answered else None,
    )
