"""Domain events as the protobuf messages of `dynabench.person.v1`."""

from dynabench.person.v1 import person_pb2
from dynabench_common.outbox import OutboxMessage, message_for

from accounts.domain.person import Event, PersonRegistered

TOPIC = "dynabench.person.v1"


def encode(event: Event) -> OutboxMessage:
    """Return the outbox message of an event."""
    if isinstance(event, PersonRegistered):
        registered = person_pb2.PersonRegistered(
            person_id=str(event.person_id),
            cohort=event.cohort,
            roles=event.roles,
            registered_at=event.registered_at,
        )
        return message_for(TOPIC, registered, event.person_id, event.version, event.registered_at)
    changed = person_pb2.PersonRolesChanged(
        person_id=str(event.person_id), roles=event.roles, changed_at=event.changed_at
    )
    return message_for(TOPIC, changed, event.person_id, event.version, event.changed_at)
