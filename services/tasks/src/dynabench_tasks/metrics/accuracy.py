"""The share of examples answered right, in percent."""

from dynabench_tasks.metrics import METRICS, Metric, MetricKind

METRICS.register("accuracy")(
    Metric("accuracy", MetricKind.PERFORMANCE, "%", claims=("multiclass", "multilabel"))
)
