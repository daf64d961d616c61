"""Rights of Kafka users follow from the topics' files."""

from dynabench_local.broker_users import rights
from dynabench_local.topics import documents
from kafka.admin import ResourceType

SERVICES = ("accounts", "annotation", "validation", "leaderboard", "scoring", "registry", "crowd")


def test_every_producer_and_consumer_has_the_rights_it_needs_and_no_other() -> None:
    given = {
        (right.principal.removeprefix("User:"), right.operation.name, right.resource_pattern.resource_name)
        for right in rights(documents(), SERVICES)
        if right.resource_pattern.resource_type is ResourceType.TOPIC
    }
    needed = set()
    for document in documents():
        needed |= {(service, "WRITE", document["topic"]) for service in document["producers"]}
        needed |= {(service, "READ", document["topic"]) for service in document["consumers"]}
        needed |= {(service, "WRITE", document["dead_letter"]) for service in document["consumers"]}
    assert given == needed


def test_groups_of_a_service_begin_with_its_name() -> None:
    groups = [
        right for right in rights([], SERVICES) if right.resource_pattern.resource_type is ResourceType.GROUP
    ]
    names = {right.principal.removeprefix("User:"): right.resource_pattern.resource_name for right in groups}
    assert names == {service: service for service in SERVICES}
    assert not [
        (one, other) for one in SERVICES for other in SERVICES if one != other and one.startswith(other)
    ]
