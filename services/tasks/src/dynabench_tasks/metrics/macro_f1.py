"""The mean F1 over labels, in percent."""

from dynabench_tasks.metrics import METRICS, Metric, MetricKind

METRICS.register("macro_f1")(
    Metric("macro_f1", MetricKind.PERFORMANCE, "%", claims=("multiclass", "multilabel"))
)
