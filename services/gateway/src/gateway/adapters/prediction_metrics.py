"""Predictions for Prometheus, by model, lane and result."""

from dynabench_common.telemetry.metrics import KnownNames
from prometheus_client import Histogram

from gateway.domain.coalescer import Lane

PREDICTION_SECONDS = Histogram(
    "dynabench_prediction_seconds",
    "Time of a call for predictions, from its admission to the model's answer or to why there is none",
    ("model", "lane", "result"),
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0),
)


class PredictionMetrics:
    """Counters and timers of calls; models beyond the first 200 share one label."""

    def __init__(self) -> None:
        self._known = KnownNames()

    def ended(self, model: str, lane: Lane, result: str, seconds: float) -> None:
        """Note how a call ended: `answered`, `refused`, `busy`, `unavailable` or `failed`."""
        PREDICTION_SECONDS.labels(self._known(model), lane.value, result).observe(seconds)
