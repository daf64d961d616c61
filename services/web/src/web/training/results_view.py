"""View of the results of a training: a row for each question, and one for each person."""

from collections.abc import Sequence
from dataclasses import dataclass

from dynabench_client.results.annotation import QuestionFigures, Trainee

from web.kit.language import _
from web.kit.numbers import MISSING, TimeView, count, moment, percent, short_id


@dataclass(frozen=True)
class QuestionRow:
    """A question with the people who failed it."""

    question: str
    people: str
    failed: str
    share: str
    most_fail: bool


@dataclass(frozen=True)
class PersonRow:
    """A person's confirmation and attempts."""

    name: str
    confirmed_at: TimeView | None
    attempts: str
    best: str
    passed_at: TimeView | None


def question_rows(found: Sequence[QuestionFigures]) -> list[QuestionRow]:
    """Return the questions, the one that most people fail first."""
    return [
        QuestionRow(
            each.question,
            count(each.people),
            count(each.failed),
            percent(each.failed / each.people if each.people else None),
            each.most_fail,
        )
        for each in found
    ]


def person_rows(found: Sequence[Trainee]) -> list[PersonRow]:
    """Return the people in their order."""
    return [
        PersonRow(
            _("Person %(id)s", id=short_id(each.person_id)),
            moment(each.confirmed_at),
            count(each.attempts),
            MISSING if each.best is None else count(each.best),
            moment(each.passed_at),
        )
        for each in found
    ]
