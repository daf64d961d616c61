"""Test support for every service: a settable clock, signed tokens, and access to Kafka."""

import time
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from google.protobuf.message import Message
from joserfc import jwt
from joserfc.jwk import OKPKey
from kafka import KafkaConsumer, KafkaProducer

from dynabench_common.auth.authentication import AUDIENCE, ISSUER, Verifier
from dynabench_common.clock import Clock, SystemClock
from dynabench_common.events.brokers import connection
from dynabench_common.events.cloud_events import Decoder, Event, headers_for
from dynabench_common.identifiers import new_id
from dynabench_common.service_tokens import CALLERS, ServiceTokens, digest_of


def service_token(service: str) -> str:
    """Return the token of a service in tests."""
    return f"a-token-of-{service}-that-only-tests-know"


SERVICE_TOKEN_DIGESTS = ";".join(f"{service}={digest_of(service_token(service))}" for service in CALLERS)
SERVICE_TOKENS = ServiceTokens.read(SERVICE_TOKEN_DIGESTS)


def service_headers(service: str) -> dict[str, str]:
    """Return request headers of a service, for tests."""
    return {"Authorization": f"Bearer {service_token(service)}"}


class FixedClock:
    """A clock that changes only by `move`."""

    def __init__(self, now: datetime = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)) -> None:
        self._now = now

    def now(self) -> datetime:
        """Return the set moment."""
        return self._now

    def move(self, seconds: float) -> None:
        """Advance the time."""
        self._now += timedelta(seconds=seconds)


class Issuer:
    """Signs access tokens as the accounts service would."""

    def __init__(self, clock: Clock | None = None) -> None:
        self._key = OKPKey.generate_key("Ed25519", {"kid": "test", "use": "sig", "alg": "EdDSA"})
        self._clock = clock or SystemClock()

    def jwks(self) -> dict[str, Any]:
        """Return the public keys."""
        return {"keys": [self._key.as_dict(private=False)]}

    def verifier(self) -> Verifier:
        """Return a verifier that trusts this issuer and all services of tests."""
        return Verifier(self.jwks, SERVICE_TOKENS, self._clock)

    def token(
        self,
        person_id: UUID,
        roles: Iterable[str] = ("annotator",),
        cohort: str = "volunteer",
        lifetime_seconds: int = 900,
        **claims: Any,
    ) -> str:
        """Return a signed access token; `claims` override any claim."""
        now = int(self._clock.now().timestamp())
        body = {
            "iss": ISSUER,
            "aud": AUDIENCE,
            "sub": str(person_id),
            "roles": list(roles),
            "cohort": cohort,
            "iat": now,
            "exp": now + lifetime_seconds,
            **claims,
        }
        return jwt.encode({"alg": "EdDSA", "kid": "test"}, body, self._key, algorithms=["EdDSA"])

    def headers(self, person_id: UUID, roles: Iterable[str] = ("annotator",), **more: Any) -> dict[str, str]:
        """Return request headers that sign `person_id` in."""
        return {"Authorization": f"Bearer {self.token(person_id, roles, **more)}"}


class EventProbe:
    """Publishes events and reads topics."""

    def __init__(self, bootstrap_servers: str, prefix: str = "") -> None:
        self._bootstrap_servers = bootstrap_servers
        self._prefix = prefix
        self._producer = KafkaProducer(**connection(bootstrap_servers), acks="all")

    def publish(
        self,
        topic: str,
        message: Message,
        aggregate_id: UUID,
        aggregate_version: int = 1,
        *,
        event_id: UUID | None = None,
        time: datetime | None = None,
    ) -> UUID:
        """Publish one event, acknowledged, and return its id."""
        event_id = event_id or new_id()
        headers = headers_for(
            event_id=event_id,
            type_name=message.DESCRIPTOR.full_name,
            source="/test",
            time=time or datetime.now(UTC),
            aggregate_version=aggregate_version,
            traceparent=None,
        )
        timestamp = None if time is None else int(time.timestamp() * 1000)
        self._producer.send(
            self._prefix + topic,
            key=str(aggregate_id).encode(),
            value=message.SerializeToString(),
            headers=headers,
            timestamp_ms=timestamp,
        ).get(timeout=15)
        return event_id

    def publish_raw(
        self, topic: str, key: bytes | None, value: bytes | None, headers: Sequence[tuple[str, bytes]] = ()
    ) -> None:
        """Publish any bytes, for example poison."""
        self._producer.send(self._prefix + topic, key=key, value=value, headers=list(headers)).get(timeout=15)

    def records(self, topic: str, at_least: int = 0, timeout_seconds: float = 60) -> list[Any]:
        """Return all records of a topic, waiting until there are `at_least` so many."""
        consumer = KafkaConsumer(
            self._prefix + topic,
            **connection(self._bootstrap_servers),
            auto_offset_reset="earliest",
            enable_auto_commit=False,
        )
        found: list[Any] = []
        deadline = time.monotonic() + timeout_seconds
        try:
            while time.monotonic() < deadline:
                polled = consumer.poll(timeout_ms=300)
                found += [record for records in polled.values() for record in records]
                if len(found) >= at_least and not polled:
                    return found
        finally:
            consumer.close()
        raise AssertionError(f"{topic}: {len(found)} records within {timeout_seconds} s, expected {at_least}")

    def events(self, topic: str, accepts: Iterable[type[Message]], at_least: int = 0) -> list[Event]:
        """Return the decoded events of a topic."""
        decoder = Decoder(accepts)
        decoded = [decoder.decode(r.topic, r.key, r.value, r.headers) for r in self.records(topic, at_least)]
        return [event for event in decoded if event is not None]

    def close(self) -> None:
        """Close the connection."""
        self._producer.close(timeout=2)


def wait_until(condition: Any, timeout_seconds: float = 120, what: str = "the condition") -> Any:
    """Return `condition()` once it is true; an AssertionError after the timeout names `what`."""
    deadline = time.monotonic() + timeout_seconds
    while time.monotonic() < deadline:
        result = condition()
        if result:
            return result
        time.sleep(0.05)
    raise AssertionError(f"{what} did not come true within {timeout_seconds} s")
