"""Routes of onboarding, which a service adds for the activity that it hands out."""

from collections.abc import Callable
from dataclasses import dataclass
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
from dynabench_tasks.strict_json import LARGEST
from flask import Response
from flask_openapi import APIBlueprint
from pydantic import BaseModel, Field
from sqlalchemy import Engine, Row

from dynabench_common.auth.permissions import Permission, ensure, requires, signed_in_person
from dynabench_common.http.schemas import Input, PageQuery, Text, cursor_id, cut_page, page_start
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

    guidelines_version: int = Field(ge=0, le=LARGEST)
    consent_version: int = Field(default=0, ge=0, le=LARGEST)


class QuizBody(Input):
    """An answer to a question of an attempt."""

    number: int = Field(ge=0, le=LARGEST, description="Position of the question, from 1")
    option: str = Field(max_length=300)


@dataclass(frozen=True)
class _Onboardings:
    """The onboardings of one activity; `find` returns a task's id and onboarding by its slug."""

    activity: Activity
    tables: OnboardingTables
    engine: Callable[[], Engine]
    find: Callable[[str], tuple[UUID, Onboarding | None]]

    def of(self, slug: str) -> Training:
        """Return the onboarding of a task. Raises OnboardingUnknown."""
        task_id, onboarding = self.find(slug)
        if onboarding is None or self.activity not in onboarding.activities:
            raise OnboardingUnknown
        return Training(task_id, slug, self.activity, onboarding)

    def changed(self, slug: str, change: Callable[[SqlTraining, UUID], None]) -> Response:
        """Make a change in one transaction, and answer how far the caller is then."""
        training, person_id = self.of(slug), signed_in_person()
        with self.engine().begin() as connection:
            stored = SqlTraining(connection, self.tables, training)
            change(stored, person_id)
            return json_response(_answer(training, stored.way_of(person_id)))


def onboarding_blueprint(
    service: str,
    activity: Activity,
    tables: OnboardingTables,
    engine: Callable[[], Engine],
    find: Callable[[str], tuple[UUID, Onboarding | None]],
) -> APIBlueprint:
    """Return the routes of an activity's onboarding. `find` returns a task's id and onboarding by its slug."""
    blueprint = APIBlueprint("onboarding", service, url_prefix=f"/api/{service}/v1/tasks/<slug>/onboarding")
    onboardings = _Onboardings(activity, tables, engine, find)
    _add_steps(blueprint, onboardings)
    _add_results(blueprint, onboardings)
    return blueprint


def _add_steps(blueprint: APIBlueprint, onboardings: _Onboardings) -> None:
    work = WORK[onboardings.activity]

    @blueprint.get("", responses={200: OnboardingAnswer})
    @requires(Permission.READ_SELF)
    def get_onboarding(path: OnboardingPath) -> Response:
        """Show what you have to confirm and answer before this work, and how far you are."""
        training = onboardings.of(path.slug)
        with onboardings.engine().connect() as connection:
            way = SqlTraining(connection, onboardings.tables, training).way_of(signed_in_person())
        return json_response(_answer(training, way))

    @blueprint.post("/confirmation", responses={200: OnboardingAnswer})
    @requires(work)
    def post_confirmation(path: OnboardingPath, body: ConfirmationBody) -> Response:
        """Confirm the guidelines and agree to the consent text, in the versions in force."""
        versions, now = (body.guidelines_version, body.consent_version), datetime.now(UTC)
        return onboardings.changed(path.slug, lambda stored, person: stored.confirm(person, versions, now))

    @blueprint.post("/attempts", responses={200: OnboardingAnswer})
    @requires(work)
    def post_attempt(path: OnboardingPath) -> Response:
        """Begin an attempt at the quiz, or continue the open one. The questions are drawn here."""
        now = datetime.now(UTC)
        return onboardings.changed(path.slug, lambda stored, person: stored.start(person, now))

    @blueprint.post("/attempts/<attempt_id>/answers", responses={200: OnboardingAnswer})
    @requires(work)
    def post_answer(path: AttemptPath, body: QuizBody) -> Response:
        """Answer a question once. The answer shows the right option and the reason."""
        given, now = (path.attempt_id, body.number, body.option), datetime.now(UTC)
        return onboardings.changed(path.slug, lambda stored, person: stored.answer(*given, person, now))


def _add_results(blueprint: APIBlueprint, onboardings: _Onboardings) -> None:

    @blueprint.get("/questions", responses={200: QuestionsFigures})
    @requires(Permission.MANAGE_TASK)
    def get_questions(path: OnboardingPath) -> Response:
        """Count right and wrong answers to each question, for owners of the task."""
        ensure(Permission.MANAGE_TASK, task=path.slug)
        training = onboardings.of(path.slug)
        with onboardings.engine().connect() as connection:
            found = SqlTraining(connection, onboardings.tables, training).figures()
        items = [QuestionFigures.model_validate(row._mapping) for row in found]
        return json_response(QuestionsFigures(items=items))

    @blueprint.get("/people", responses={200: TraineesAnswer})
    @requires(Permission.MANAGE_TASK)
    def get_people(path: OnboardingPath, query: PageQuery) -> Response:
        """List the people who confirmed the guidelines in force, with their attempts, for owners of the task."""
        ensure(Permission.MANAGE_TASK, task=path.slug)
        training, after = onboardings.of(path.slug), page_start(query.cursor, cursor_id)
        with onboardings.engine().connect() as connection:
            found = SqlTraining(connection, onboardings.tables, training).people(query.limit + 1, after)
        rows, cursor = cut_page(found, query.limit, lambda row: row.person_id)
        items = [TraineeAnswer.model_validate(row._mapping) for row in rows]
        return json_response(TraineesAnswer(items=items, next_cursor=cursor))


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
