"""The mean F1 over labels, in percent."""

from dynabench_tasks.metrics import METRICS, Metric, MetricKind

METRICS.register("macro_f1")(
    Metric(
        "macro_f1",
        MetricKind.PERFORMANCE,
        "%",
        claims=("multiclass", "multilabel"),
        undefined_reason="undefined: all items have the same label",
    )
)
