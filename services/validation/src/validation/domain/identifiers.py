"""One type for each kind of identifier, so that the type checker finds a wrong one."""

from typing import NewType
from uuid import UUID

TaskId = NewType("TaskId", UUID)
RoundId = NewType("RoundId", UUID)
ExampleId = NewType("ExampleId", UUID)
PersonId = NewType("PersonId", UUID)
LeaseId = NewType("LeaseId", UUID)
VoteId = NewType("VoteId", UUID)
GoldId = NewType("GoldId", UUID)
