"""How far stated probabilities lie from the truth, in percent."""

from annotation.domain.metrics import METRICS, Metric, MetricKind

METRICS.register("calibration")(
    Metric("calibration", MetricKind.DIMENSION, "%", higher_is_better=False, weight=1.0)
)
