"""Removal of targets that stopped answering from open rounds, which go on without them.

The registry names those targets. Each open round that has one is then checked in a transaction of its own, for as long
as it still has it. So it does not matter how often this runs, by how many workers, or where one dies.
"""

from collections.abc import Callable

from dynabench_common.clock import Clock

from annotation.adapters.unit_of_work import UnitOfWork
from annotation.domain.errors import GatewayUnavailable, TargetUnknown
from annotation.domain.identifiers import RoundId
from annotation.domain.target import FailingTarget
from annotation.service_layer.ports import TargetGateway


def take_out_failing(unit_of_work: Callable[[], UnitOfWork], gateway: TargetGateway, clock: Clock) -> int:
    """Take targets that have stopped answering out of open rounds, or pause these; return how many that concerned."""
    with unit_of_work() as uow:
        failing = uow.outages.in_open_rounds()
    return sum(
        _lose(each, round_id, unit_of_work, clock)
        for each in failing
        if _still_fails(each.target, gateway)
        for round_id in each.round_ids
    )


def _still_fails(target: str, gateway: TargetGateway) -> bool:
    """Tell whether the gateway says so too: what the registry told may be older than the target's recovery."""
    try:
        return not gateway.describe(target).ready
    except TargetUnknown:
        return True
    except GatewayUnavailable:
        return False


def _lose(
    each: FailingTarget, round_id: RoundId, unit_of_work: Callable[[], UnitOfWork], clock: Clock
) -> bool:
    with unit_of_work() as uow:
        round_, task = uow.rounds.lock(round_id)
        ensemble = task.configuration.ensemble
        is_lost = uow.outages.is_failing(each.target) and round_.lose_target(
            each.target, ensemble, each.since, each.reason, clock.now()
        )
        if is_lost:
            uow.rounds.save(round_)
            uow.commit()
    return is_lost
