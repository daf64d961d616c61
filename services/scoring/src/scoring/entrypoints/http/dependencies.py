"""Dependencies of routes: the service's collaborators, and the caller's rights."""

from uuid import UUID

from dynabench_common.auth.permissions import Permission, ensure
from dynabench_common.http.service import Provided

from scoring.queries import datasets
from scoring.service_layer.dependencies import HttpDependencies

dependencies = Provided[HttpDependencies]()


def ensure_in_round(permission: Permission, round_id: UUID) -> None:
    """Refuse callers without this right over the round's task. Raises RoundUnknown, Problem 401 and 403."""
    ensure(permission, task=datasets.task_of_round(dependencies().engine, round_id))
