"""Preview a round's release, and ask for it; a worker builds it."""

from dataclasses import dataclass
from uuid import UUID

from dynabench_common.identifiers import new_id

from scoring.domain.errors import ReleaseRefused
from scoring.domain.release import Release, ReleaseOptions, ReleaseState
from scoring.domain.release_plan import ReleasePlan, plan_release
from scoring.domain.round_facts import RoundFacts
from scoring.service_layer.dependencies import Dependencies


@dataclass(frozen=True)
class RequestRelease:
    """An owner wants a round released."""

    round_id: UUID
    requested_by: UUID
    options: ReleaseOptions


def preview_release(
    round_id: UUID, options: ReleaseOptions, app: Dependencies
) -> tuple[RoundFacts, ReleasePlan]:
    """Return the round and the plan of a release, without side effects. Raises RoundUnknown."""
    with app.unit_of_work() as uow:
        found = uow.facts.round(round_id)
        live = uow.releases.live(round_id)
        is_released = live is not None and live.state is ReleaseState.DONE
        return found, plan_release(found, uow.facts.groups(found), options, is_released=is_released)


def request_release(command: RequestRelease, app: Dependencies) -> Release:
    """Store the wish, or return the one with the same options that is being built.

    Raises RoundUnknown, ReleaseRefused.
    """
    with app.unit_of_work() as uow:
        uow.serialise(command.round_id)
        live = uow.releases.live(command.round_id)
        if live is not None and live.state is ReleaseState.BUILDING:
            return _under_way(live, command.options)
        found = uow.facts.round(command.round_id)
        plan = plan_release(found, uow.facts.groups(found), command.options, is_released=live is not None)
        if plan.refusals:
            raise plan.refusals[0]
        if found.origin and not command.options.licence:
            raise ReleaseRefused(
                "licence-missing",
                "The round was collected elsewhere, and nothing says under which licence.",
                "Name the licence of the collection (licence), as an SPDX identifier or in other words.",
            )
        release = Release(new_id(), command.round_id, command.requested_by, app.clock.now(), command.options)
        uow.releases.add(release)
        uow.commit()
        return release


def _under_way(live: Release, options: ReleaseOptions) -> Release:
    if live.options == options:
        return live
    raise ReleaseRefused(
        "release-under-way",
        "A release of this round with other options is being built.",
        "Wait until it is done or has failed.",
        release_id=str(live.release_id),
    )
