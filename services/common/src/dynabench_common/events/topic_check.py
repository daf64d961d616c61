"""A check that a topic exists, since a producer only waits if it sends to a missing one.

The result is cached for a while, so one missing topic does not delay events for others.
"""

import time
from collections.abc import Mapping
from typing import Any

from kafka.admin import KafkaAdminClient

from dynabench_common.telemetry.logging import get_logger

log = get_logger(__name__)
LOOKS = 3
PAUSE_SECONDS = 0.5
REMEMBERED_SECONDS = 30.0


class TopicMissing(Exception):
    """The brokers, which do answer, know of no such topic."""


class TopicCheck:
    """Lists the brokers' topics, with the connection settings of a client."""

    def __init__(self) -> None:
        self._known: set[str] = set()
        self._missing_until: dict[str, float] = {}

    def ensure(self, settings: Mapping[str, Any], topic: str) -> None:
        """Raise unless the topic exists; a known one is not checked again. Raises TopicMissing, KafkaError."""
        if topic in self._known:
            return
        if self._is_absent(settings, topic):
            raise TopicMissing(f"there is no topic {topic}")
        self._known.add(topic)

    def is_missing(self, settings: Mapping[str, Any], topic: str) -> bool:
        """Return whether a topic is missing after a failure. Raises KafkaError if the brokers don't answer."""
        self._known.discard(topic)
        return self._is_absent(settings, topic)

    def _is_absent(self, settings: Mapping[str, Any], topic: str) -> bool:
        if time.monotonic() < self._missing_until.get(topic, 0.0):
            return True
        admin = KafkaAdminClient(**settings)
        try:
            for look in range(LOOKS):
                if topic in admin.list_topics():
                    return False
                log.warning("topic_missing", topic=topic, look=look + 1)
                time.sleep(PAUSE_SECONDS)
        finally:
            admin.close()
        self._missing_until[topic] = time.monotonic() + REMEMBERED_SECONDS
        return True
