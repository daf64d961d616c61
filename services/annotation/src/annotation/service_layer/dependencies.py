"""The collaborators of the handlers, chosen once in `bootstrap`; tests choose others."""

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field
from uuid import UUID

from dynabench_common.clock import Clock
from dynabench_common.identifiers import new_id

from annotation.adapters.object_store import S3ObjectStore
from annotation.adapters.unit_of_work import UnitOfWork
from annotation.service_layer.ports import TargetGateway
from annotation.service_layer.visitor_limits import VisitorLimits


@dataclass(frozen=True)
class Dependencies:
    """The collaborators of the handlers.

    `draw` gives random numbers, uniform in [0, 1). All targets of a try share `prediction_deadline_seconds`. In an
    hour a person may leave `passed_over_per_hour` contexts of a round without a try. `front_model` is the model that
    visitors may ask, as often as `visitors` allows; empty for none.
    """

    unit_of_work: Callable[[], UnitOfWork]
    gateway: TargetGateway
    prediction_threads: Executor
    prediction_deadline_seconds: float
    clock: Clock
    draw: Callable[[], float]
    objects: S3ObjectStore
    passed_over_per_hour: int
    front_model: str = ""
    visitors: VisitorLimits = field(default_factory=VisitorLimits)
    make_id: Callable[[], UUID] = new_id
