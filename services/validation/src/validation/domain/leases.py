"""A person's lease on one example, so that no two people spend effort on the same vote."""

from dataclasses import dataclass
from datetime import datetime

from validation.domain.identifiers import ExampleId, LeaseId, PersonId


@dataclass(frozen=True)
class Lease:
    """A hold on an example's voting slot until `expires_at`; afterwards it counts while the slot is free."""

    lease_id: LeaseId
    example_id: ExampleId
    holder_id: PersonId
    granted_at: datetime
    expires_at: datetime

    def is_live(self, now: datetime) -> bool:
        """Tell whether the hold still stands."""
        return now < self.expires_at
