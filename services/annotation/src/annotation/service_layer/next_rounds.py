"""Automatic drafts of a task's next round, against the models that the board proposes, if the task is configured so.

The draft is made once the newest round is released and every model is scored on it. The owner then gives the round
contexts and opens it. Each draft has a transaction of its own that locks the task and checks again. So it does not
matter how often this runs, by how many workers, or where one dies.
"""

from collections.abc import Callable
from uuid import UUID

from dynabench_common.clock import Clock
from dynabench_tasks.configuration.problems import UnknownKind
from dynabench_tasks.rounds import RoundState

from annotation.adapters.unit_of_work import UnitOfWork
from annotation.domain.errors import BoardUnavailable
from annotation.domain.identifiers import RoundId
from annotation.domain.round import ReleasedRound, Round
from annotation.service_layer.ports import Board

TITLE = "Against the models that the board proposes"


def draft_next_rounds(
    unit_of_work: Callable[[], UnitOfWork], board: Board, clock: Clock, make_id: Callable[[], UUID]
) -> int:
    """Draft what is due; return how many rounds that were."""
    with unit_of_work() as uow:
        released = uow.rounds.newest_if_released()
    return sum(_draft_after(each, unit_of_work, board, clock, make_id) for each in released)


def _draft_after(
    before: ReleasedRound,
    unit_of_work: Callable[[], UnitOfWork],
    board: Board,
    clock: Clock,
    make_id: Callable[[], UUID],
) -> bool:
    try:
        with unit_of_work() as uow:
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
    with unit_of_work() as uow:
        task = uow.tasks.lock(before.slug)
        newest, _ = uow.rounds.get(before.round_id)
        is_due = newest.state is RoundState.RELEASED and task.configuration.next_round.drafts_itself
        if not is_due or uow.rounds.next_number(task.task_id) != before.number + 1:
            return False
        drafted = Round.draft(
            RoundId(make_id()), task.task_id, before.number + 1, TITLE, proposal.targets, clock.now()
        )
        uow.rounds.add(drafted)
        uow.commit()
    return True
