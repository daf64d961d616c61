"""Dependencies of routes: the service's collaborators, and the caller's tasks."""

from dynabench_common.auth.authentication import Principal
from dynabench_common.http.service import Provided

from leaderboard.service_layer.dependencies import Dependencies

OWNER = "owner:"

dependencies = Provided[Dependencies]()


def tasks_of(principal: Principal) -> frozenset[str] | None:
    """Return the slugs of the tasks whose rounds an owner may see; None for all, to administrators."""
    if principal.is_admin:
        return None
    return frozenset(role.removeprefix(OWNER) for role in principal.roles if role.startswith(OWNER))
