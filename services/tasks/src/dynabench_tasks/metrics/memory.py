"""Peak resident memory of one worker, as the ratio to the reference baseline."""

from dynabench_tasks.metrics import METRICS, Metric, MetricKind

METRICS.register("memory")(Metric("memory", MetricKind.DIMENSION, "× baseline", weight=1.0))
