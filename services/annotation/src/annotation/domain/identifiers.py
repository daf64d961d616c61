"""A type for each kind of id, so that the type checker finds a wrong one."""

from typing import NewType
from uuid import UUID

TaskId = NewType("TaskId", UUID)
RoundId = NewType("RoundId", UUID)
SegmentId = NewType("SegmentId", UUID)
ContextId = NewType("ContextId", UUID)
AssignmentId = NewType("AssignmentId", UUID)
ExampleId = NewType("ExampleId", UUID)
ImageId = NewType("ImageId", UUID)
InspectionId = NewType("InspectionId", UUID)
ProbeId = NewType("ProbeId", UUID)
OrderId = NewType("OrderId", UUID)
PersonId = NewType("PersonId", UUID)

# The author of an imported example that names none: the nil UUID in the database, null in answers, empty in events.
NOBODY = PersonId(UUID(int=0))
