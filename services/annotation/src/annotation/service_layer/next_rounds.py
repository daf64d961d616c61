"""Automatic drafts of a task's next round, against the models that the board proposes, if the task is configured so.

The draft is made once the newest round is released and every model is scored on it. The owner then gives the round
contexts and opens it. Each draft has a transaction of its own that locks the task and checks again. So it does not
matter how often this runs, by how many workers, or where one dies.
"""

from dynabench_common.telemetry.logging import get_logger
from dynabench_tasks.configuration.problems import UnknownKind
from dynabench_tasks.rounds import RoundState

from annotation.domain.errors import BoardUnavailable
from annotation.domain.identifiers import RoundId
from annotation.domain.round import ReleasedRound, Round
from annotation.service_layer.dependencies import Dependencies
from annotation.service_layer.ports import Board

log = get_logger(__name__)
TITLE = "Against the models that the board proposes"


def draft_next_rounds(board: Board, app: Dependencies) -> int:
    """Draft the rounds that are due; return their number."""
    with app.unit_of_work() as uow:
        released = uow.rounds.newest_if_released()
    drafted = sum(_draft_after(each, board, app) for each in released)
    if drafted:
        log.warning("rounds_drafted", rounds=drafted)
    return drafted


def _draft_after(before: ReleasedRound, board: Board, app: Dependencies) -> bool:
    try:
        with app.unit_of_work() as uow:
            wanted = uow.tasks.get(before.slug).configuration.next_round
    except UnknownKind:
        return False  # a later version of the platform configured it
    if not wanted.drafts_itself:
        return False
    try:
        proposal = board.propose(before.slug, wanted.targets or max(1, before.targets))
    except BoardUnavailable:
        return False
    if not proposal.targets or not proposal.is_complete or before.number not in proposal.scored_rounds:
        return False
    with app.unit_of_work() as uow:
        task = uow.tasks.lock(before.slug)
        newest, _ = uow.rounds.get(before.round_id)
        is_due = newest.state is RoundState.RELEASED and task.configuration.next_round.drafts_itself
        if not is_due or uow.rounds.next_number(task.task_id) != before.number + 1:
            return False
        drafted = Round.draft(
            RoundId(app.make_id()), task.task_id, before.number + 1, TITLE, proposal.targets, app.clock.now()
        )
        uow.rounds.add(drafted)
        uow.commit()
    return True
