"""The collaborators of handlers and routes, chosen once in `bootstrap`; tests choose others."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from dynabench_common.auth.authentication import Verifier
from dynabench_common.clock import Clock
from sqlalchemy import Engine, text

from crowd.adapters.people import HttpPeople
from crowd.adapters.unit_of_work import UnitOfWork
from crowd.domain.errors import TermsRefused
from crowd.domain.money import Rates
from crowd.domain.platforms import CrowdPlatform


@dataclass(frozen=True)
class Dependencies:
    """The collaborators: commands write through `unit_of_work`, queries read from `engine`.

    `platforms` are the connected ones by name; `public_url` is the origin of the pages. Addresses of entries are hashed
    with `address_key`.
    """

    engine: Engine
    unit_of_work: Callable[[], UnitOfWork]
    clock: Clock
    verifier: Verifier
    people: HttpPeople
    platforms: Mapping[str, CrowdPlatform]
    rates: Rates
    public_url: str
    address_key: bytes

    def platform(self, name: str) -> CrowdPlatform:
        """Return a connected platform. Raises TermsRefused."""
        if name not in self.platforms:
            known = ", ".join(self.platforms) or "none is connected"
            raise TermsRefused("platform", f"{name} is not connected", f"Connected platforms: {known}.")
        return self.platforms[name]

    def check_ready(self) -> None:
        """Raise when the database does not answer."""
        with self.engine.connect() as connection:
            connection.execute(text("SELECT 1"))
