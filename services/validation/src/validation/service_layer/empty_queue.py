"""The answer to a person when there is nothing to validate."""

import math
from dataclasses import dataclass
from datetime import datetime

from dynabench_api.words import NoOfferState
from dynabench_tasks.rounds import RoundState

from validation.domain.queue import Waiting

LOOK_AGAIN_SECONDS = 30
NEW_WORK_SECONDS = 60
OTHER_ROUND_SECONDS = 600


@dataclass(frozen=True)
class NoOffer:
    """The reason why there is nothing for the person now, also in words, and when to ask again."""

    state: NoOfferState
    reason: str
    retry_after_seconds: int


def explain(waiting: Waiting, now: datetime) -> NoOffer:
    """Say why nothing that waits can be given to the person."""
    if not waiting.anything:
        reason = "No examples need checking here."
        return NoOffer(NoOfferState.NOTHING_WAITS, reason, NEW_WORK_SECONDS)
    if not waiting.of_others:
        reason = "Only your own examples need checking, and you can't check them."
        return NoOffer(NoOfferState.ONLY_OWN, reason, NEW_WORK_SECONDS)
    if not waiting.unanswered:
        reason = "You have checked or skipped all examples for you. Other people check the rest."
        return NoOffer(NoOfferState.ALL_ANSWERED, reason, NEW_WORK_SECONDS)
    reason = "Other people are checking all remaining examples."
    return NoOffer(NoOfferState.OTHERS_WORKING, reason, _until_free(waiting, now))


def resting(state: RoundState) -> NoOffer:
    """Say that the round is not one to vote in."""
    reason = f"The round is {state}. Examples are checked while it is open, paused or closed."
    return NoOffer(NoOfferState.ROUND_TAKES_NO_VOTES, reason, OTHER_ROUND_SECONDS)


def asks_another() -> NoOffer:
    """Say that an answer which was taken back is not asked for again."""
    reason = "Your answer is taken back. Another person is asked about that example."
    return NoOffer(NoOfferState.ANOTHER_IS_ASKED, reason, 1)


def paused() -> NoOffer:
    """Say that the person may not validate for now."""
    reason = "Your checking in this task is paused. You can appeal; its owner decides."
    return NoOffer(NoOfferState.PAUSED_YOU, reason, OTHER_ROUND_SECONDS)


def _until_free(waiting: Waiting, now: datetime) -> int:
    if waiting.next_free_at is None:
        return 1
    seconds = math.ceil((waiting.next_free_at - now).total_seconds())
    return max(1, min(seconds, LOOK_AGAIN_SECONDS))
