"""A person's way through an onboarding: confirm the texts, then pass the quiz.

A confirmation and an attempt belong to a version of the guidelines. So with a new version nobody is qualified, and
nothing has to be withdrawn. Questions are stored with the attempt that drew them, right answers included: a later
change of the pool does not change an attempt.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from random import SystemRandom
from typing import Any
from uuid import UUID

from dynabench_tasks.configuration.onboarding import Activity, Onboarding, Quiz
from sqlalchemy import (
    Boolean,
    Column,
    ColumnElement,
    Connection,
    DateTime,
    Index,
    Integer,
    MetaData,
    Row,
    Table,
    Uuid,
    and_,
    exists,
    func,
    select,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB, insert

from dynabench_common.identifiers import new_id
from dynabench_common.onboarding.refusals import (
    AnsweredBefore,
    AttemptUnknown,
    GuidelinesChanged,
    NoAttemptLeft,
    NotConfirmed,
    OnboardingNeeded,
    OnboardingUnknown,
    OptionUnknown,
    QuestionUnknown,
    QuizPassed,
)

LEAST_PEOPLE = 3
"""People who must have answered a question before it can count as failed by most."""
RANDOM = SystemRandom()


@dataclass(frozen=True)
class OnboardingTables:
    """Confirmations of texts, and attempts at quizzes."""

    confirmation: Table
    attempt: Table


def onboarding_tables(metadata: MetaData) -> OnboardingTables:
    """Declare the tables. `consent_version` is 0 without a consent text."""
    confirmation = Table(
        "onboarding_confirmation",
        metadata,
        Column("task_id", Uuid, primary_key=True),
        Column("guidelines_version", Integer, primary_key=True),
        Column("consent_version", Integer, primary_key=True),
        Column("person_id", Uuid, primary_key=True),
        Column("confirmed_at", DateTime(timezone=True), nullable=False),
    )
    attempt = Table(
        "quiz_attempt",
        metadata,
        Column("attempt_id", Uuid, primary_key=True),
        Column("task_id", Uuid, nullable=False),
        Column("guidelines_version", Integer, nullable=False),
        Column("person_id", Uuid, nullable=False),
        Column("questions", JSONB, nullable=False),
        Column("right_answers", Integer, nullable=False),
        Column("started_at", DateTime(timezone=True), nullable=False),
        Column("finished_at", DateTime(timezone=True)),
        Column("passed", Boolean),
    )
    of_person = (attempt.c.task_id, attempt.c.guidelines_version, attempt.c.person_id)
    Index("ix_quiz_attempt_person", *of_person)
    return OnboardingTables(confirmation, attempt)


@dataclass(frozen=True)
class Training:
    """The onboarding of one activity of a task, as its configuration in force has it."""

    task_id: UUID
    task_slug: str
    activity: Activity
    onboarding: Onboarding

    @property
    def quiz(self) -> Quiz | None:
        """Return the quiz of the activity, None without one."""
        return self.onboarding.quizzes.get(self.activity)

    @property
    def versions(self) -> tuple[int, int]:
        """Return the versions in force of the guidelines and of the consent text."""
        return self.onboarding.guidelines_version, self.onboarding.consent_version


@dataclass(frozen=True)
class Way:
    """A person's progress; `attempts` are those for the guidelines in force, oldest first."""

    confirmed_at: datetime | None
    confirmed_before: bool
    attempts: Sequence[Row[Any]]
    is_done: bool


class SqlTraining:
    """People's onboarding of one activity in PostgreSQL."""

    def __init__(self, connection: Connection, tables: OnboardingTables, training: Training) -> None:
        self._connection = connection
        self._tables = tables
        self._training = training

    def ensure_done(self, person_id: UUID) -> None:
        """Refuse work before the onboarding. Raises OnboardingNeeded."""
        steps: list[ColumnElement[bool]] = [exists().where(self._confirmed(person_id))]
        if self._training.quiz is not None:
            steps.append(exists().where(self._attempts(person_id), self._tables.attempt.c.passed))
        if not self._connection.execute(select(and_(*steps))).scalar_one():
            raise OnboardingNeeded(self._training.task_slug, self._training.activity.value)

    def way_of(self, person_id: UUID) -> Way:
        """Return the person's progress."""
        confirmation = self._tables.confirmation.c
        of_person = and_(confirmation.task_id == self._training.task_id, confirmation.person_id == person_id)
        found = self._connection.execute(select(self._tables.confirmation).where(of_person)).all()
        in_force = [
            row for row in found if (row.guidelines_version, row.consent_version) == self._training.versions
        ]
        attempts = self._attempts_of(person_id)
        has_passed = self._training.quiz is None or any(each.passed for each in attempts)
        return Way(
            confirmed_at=in_force[0].confirmed_at if in_force else None,
            confirmed_before=len(found) > len(in_force),
            attempts=attempts,
            is_done=bool(in_force) and has_passed,
        )

    def confirm(self, person_id: UUID, versions: tuple[int, int], now: datetime) -> None:
        """Store that the person read the guidelines and agrees to the text. Raises GuidelinesChanged."""
        if versions != self._training.versions:
            raise GuidelinesChanged
        guidelines_version, consent_version = versions
        statement = insert(self._tables.confirmation).values(
            task_id=self._training.task_id,
            guidelines_version=guidelines_version,
            consent_version=consent_version,
            person_id=person_id,
            confirmed_at=now,
        )
        self._connection.execute(statement.on_conflict_do_nothing())

    def start(self, person_id: UUID, now: datetime) -> None:
        """Begin an attempt, unless one is open.

        Raises OnboardingUnknown without a quiz, NotConfirmed, QuizPassed, NoAttemptLeft.
        """
        quiz = self._quiz()
        confirmed = select(self._tables.confirmation).where(self._confirmed(person_id)).with_for_update()
        if self._connection.execute(confirmed).one_or_none() is None:
            raise NotConfirmed
        earlier = self._attempts_of(person_id)
        if any(each.passed for each in earlier):
            raise QuizPassed
        if earlier and earlier[-1].finished_at is None:
            return
        if len(earlier) >= quiz.attempts:
            raise NoAttemptLeft
        self._connection.execute(
            self._tables.attempt.insert().values(
                attempt_id=new_id(),
                task_id=self._training.task_id,
                guidelines_version=self._training.onboarding.guidelines_version,
                person_id=person_id,
                questions=drawn(quiz, [each.questions for each in earlier]),
                right_answers=0,
                started_at=now,
            )
        )

    def answer(self, attempt_id: UUID, number: int, option: str, person_id: UUID, now: datetime) -> None:
        """Store the answer to a question; the last one ends the attempt.

        Raises OnboardingUnknown without a quiz, AttemptUnknown, GuidelinesChanged, QuestionUnknown, OptionUnknown,
        AnsweredBefore.
        """
        quiz, attempt = self._quiz(), self._tables.attempt
        own = and_(
            attempt.c.attempt_id == attempt_id,
            attempt.c.person_id == person_id,
            attempt.c.task_id == self._training.task_id,
        )
        found = self._connection.execute(select(attempt).where(own).with_for_update()).one_or_none()
        if found is None:
            raise AttemptUnknown
        if found.guidelines_version != self._training.onboarding.guidelines_version:
            raise GuidelinesChanged
        questions = answered(found.questions, number, option)
        right = sum(each.get("chosen") == each["answer"] for each in questions)
        is_finished = all("chosen" in each for each in questions)
        ending = {"finished_at": now, "passed": right >= quiz.pass_mark} if is_finished else {}
        self._connection.execute(
            attempt.update().where(own).values(questions=questions, right_answers=right, **ending)
        )

    def figures(self) -> list[Row[Any]]:
        """Return how many people answered each question, and how many of them wrongly, the hardest first."""
        attempt = self._tables.attempt
        drawn_ones = (
            select(attempt.c.person_id, func.jsonb_array_elements(attempt.c.questions).label("question"))
            .where(self._in_force(attempt))
            .subquery()
        )
        question, chosen, right = (
            drawn_ones.c.question.op("->>")(key) for key in ("question", "chosen", "answer")
        )
        people = func.count(drawn_ones.c.person_id.distinct())
        failed = people.filter(chosen != right)
        most_fail = and_(people >= LEAST_PEOPLE, 2 * failed > people)
        statement = (
            select(
                question.label("question"),
                people.label("people"),
                failed.label("failed"),
                most_fail.label("most_fail"),
            )
            .where(chosen.is_not(None))
            .group_by(text("1"))
            .order_by((failed * 1.0 / people).desc(), text("1"))
        )
        return list(self._connection.execute(statement))

    def people(self, limit: int, after: UUID | None) -> list[Row[Any]]:
        """Return the people who confirmed the guidelines in force, by id."""
        confirmation, attempt = self._tables.confirmation, self._tables.attempt
        attempts = (
            select(
                attempt.c.person_id,
                func.count().label("attempts"),
                func.max(attempt.c.right_answers).label("best"),
                func.min(attempt.c.finished_at).filter(attempt.c.passed).label("passed_at"),
            )
            .where(self._in_force(attempt))
            .group_by(attempt.c.person_id)
            .subquery()
        )
        statement = (
            select(
                confirmation.c.person_id,
                func.max(confirmation.c.confirmed_at).label("confirmed_at"),
                func.coalesce(func.max(attempts.c.attempts), 0).label("attempts"),
                func.max(attempts.c.best).label("best"),
                func.max(attempts.c.passed_at).label("passed_at"),
            )
            .join(attempts, attempts.c.person_id == confirmation.c.person_id, isouter=True)
            .where(self._in_force(confirmation))
            .group_by(confirmation.c.person_id)
            .order_by(confirmation.c.person_id)
            .limit(limit)
        )
        if after is not None:
            statement = statement.where(confirmation.c.person_id > after)
        return list(self._connection.execute(statement))

    def _quiz(self) -> Quiz:
        if self._training.quiz is None:
            raise OnboardingUnknown
        return self._training.quiz

    def _in_force(self, table: Table) -> ColumnElement[bool]:
        return and_(
            table.c.task_id == self._training.task_id,
            table.c.guidelines_version == self._training.onboarding.guidelines_version,
        )

    def _confirmed(self, person_id: UUID) -> ColumnElement[bool]:
        confirmation = self._tables.confirmation
        return and_(
            self._in_force(confirmation),
            confirmation.c.consent_version == self._training.onboarding.consent_version,
            confirmation.c.person_id == person_id,
        )

    def _attempts(self, person_id: UUID) -> ColumnElement[bool]:
        return and_(self._in_force(self._tables.attempt), self._tables.attempt.c.person_id == person_id)

    def _attempts_of(self, person_id: UUID) -> Sequence[Row[Any]]:
        attempt = self._tables.attempt
        statement = select(attempt).where(self._attempts(person_id)).order_by(attempt.c.attempt_id)
        return self._connection.execute(statement).all()


def ensure_onboarded(
    connection: Connection,
    tables: OnboardingTables,
    task: tuple[UUID, str, Onboarding | None],
    activity: Activity,
    person_id: UUID,
) -> None:
    """Refuse work before its onboarding, if the task has one; `task` is its id, slug and onboarding.

    Raises OnboardingNeeded.
    """
    task_id, slug, onboarding = task
    if onboarding is not None and activity in onboarding.activities:
        SqlTraining(connection, tables, Training(task_id, slug, activity, onboarding)).ensure_done(person_id)


def drawn(quiz: Quiz, earlier: Sequence[Sequence[Mapping[str, Any]]]) -> list[Mapping[str, Any]]:
    """Return the questions of a new attempt, at random, those first that the person met least often."""
    met = Counter(question["question"] for attempt in earlier for question in attempt)
    pool = RANDOM.sample(quiz.questions, len(quiz.questions))
    return [each.document() for each in sorted(pool, key=lambda one: met[one.question])[: quiz.draw]]


def answered(questions: Sequence[Mapping[str, Any]], number: int, option: str) -> list[dict[str, Any]]:
    """Return an attempt's questions with one more answer; the same answer again changes nothing.

    Raises QuestionUnknown, OptionUnknown, AnsweredBefore.
    """
    found = [dict(each) for each in questions]
    if not 1 <= number <= len(found):
        raise QuestionUnknown
    question = found[number - 1]
    if option not in question["options"]:
        raise OptionUnknown
    if question.setdefault("chosen", option) != option:
        raise AnsweredBefore
    return found
