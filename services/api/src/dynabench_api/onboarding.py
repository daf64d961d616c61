"""Onboarding: what a person confirms and answers before they may work in a task, and figures for owners."""

from datetime import datetime

from pydantic import Field

from dynabench_api.base import Id, Page, Record


class ConsentAnswer(Record):
    """The text to agree to, in Markdown."""

    version: int
    text: str


class QuizAnswer(Record):
    """The size of a quiz. An attempt passes with at least `pass_mark` right answers."""

    draw: int = Field(description="Questions of one attempt")
    pass_mark: int
    attempts: int = Field(description="Attempts of a person for this version of the guidelines")
    attempts_left: int


class QuizQuestionAnswer(Record):
    """A drawn question. The right answer and the reason are null until the person has answered."""

    question: str
    options: tuple[str, ...]
    chosen: str | None = Field(description="The person's answer; null while there is none")
    answer: str | None
    because: str | None


class QuizAttemptAnswer(Record):
    """An attempt at the quiz."""

    attempt_id: Id
    questions: tuple[QuizQuestionAnswer, ...]
    right_answers: int
    started_at: datetime
    passed: bool | None = Field(description="Null until all questions are answered")


class OnboardingAnswer(Record):
    """A person's way through the onboarding of an activity of a task."""

    guidelines_version: int
    consent: ConsentAnswer | None
    confirmed_at: datetime | None = Field(description="Null until the person confirms these versions")
    confirmed_before: bool = Field(description="Whether the person confirmed other versions earlier")
    quiz: QuizAnswer | None
    attempt: QuizAttemptAnswer | None = Field(description="The newest attempt for these guidelines")
    is_done: bool = Field(description="Whether the person may work")


class QuestionFigures(Record):
    """Answers to a question, for the version of the guidelines in force. Each person counts once."""

    question: str
    people: int = Field(description="Number of people who answered it")
    failed: int = Field(description="Number of people with a wrong answer in any attempt")
    most_fail: bool = Field(description="Whether at least three people answered it and most of them failed")


class QuestionsFigures(Record):
    """The questions that people answered, the one that most of them fail first."""

    items: tuple[QuestionFigures, ...]


class TraineeAnswer(Record):
    """A person who confirmed the guidelines in force."""

    person_id: Id
    confirmed_at: datetime
    attempts: int
    best: int | None = Field(description="Most right answers in an attempt; null without one")
    passed_at: datetime | None = Field(description="Null until the person passes the quiz")


class TraineesAnswer(Page[TraineeAnswer]):
    """People in onboarding, by id."""
