"""Verdicts for Prometheus, by task, origin and result."""

from dynabench_common.metrics import KnownNames
from prometheus_client import Histogram

from annotation.service_layer.try_watch import Origin

FAILURES = ("undecidable", "failed")
VERDICT_SECONDS = Histogram(
    "dynabench_verdict_seconds",
    "Time from a try whose input is in order to its stored verdict, or to why there is none",
    ("task", "origin", "result"),
    buckets=(0.05, 0.1, 0.15, 0.25, 0.4, 0.6, 1.0, 2.0, 3.0, 5.0),
)


class TryMetrics:
    """Counts and times tries."""

    def __init__(self) -> None:
        self._known = KnownNames()
        self._begun: set[tuple[str, Origin]] = set()

    def ended(self, task_slug: str, origin: Origin, result: str, seconds: float) -> None:
        """Note how a try ended; a result is a verdict, `undecidable`, `refused` or `failed`."""
        task = self._known(task_slug)
        if (
            task,
            origin,
        ) not in self._begun:  # a series that begins with its first failure would hide that one
            self._begun.add((task, origin))
            for failure in FAILURES:
                VERDICT_SECONDS.labels(task, origin.value, failure)
        VERDICT_SECONDS.labels(task, origin.value, result).observe(seconds)
