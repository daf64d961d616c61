"""The share of answers equal to a gold after normalisation, in percent."""

from annotation.domain.metrics import METRICS, Metric, MetricKind

EXACT_MATCH = METRICS.register("exact_match")(
    Metric("exact_match", MetricKind.PERFORMANCE, "%", claims=("span", "string"))
)
