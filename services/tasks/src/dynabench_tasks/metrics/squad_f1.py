"""Token F1, best over golds, mean over examples, in percent."""

from dynabench_tasks.metrics import METRICS, Metric, MetricKind

METRICS.register("squad_f1")(Metric("squad_f1", MetricKind.PERFORMANCE, "%", claims=("span", "string")))
