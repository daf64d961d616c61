"""View of a person's training: the consent text, the size of the quiz, and one question at a time."""

from collections.abc import Sequence
from dataclasses import dataclass

from dynabench_client.results.annotation import Onboarding, QuizQuestion
from markupsafe import Markup

from web.kit.language import _, ngettext
from web.kit.markdown import render_markdown
from web.kit.numbers import count


@dataclass(frozen=True)
class QuestionView:
    """A question of the open attempt, or one that the person has just answered."""

    attempt_id: str
    number: int
    of: int
    question: str
    options: Sequence[str]
    chosen: str | None
    answer: str | None
    because: str

    @property
    def is_right(self) -> bool:
        """Return whether the person chose the right option."""
        return self.chosen == self.answer

    @property
    def is_last(self) -> bool:
        """Return whether no question follows."""
        return self.number == self.of


@dataclass(frozen=True)
class TrainingView:
    """The person's progress; `quiz` and `result` are sentences, empty if there is nothing to tell."""

    guidelines_version: int
    consent_version: int
    consent: Markup
    is_confirmed: bool
    has_changed: bool
    is_done: bool
    quiz: str
    result: str
    can_start: bool
    attempts_left: str


def training_view(found: Onboarding) -> TrainingView:
    """Return the steps that are done and the one that comes next."""
    quiz, last = found.quiz, found.attempt
    is_confirmed = found.confirmed_at is not None
    is_open = last is not None and last.passed is None
    left = quiz.attempts_left if quiz else 0
    return TrainingView(
        guidelines_version=found.guidelines_version,
        consent_version=found.consent.version if found.consent else 0,
        consent=render_markdown(found.consent.text) if found.consent else Markup(""),
        is_confirmed=is_confirmed,
        has_changed=not is_confirmed and found.confirmed_before,
        is_done=found.is_done,
        quiz=_size(quiz.draw, quiz.pass_mark) if quiz else "",
        result=_result(found),
        can_start=bool(quiz) and is_confirmed and not found.is_done and not is_open and left > 0,
        attempts_left=ngettext("You have one attempt left.", "You have %(num)s attempts left.", left),
    )


def question_view(found: Onboarding, asked: int | None) -> QuestionView | None:
    """Return the answered question with that number, else the first open one of the attempt; None without any."""
    last = found.attempt
    if last is None or found.confirmed_at is None:
        return None
    of = len(last.questions)
    if asked is not None and 1 <= asked <= of and last.questions[asked - 1].chosen is not None:
        return _question(last.attempt_id, asked, of, last.questions[asked - 1])
    waiting = [number for number, each in enumerate(last.questions, start=1) if each.chosen is None]
    return _question(last.attempt_id, waiting[0], of, last.questions[waiting[0] - 1]) if waiting else None


def _question(attempt_id: str, number: int, of: int, found: QuizQuestion) -> QuestionView:
    return QuestionView(
        attempt_id=attempt_id,
        number=number,
        of=of,
        question=found.question,
        options=found.options,
        chosen=found.chosen,
        answer=found.answer,
        because=found.because or "",
    )


def _size(draw: int, pass_mark: int) -> str:
    return ngettext(
        "The quiz has one question.",
        "The quiz has %(num)s questions. You pass with %(needed)s right answers.",
        draw,
        needed=count(pass_mark),
    )


def _result(found: Onboarding) -> str:
    last = found.attempt
    if last is None or last.passed is None:
        return ""
    right, of = count(last.right_answers), count(len(last.questions))
    if last.passed:
        return _("You passed: %(right)s of %(all)s answers are right.", right=right, all=of)
    return _("Not passed this time: %(right)s of %(all)s answers are right.", right=right, all=of)
