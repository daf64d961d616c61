"""Refusals of onboarding, with their problems."""

from dataclasses import dataclass

from dynabench_common.problems import ErrorMap, not_found, refusal


class OnboardingUnknown(Exception):
    """The task has no onboarding for this activity."""


@dataclass(eq=False)
class OnboardingNeeded(Exception):
    """The person has yet to complete the onboarding of the task."""

    task_slug: str
    activity: str


class GuidelinesChanged(Exception):
    """The person answers for a version of guidelines or consent that is no longer in force."""


class NotConfirmed(Exception):
    """The person has yet to confirm the guidelines and the consent text."""


class NoAttemptLeft(Exception):
    """The person has used all attempts at the quiz."""


class QuizPassed(Exception):
    """The person has passed the quiz already."""


class AttemptUnknown(Exception):
    """The person has no such attempt."""


class QuestionUnknown(Exception):
    """The attempt has no such question."""


class OptionUnknown(Exception):
    """The question has no such option."""


class AnsweredBefore(Exception):
    """The question has another answer already, and its right answer was shown."""


ERRORS: ErrorMap = {
    OnboardingUnknown: lambda _: not_found("onboarding", "slug"),
    OnboardingNeeded: refusal(
        403,
        "onboarding-needed",
        "Read the guidelines first",
        "You need to complete the training of task {task_slug} before this work, or again after a change of its "
        "guidelines.",
        remedy="Open the training of the task, and come back afterwards. Nothing was stored.",
    ),
    GuidelinesChanged: refusal(
        409,
        "guidelines-changed",
        "The guidelines have changed",
        "The task has a new version of its guidelines or of its consent text.",
        field="guidelines_version",
        remedy="Read the new text, and start again from there.",
    ),
    NotConfirmed: refusal(
        409,
        "guidelines-not-confirmed",
        "Confirm the guidelines first",
        "The quiz comes after the guidelines.",
        remedy="Read the guidelines and confirm them.",
    ),
    NoAttemptLeft: refusal(
        409,
        "no-attempt-left",
        "No attempt left",
        "You have used all attempts at this quiz.",
        remedy="Ask the owner of the task. A new version of the guidelines brings new attempts.",
    ),
    QuizPassed: refusal(
        409, "quiz-passed", "You have passed", "You have passed this quiz.", remedy="Start to work."
    ),
    AttemptUnknown: lambda _: not_found("attempt", "attempt_id"),
    QuestionUnknown: refusal(
        422,
        "question-unknown",
        "No such question",
        "The attempt has no question with this number.",
        field="number",
        remedy="Number the questions of the attempt from 1.",
    ),
    OptionUnknown: refusal(
        422,
        "option-unknown",
        "No such answer",
        "The question has no such option.",
        field="option",
        remedy="Choose one of its options.",
    ),
    AnsweredBefore: refusal(
        409,
        "answered-before",
        "You have answered this question",
        "Your first answer counts, since you have seen the right one.",
        field="number",
        remedy="Go on to the next question.",
    ),
}
