"""Removal of targets that stopped answering from open rounds, which go on without them.

The registry names those targets. Each open round that has one is then checked in a transaction of its own, for as long
as it still has it. So it does not matter how often this runs, by how many workers, or where one dies.
"""

from dynabench_common.telemetry.logging import get_logger

from annotation.domain.errors import GatewayUnavailable, TargetUnknown
from annotation.domain.identifiers import RoundId
from annotation.domain.target import FailingTarget
from annotation.service_layer.dependencies import Dependencies

log = get_logger(__name__)


def take_out_failing(app: Dependencies) -> int:
    """Take targets that have stopped answering out of open rounds, or pause these; return how many that concerned."""
    with app.unit_of_work() as uow:
        failing = uow.outages.in_open_rounds()
    lost = sum(
        _lose(each, round_id, app)
        for each in failing
        if _still_fails(each.target, app)
        for round_id in each.round_ids
    )
    if lost:
        log.warning("targets_lost", rounds=lost)
    return lost


def _still_fails(target: str, app: Dependencies) -> bool:
    """Return whether the gateway confirms the failure. The registry's report may be older than the recovery."""
    try:
        return not app.gateway.describe(target).ready
    except TargetUnknown:
        return True
    except GatewayUnavailable:
        return False


def _lose(each: FailingTarget, round_id: RoundId, app: Dependencies) -> bool:
    with app.unit_of_work() as uow:
        round_, task = uow.rounds.lock(round_id)
        ensemble = task.configuration.ensemble
        is_lost = uow.outages.is_failing(each.target) and round_.lose_target(
            each.target, ensemble, each.since, each.reason, app.clock.now()
        )
        if is_lost:
            uow.rounds.save(round_)
            uow.commit()
    return is_lost
