"""States of a validator: warned, paused, appealing, reinstated."""

from datetime import UTC, datetime, timedelta

import pytest
from dynabench_common.identifiers import new_id
from validation.domain.errors import AlreadyAppealedPause, NotPaused, ValidationPaused
from validation.domain.identifiers import PersonId, TaskId
from validation.domain.validators import Grade, Validator, ValidatorState

START = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
LATER = START + timedelta(days=1)


def validator(answers: str) -> Validator:
    """Return a validator who answered in this order, one a minute: + right, - wrong."""
    grades = [Grade(answer == "+", START + timedelta(minutes=i)) for i, answer in enumerate(answers)]
    return Validator(TaskId(new_id()), PersonId(new_id()), grades[::-1])


@pytest.mark.parametrize(
    ("answers", "failures", "state"),
    [
        ("", 0, ValidatorState.ACTIVE),
        ("-", 1, ValidatorState.ACTIVE),
        # Two of the last twenty warn, five pause.
        ("--", 2, ValidatorState.WARNED),
        ("-+-+-+-", 4, ValidatorState.WARNED),
        ("-+-+-+--", 5, ValidatorState.PAUSED),
        ("-----", 5, ValidatorState.PAUSED),
        # What is longer ago than twenty answers is forgiven.
        ("--" + 19 * "+", 1, ValidatorState.ACTIVE),
        ("--" + 18 * "+", 2, ValidatorState.WARNED),
        ("-----" + 20 * "+", 0, ValidatorState.ACTIVE),
    ],
)
def test_states(answers: str, failures: int, state: ValidatorState) -> None:
    found = validator(answers)
    assert (found.failures, found.state) == (failures, state)


def test_only_the_paused_are_refused() -> None:
    validator("----").ensure_may_validate()
    with pytest.raises(ValidationPaused) as refusal:
        validator("-----").ensure_may_validate()
    assert refusal.value.can_appeal


def test_an_appeal_is_heard_once_for_each_pause() -> None:
    appealing = validator("-----").appeal("The items are ambiguous.", LATER)
    assert appealing.open_appeal is not None
    assert appealing.state is ValidatorState.PAUSED
    with pytest.raises(AlreadyAppealedPause):
        appealing.appeal("Please.", LATER)
    with pytest.raises(ValidationPaused) as refusal:
        appealing.ensure_may_validate()
    assert not refusal.value.can_appeal


def test_nobody_appeals_who_is_not_paused() -> None:
    with pytest.raises(NotPaused):
        validator("----").appeal("Why?", LATER)


def test_reinstating_wipes_the_slate() -> None:
    back = validator("-----").appeal("Sorry.", START + timedelta(hours=1))
    back = back.decide(is_paused=False, reason="Fair enough.", now=LATER)
    assert (back.state, back.failures, back.open_appeal) == (ValidatorState.ACTIVE, 0, None)


def test_confirming_answers_the_appeal_and_there_is_no_other() -> None:
    paused = validator("-----").appeal("Sorry.", START + timedelta(hours=1))
    confirmed = paused.decide(is_paused=True, reason="No.", now=LATER)
    assert (confirmed.state, confirmed.open_appeal) == (ValidatorState.PAUSED, None)
    assert (paused.appeal_answer, confirmed.appeal_answer, confirmed.pause_reason) == (None, "No.", "No.")
    assert confirmed.pause_appeal is paused.appealed
    with pytest.raises(AlreadyAppealedPause):
        confirmed.appeal("Please.", LATER + timedelta(hours=1))


def test_an_owner_pauses_anybody_who_may_then_appeal() -> None:
    paused = validator("+++").decide(is_paused=True, reason="Votes in a second.", now=LATER)
    assert paused.state is ValidatorState.PAUSED
    assert paused.appeal("I read fast.", LATER + timedelta(hours=1)).open_appeal is not None


def test_an_appeal_against_an_earlier_pause_is_no_appeal_against_a_later_one() -> None:
    """Items that turned out wrong may end a pause by themselves; failing others begins another."""
    first = validator("-----").appeal("Sorry.", LATER)
    again = [Grade(passed=False, graded_at=LATER + timedelta(minutes=i)) for i in range(5, 0, -1)]
    second = Validator(first.task_id, first.person_id, again, first.decision, first.appealed)
    assert (second.open_appeal, second.pause_appeal) == (None, None)
    assert second.appeal("Once more.", LATER + timedelta(hours=1)).open_appeal is not None
