"""The share of answers that stay the same under typos and other noise, in percent."""

from dynabench_tasks.metrics import METRICS, Metric, MetricKind

METRICS.register("robustness")(
    Metric(
        "robustness",
        MetricKind.DIMENSION,
        "%",
        weight=1.0,
        undefined_reason="undefined: no item with such a variant was asked",
    )
)
