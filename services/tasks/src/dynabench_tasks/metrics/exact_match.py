"""The share of answers equal to a gold after normalisation, in percent."""

from dynabench_tasks.metrics import METRICS, Metric, MetricKind

METRICS.register("exact_match")(Metric("exact_match", MetricKind.PERFORMANCE, "%", claims=("span", "string")))
