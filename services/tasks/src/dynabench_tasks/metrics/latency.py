"""Time to one answer, as the ratio to the reference baseline."""

from dynabench_tasks.metrics import METRICS, Metric, MetricKind

METRICS.register("latency")(Metric("latency", MetricKind.DIMENSION, "× baseline"))
