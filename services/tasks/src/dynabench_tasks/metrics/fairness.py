"""The share of answers that stay the same when gendered words and names are swapped, in percent."""

from dynabench_tasks.metrics import METRICS, Metric, MetricKind

METRICS.register("fairness")(
    Metric(
        "fairness",
        MetricKind.DIMENSION,
        "%",
        weight=1.0,
        undefined_reason="undefined: no item with such a variant was asked",
    )
)
