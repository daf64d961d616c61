"""Error of stated probabilities, in percent."""

from dynabench_tasks.metrics import METRICS, Metric, MetricKind

METRICS.register("calibration")(Metric("calibration", MetricKind.DIMENSION, "%", weight=1.0))
