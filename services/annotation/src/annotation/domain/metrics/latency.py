"""Time to one answer, as the ratio to the reference baseline."""

from annotation.domain.metrics import METRICS, Metric, MetricKind

METRICS.register("latency")(Metric("latency", MetricKind.DIMENSION, "× baseline"))
