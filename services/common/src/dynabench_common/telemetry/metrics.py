"""Prometheus counters and timers of every process.

Label values come from short lists of our own: route templates, known methods, status classes, names of consumers and
topics. Names that people choose (models, tasks) go through `KnownNames`, so that nobody can create an unlimited number
of series. No metric carries texts, names or ids of people.

A process under gunicorn with others keeps its values in files that they share (`metrics_port`). So metrics of
such processes are counters, never gauges: if two processes set a value, neither is right.
"""

from collections.abc import Sequence
from threading import Lock

from prometheus_client import Counter, Gauge, Histogram, disable_created_metrics

disable_created_metrics()  # type: ignore[no-untyped-call]
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER = "other"
"""The label value for an unusual HTTP method, and for every name after the first MOST_NAMES."""
UNMATCHED = "unmatched"
"""The label value for every path without a route."""
MOST_NAMES = 200
REQUEST_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.4, 1.0, 2.5, 5.0, 10.0, 30.0)
AGE_BUCKETS = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 3600.0)

REQUEST_SECONDS = Histogram(
    "dynabench_http_request_seconds",
    "Time from a request's arrival to the beginning of its answer, by route template; health checks left out",
    ("service", "method", "route", "status"),
    buckets=REQUEST_BUCKETS,
)
EVENT_AGE_SECONDS = Histogram(
    "dynabench_event_age_seconds",
    "Time from an event's happening until a consumer's effects of it were committed",
    ("consumer",),
    buckets=AGE_BUCKETS,
)
DEAD_LETTERED = Counter(
    "dynabench_events_dead_lettered", "Events that a consumer gave up", ("consumer", "topic")
)
CONSUMER_BEHIND = Gauge(
    "dynabench_consumer_behind_events",
    "Events that wait in the partitions which this process reads for a consumer",
    ("consumer",),
)
CONSUMER_TURN = Gauge(
    "dynabench_consumer_last_turn_timestamp_seconds",
    "When a consumer last looked for events",
    ("consumer",),
)


class KnownNames:
    """Distinct names up to a limit; the first names keep their own, and all later ones become `other`."""

    def __init__(self, most: int = MOST_NAMES) -> None:
        self._most = most
        self._known: set[str] = set()
        self._lock = Lock()

    def __call__(self, name: str) -> str:
        """Return the name, or `other` where there are too many."""
        if name in self._known:
            return name
        with self._lock:
            if len(self._known) >= self._most:
                return OTHER
            self._known.add(name)
        return name


def request_served(service: str, method: str, route: str | None, status: int, seconds: float) -> None:
    """Count a request and its time under its route's template; `route` is None where no route serves the path."""
    REQUEST_SECONDS.labels(
        service, method if method in METHODS else OTHER, route or UNMATCHED, f"{status // 100}xx"
    ).observe(seconds)


def taken_in(consumer: str, ages_in_seconds: Sequence[float]) -> None:
    """Record the age of events when their effects were committed."""
    ages = EVENT_AGE_SECONDS.labels(consumer)
    for age in ages_in_seconds:
        ages.observe(max(age, 0.0))
