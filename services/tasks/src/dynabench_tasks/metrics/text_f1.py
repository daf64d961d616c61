"""Text F1 in the task's languages, best over golds, mean over examples, in percent."""

from dynabench_tasks.metrics import METRICS, Metric, MetricKind

METRICS.register("text_f1")(Metric("text_f1", MetricKind.PERFORMANCE, "%", claims=("span", "string")))
