"""The reason that a person reads when there is nothing to validate."""

from datetime import UTC, datetime, timedelta

import pytest
from dynabench_api.words import NoOfferState
from dynabench_tasks.rounds import RoundState
from validation.domain.queue import Waiting
from validation.service_layer.empty_queue import explain, resting

NOW = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
SOON = NOW + timedelta(seconds=7.2)
LATE = NOW + timedelta(seconds=290)


@pytest.mark.parametrize(
    ("waiting", "state", "words", "seconds"),
    [
        (Waiting(False, False, False, None), NoOfferState.NOTHING_WAITS, "No examples need checking", 60),
        (Waiting(True, False, False, None), NoOfferState.ONLY_OWN, "your own", 60),
        (Waiting(True, True, False, None), NoOfferState.ALL_ANSWERED, "checked or skipped", 60),
        (Waiting(True, True, True, SOON), NoOfferState.OTHERS_WORKING, "Other people", 8),
        (Waiting(True, True, True, LATE), NoOfferState.OTHERS_WORKING, "Other people", 30),
        (Waiting(True, True, True, None), NoOfferState.OTHERS_WORKING, "Other people", 1),
    ],
)
def test_reason_and_time(waiting: Waiting, state: NoOfferState, words: str, seconds: int) -> None:
    nothing = explain(waiting, NOW)
    assert nothing.state is state
    assert words in nothing.reason
    assert nothing.retry_after_seconds == seconds


def test_a_round_that_takes_no_votes_says_in_which_state_it_is() -> None:
    nothing = resting(RoundState.RELEASED)
    assert nothing.state is NoOfferState.ROUND_TAKES_NO_VOTES
    assert "released" in nothing.reason
