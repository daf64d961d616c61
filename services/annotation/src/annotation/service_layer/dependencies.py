"""The collaborators of handlers and routes, chosen once in `bootstrap`; tests choose others."""

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field
from uuid import UUID

from dynabench_common.auth.authentication import Verifier
from dynabench_common.clock import Clock
from dynabench_common.identifiers import new_id
from sqlalchemy import Engine, text

from annotation.adapters.object_store import S3ObjectStore
from annotation.adapters.unit_of_work import UnitOfWork
from annotation.service_layer.ports import TargetGateway
from annotation.service_layer.visitor_limits import VisitorLimits


@dataclass(frozen=True)
class Dependencies:
    """The collaborators: commands write through `unit_of_work`, queries read from `engine`.

    `draw` gives random numbers, uniform in [0, 1). All targets of a try share `prediction_deadline_seconds`. In an
    hour a person may leave `passed_over_per_hour` contexts of a round without a try. `front_model` is the model that
    visitors may ask, as often as `visitors` allows; empty for none.
    """

    engine: Engine
    unit_of_work: Callable[[], UnitOfWork]
    gateway: TargetGateway
    prediction_threads: Executor
    prediction_deadline_seconds: float
    clock: Clock
    draw: Callable[[], float]
    objects: S3ObjectStore
    passed_over_per_hour: int
    verifier: Verifier
    front_model: str = ""
    visitors: VisitorLimits = field(default_factory=VisitorLimits)
    make_id: Callable[[], UUID] = new_id

    def check_ready(self) -> None:
        """Raise when the database does not answer."""
        with self.engine.connect() as connection:
            connection.execute(text("SELECT 1"))
