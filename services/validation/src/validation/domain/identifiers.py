"""One type for each kind of identifier, so that a person's id can't stand where an example's belongs."""

from typing import NewType
from uuid import UUID

TaskId = NewType("TaskId", UUID)
RoundId = NewType("RoundId", UUID)
ExampleId = NewType("ExampleId", UUID)
PersonId = NewType("PersonId", UUID)
LeaseId = NewType("LeaseId", UUID)
VoteId = NewType("VoteId", UUID)
GoldId = NewType("GoldId", UUID)
