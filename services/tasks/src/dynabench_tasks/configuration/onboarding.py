"""Onboarding: what people read, agree to and answer before they may write or check in a task."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from dynabench_tasks.configuration.nested_shapes import Key, Keys, ListOf, Texts
from dynabench_tasks.configuration.problems import INVALID, Place, Reading
from dynabench_tasks.configuration.shapes import Text, Whole, Word

HIGHEST_VERSION = 100_000
MOST_QUESTIONS = 100
MOST_DRAWN = 20
MOST_ATTEMPTS = 20


class Activity(StrEnum):
    """Kinds of work that a task may train people for."""

    CREATE = "create"
    VALIDATE = "validate"


ACTIVITIES = tuple(each.value for each in Activity)
_VERSION = Whole(1, HIGHEST_VERSION)
_QUESTION = Keys(
    {
        "question": Key(Text(2_000), description="May quote a text to judge"),
        "options": Key(Texts(Text(300), 2, 10)),
        "answer": Key(Text(300), description="The right option"),
        "because": Key(Text(1_000), description="Shown once the question is answered"),
    }
)
_QUIZ = Keys(
    {
        "questions": Key(
            ListOf(_QUESTION, 1, MOST_QUESTIONS), description="The pool that attempts draw from"
        ),
        "draw": Key(Whole(1, MOST_DRAWN), description="Questions of one attempt"),
        "pass_mark": Key(Whole(1, MOST_DRAWN), description="Right answers that an attempt needs"),
        "attempts": Key(Whole(1, MOST_ATTEMPTS), 3, "Attempts of a person for a version of the guidelines"),
    }
)
_CONSENT = Keys({"text": Key(Text(20_000), description="Markdown"), "version": Key(_VERSION, 1)})
ONBOARDING = Keys(
    {
        "activities": Key(Texts(Word(ACTIVITIES, "kind of work"), 1, len(ACTIVITIES)), ACTIVITIES),
        "guidelines_version": Key(
            _VERSION, 1, "With a higher one everybody confirms the guidelines and takes the quiz again"
        ),
        "consent": Key(_CONSENT, None),
        "quizzes": Key(Keys({each: Key(_QUIZ, None) for each in ACTIVITIES}), {}),
    }
)


@dataclass(frozen=True)
class QuizQuestion:
    """A question with one right option, and why it is right."""

    question: str
    options: tuple[str, ...]
    answer: str
    because: str

    def document(self) -> Mapping[str, object]:
        """Return the question as its configuration has it."""
        return {**vars(self), "options": list(self.options)}


@dataclass(frozen=True)
class Quiz:
    """A pool of questions; an attempt draws some, and passes with at least `pass_mark` right answers."""

    questions: tuple[QuizQuestion, ...]
    draw: int
    pass_mark: int
    attempts: int

    def document(self) -> Mapping[str, object]:
        """Return the quiz as its configuration has it."""
        return {**vars(self), "questions": [each.document() for each in self.questions]}


@dataclass(frozen=True)
class Consent:
    """A text, in Markdown, that people must agree to."""

    text: str
    version: int


@dataclass(frozen=True)
class Onboarding:
    """The steps before these activities: confirm the guidelines, agree to a text, pass a quiz.

    The guidelines are the task's instructions and worked examples.
    """

    activities: frozenset[Activity]
    guidelines_version: int
    consent: Consent | None
    quizzes: Mapping[Activity, Quiz]

    @property
    def consent_version(self) -> int:
        """Return the version of the consent text, 0 without one."""
        return self.consent.version if self.consent else 0

    def document(self) -> Mapping[str, object]:
        """Return the onboarding as its configuration has it."""
        quizzes = {activity.value: quiz.document() for activity, quiz in self.quizzes.items()}
        return {
            "activities": sorted(self.activities),
            "guidelines_version": self.guidelines_version,
            **({"consent": dict(vars(self.consent))} if self.consent else {}),
            **({"quizzes": quizzes} if quizzes else {}),
        }


def make_onboarding(given: Mapping[str, Any] | None, place: Place, reading: Reading) -> Onboarding | None:
    """Return the onboarding, None without one; `reading` receives what does not fit together."""
    if given is None:
        return None
    if INVALID in given.values():
        return None
    named, consent = given["activities"], given["consent"]
    made = {
        Activity(name): _quiz_of(quiz, (*place, "quizzes", name), reading)
        for name, quiz in given["quizzes"].items()
        if quiz is not None and quiz is not INVALID
    }
    for activity in made:
        if activity not in named:
            reading.refuse(
                (*place, "quizzes", activity.value),
                "belongs to no activity of this onboarding",
                f"Add {activity.value} to `activities`, or remove the quiz.",
            )
    return Onboarding(
        frozenset(map(Activity, named)),
        given["guidelines_version"],
        Consent(**consent) if consent else None,
        {activity: quiz for activity, quiz in made.items() if quiz is not None},
    )


def read_onboarding(document: Mapping[str, Any]) -> Onboarding | None:
    """Return the onboarding of a published configuration, None without one. Raises ConfigurationError."""
    place, reading = ("onboarding",), Reading(lambda _path: None)
    if place[0] not in document:
        return None
    given = ONBOARDING.read(document[place[0]], place, reading)
    found = None if given is INVALID else make_onboarding(given, place, reading)
    if reading.problems:
        raise reading.fail(document)
    return found


def without_quizzes(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a configuration without its quizzes, for people who may have to answer them."""
    onboarding = document.get("onboarding")
    if onboarding is None:
        return dict(document)
    public = {key: value for key, value in onboarding.items() if key != "quizzes"}
    return {**document, "onboarding": public}


def _quiz_of(given: Mapping[str, Any], place: Place, reading: Reading) -> Quiz | None:
    if INVALID in given.values():
        return None
    questions, draw, pass_mark = given["questions"], given["draw"], given["pass_mark"]
    if draw > len(questions):
        reading.refuse((*place, "draw"), f"is {draw}", f"There are {len(questions)} questions to draw from.")
    if pass_mark > draw:
        reading.refuse((*place, "pass_mark"), f"is {pass_mark}", f"An attempt has {draw} questions.")
    made = _questions(questions, (*place, "questions"), reading)
    return Quiz(made, draw, pass_mark, given["attempts"])


def _questions(given: Sequence[Any], place: Place, reading: Reading) -> tuple[QuizQuestion, ...]:
    """Return the questions. Their texts must differ, because figures identify questions by text."""
    usable = [each for each in given if each is not INVALID and INVALID not in each.values()]
    if len(usable) == len(given):
        reading.refuse_twice([each["question"] for each in given], place)
    for position, each in enumerate(given):
        if each in usable and each["answer"] not in each["options"]:
            here = (*place, position, "answer")
            reading.refuse_reference(each["answer"], here, each["options"], "option of the question")
    return tuple(QuizQuestion(**each) for each in usable)
