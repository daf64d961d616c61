"""Users and permissions at Kafka's brokers: a user per service, with its own topics and groups.

A topic's file in proto/topics names the services that write and read it. Without a rule, everybody but the
administrator is refused. The brokers' own log stores users and rules. They are written at each start.
"""

import hashlib
import secrets
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from dynabench_common.events.brokers import connection
from kafka.admin import ACL, ACLOperation, ACLPermissionType, KafkaAdminClient, ResourcePattern, ResourceType
from kafka.admin.acl_resource import ACLResourcePatternType
from kafka.protocol.api import Request, Response
from kafka.protocol.types import (
    CompactArray,
    CompactBytes,
    CompactString,
    Int8,
    Int16,
    Int32,
    Schema,
    TaggedFields,
)

from dynabench_local import topics

ITERATIONS = 4096
SCRAM_SHA_256 = 1


class AlterScramResponse(Response):  # type: ignore[misc]
    """Response of the broker about each user."""

    API_KEY = 51
    API_VERSION = 0
    FLEXIBLE_VERSION: ClassVar[bool] = True
    SCHEMA = Schema(
        ("throttle_time_ms", Int32),
        (
            "results",
            CompactArray(
                ("user", CompactString("utf-8")),
                ("error_code", Int16),
                ("error_message", CompactString("utf-8")),
                ("tags", TaggedFields),
            ),
        ),
        ("tags", TaggedFields),
    )


class AlterScramRequest(Request):  # type: ignore[misc]
    """AlterUserScramCredentials, which kafka-python lacks."""

    API_KEY = 51
    API_VERSION = 0
    FLEXIBLE_VERSION: ClassVar[bool] = True
    RESPONSE_TYPE = AlterScramResponse
    SCHEMA = Schema(
        (
            "deletions",
            CompactArray(("name", CompactString("utf-8")), ("mechanism", Int8), ("tags", TaggedFields)),
        ),
        (
            "upsertions",
            CompactArray(
                ("name", CompactString("utf-8")),
                ("mechanism", Int8),
                ("iterations", Int32),
                ("salt", CompactBytes),
                ("salted_password", CompactBytes),
                ("tags", TaggedFields),
            ),
        ),
        ("tags", TaggedFields),
    )


def ensure_users(address: str, passwords: Mapping[str, str]) -> None:
    """Give each service its password, and the rights that the topics' files name. Raises RuntimeError."""
    admin = KafkaAdminClient(**connection(address), api_version_auto_timeout_ms=10_000)
    try:
        users = [_user(name, password) for name, password in passwords.items()]
        answer = admin.send_request(AlterScramRequest([], users, {}))
        refused = [f"{user}: {reason}" for user, error, reason, *_ in answer.results if error]
        made = admin.create_acls(rights(topics.documents(), passwords))
        refused += [str(failure) for failure in made["failed"]]
    finally:
        admin.close()
    if refused:
        raise RuntimeError(f"Kafka refuses users or rights: {'; '.join(refused)}")


def _user(name: str, password: str) -> tuple[Any, ...]:
    salt = secrets.token_bytes(24)
    salted = hashlib.pbkdf2_hmac("sha256", password.encode(), salt, ITERATIONS)
    return (name, SCRAM_SHA_256, ITERATIONS, salt, salted, {})


def rights(documents: Iterable[Mapping[str, Any]], services: Iterable[str]) -> list[ACL]:
    """Return the permissions of each service: topics to write and read, and its own consumer groups."""
    known = set(services)
    found = [
        _right(service, ResourceType.GROUP, service, ACLOperation.READ, is_prefix=True) for service in known
    ]
    for document in documents:
        topic, dead_letters = document["topic"], document["dead_letter"]
        for service in known & set(document["producers"]):
            found.append(_right(service, ResourceType.TOPIC, topic, ACLOperation.WRITE))
        for service in known & set(document["consumers"]):
            found.append(_right(service, ResourceType.TOPIC, topic, ACLOperation.READ))
            found.append(_right(service, ResourceType.TOPIC, dead_letters, ACLOperation.WRITE))
    return found


def _right(
    service: str, kind: ResourceType, name: str, operation: ACLOperation, *, is_prefix: bool = False
) -> ACL:
    pattern = ACLResourcePatternType.PREFIXED if is_prefix else ACLResourcePatternType.LITERAL
    return ACL(
        principal=f"User:{service}",
        host="*",
        operation=operation,
        permission_type=ACLPermissionType.ALLOW,
        resource_pattern=ResourcePattern(kind, name, pattern),
    )
