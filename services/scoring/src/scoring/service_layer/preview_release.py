"""Preview of a release, without side effects."""

from uuid import UUID

from scoring.adapters.unit_of_work import MakeUnitOfWork
from scoring.domain.release import ReleaseOptions, ReleaseState
from scoring.domain.release_plan import ReleasePlan, plan_release
from scoring.domain.round_facts import RoundFacts


def preview_release(
    round_id: UUID, options: ReleaseOptions, make_uow: MakeUnitOfWork
) -> tuple[RoundFacts, ReleasePlan]:
    """Return the round and the plan. Raises RoundUnknown."""
    with make_uow() as uow:
        found = uow.facts.round(round_id)
        live = uow.releases.live(round_id)
        is_released = live is not None and live.state is ReleaseState.DONE
        return found, plan_release(found, uow.facts.groups(found), options, is_released=is_released)
