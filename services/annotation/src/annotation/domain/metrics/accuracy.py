"""The share of examples answered right, in percent."""

from annotation.domain.metrics import METRICS, Metric, MetricKind

METRICS.register("accuracy")(
    Metric("accuracy", MetricKind.PERFORMANCE, "%", claims=("multiclass", "multilabel"))
)
