"""Metrics read from a service's database when Prometheus scrapes: queues, ages, quarantined rows.

Only workers export them, each from the same rows. So take the maximum over a service's workers, never the sum. Each
metric is one statement that an index answers.
"""

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from prometheus_client import REGISTRY
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from sqlalchemy import Engine, text
from sqlalchemy.exc import SQLAlchemyError

from dynabench_common.telemetry.logging import get_logger

log = get_logger(__name__)
READ = "dynabench_figures_read"
MOST_COUNTED = 100_000
"""The largest queue length reported; a longer queue is reported as this, since counting on would cost too much."""


@dataclass(frozen=True)
class Figure:
    """A gauge, and the statement that gives its values: a row's last column, under the others as `labels`."""

    name: str
    help: str
    statement: str
    labels: tuple[str, ...] = ()


def age_of(column: str) -> str:
    """Return the SQL of a moment's age in seconds: 0 where there is none, or the moment is to come."""
    return f"greatest(coalesce(extract(epoch FROM now() - {column}), 0), 0)"


OUTBOX = (
    Figure(
        "dynabench_outbox_waiting_events",
        f"Events that stand in the outbox, neither sent nor set aside; at most {MOST_COUNTED:,} are counted",
        "SELECT count(*) FROM (SELECT 1 FROM outbox WHERE sent_at IS NULL AND hold IS NULL "
        f"LIMIT {MOST_COUNTED}) AS waiting",
    ),
    Figure(
        "dynabench_outbox_age_seconds",
        "Age of the first event that waits to be sent; 0 when none waits",
        f"SELECT coalesce((SELECT {age_of('occurred_at')} FROM outbox "
        "WHERE sent_at IS NULL AND hold IS NULL ORDER BY id LIMIT 1), 0)",
    ),
    Figure(
        "dynabench_outbox_parked_events",
        "Events that no broker takes, set aside until somebody decides on them",
        "SELECT count(*) FROM outbox WHERE sent_at IS NULL AND hold = 'parked'",
    ),
)
INBOX = (
    Figure(
        "dynabench_dead_letters",
        "Events that a consumer gave up and nobody has decided on yet",
        "SELECT consumer, count(*) FROM dead_letter GROUP BY consumer",
        ("consumer",),
    ),
    Figure(
        "dynabench_held_partition_age_seconds",
        "How long a consumer has not got on with some partition; 0 when it gets on with all",
        f"SELECT {age_of('min(held_since)')} FROM held_partition",
    ),
)


class DatabaseFigures(Collector):
    """Exports figures of a service's database while its worker runs; a worker's component."""

    name = "figures"

    def __init__(self, engine: Engine, service: str, *figures: Sequence[Figure]) -> None:
        self._engine = engine
        self._service = service
        self._figures = [figure for some in figures for figure in some]
        self._lock = threading.Lock()

    def run(self, stop: threading.Event) -> None:
        """Export the figures until `stop`."""
        REGISTRY.register(self)
        try:
            stop.wait()
        finally:
            REGISTRY.unregister(self)

    def describe(self) -> Iterable[GaugeMetricFamily]:
        """Return the figures without their values."""
        return [*map(self._family, self._figures), self._readability(is_read=True)]

    def collect(self) -> Iterable[GaugeMetricFamily]:
        """Return the current figures; while the database is down, only the metric of its readability."""
        with self._lock:
            try:
                return [*self._read(), self._readability(is_read=True)]
            except SQLAlchemyError as err:
                log.warning("figures_not_read", reason=str(err)[:300])
                return [self._readability(is_read=False)]

    def _read(self) -> list[GaugeMetricFamily]:
        families = []
        with self._engine.connect() as connection:
            for figure in self._figures:
                family = self._family(figure)
                for *labels, value in connection.execute(text(figure.statement)):
                    family.add_metric([self._service, *map(str, labels)], float(value))
                families.append(family)
        return families

    def _family(self, figure: Figure) -> GaugeMetricFamily:
        return GaugeMetricFamily(figure.name, figure.help, labels=["service", *figure.labels])

    def _readability(self, *, is_read: bool) -> GaugeMetricFamily:
        family = GaugeMetricFamily(
            READ, "1 when the figures of a service's database could be read, else 0", labels=["service"]
        )
        family.add_metric([self._service], float(is_read))
        return family
