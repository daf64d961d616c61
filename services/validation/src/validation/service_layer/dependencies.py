"""The collaborators of handlers and routes, chosen once in `bootstrap`; tests choose others."""

from collections.abc import Callable
from dataclasses import dataclass

from dynabench_common.auth.authentication import Verifier
from dynabench_common.clock import Clock
from sqlalchemy import Engine, text

from validation.adapters.unit_of_work import UnitOfWork


@dataclass(frozen=True)
class Dependencies:
    """The collaborators: commands write through `unit_of_work`, queries read from `engine`."""

    engine: Engine
    unit_of_work: Callable[[], UnitOfWork]
    clock: Clock
    verifier: Verifier

    def check_ready(self) -> None:
        """Raise when the database does not answer."""
        with self.engine.connect() as connection:
            connection.execute(text("SELECT 1"))
