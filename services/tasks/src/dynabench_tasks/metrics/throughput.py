"""Examples answered in a second, as the ratio to the reference baseline."""

from dynabench_tasks.metrics import METRICS, Metric, MetricKind

METRICS.register("throughput")(Metric("throughput", MetricKind.DIMENSION, "× baseline", weight=1.0))
