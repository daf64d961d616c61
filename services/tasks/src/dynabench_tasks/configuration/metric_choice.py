"""The `metrics` block: by what the task's models are measured, and how much each measure weighs."""

from collections.abc import Mapping
from dataclasses import dataclass

from dynabench_tasks.configuration.section import ConfigurationError, Section, kind_of
from dynabench_tasks.metrics import METRICS, Metric, MetricKind

PERFORMANCE = "performance"
PERFORMANCE_WEIGHT = 4.0
LARGEST = 1_000.0


@dataclass(frozen=True)
class MetricChoice:
    """The performance metric, default weights by dimension, and prices that the owner set."""

    primary: str
    weights: tuple[tuple[str, float], ...]
    prices: tuple[tuple[str, float], ...]

    def document(self) -> Mapping[str, object]:
        """Return the block as its configuration says it."""
        return {"primary": self.primary, "weights": dict(self.weights), "prices": dict(self.prices)}


def read_metric_choice(section: Section, claim_type: str) -> MetricChoice:
    """Return the choice; defaults follow the type of the claimed field. Raises ConfigurationError."""
    fitting = [metric.name for metric in _metrics(MetricKind.PERFORMANCE) if claim_type in metric.claims]
    default = "squad_f1" if "squad_f1" in fitting else "accuracy"
    primary = kind_of(
        section.take("primary", default), section.at("primary"), _names(MetricKind.PERFORMANCE), "metric"
    )
    if primary not in fitting:
        raise ConfigurationError(
            section.at("primary"),
            f"is {primary!r}, which does not measure answers of type {claim_type}",
            "Choose one of: " + ", ".join(fitting) + ".",
        )
    weights, prices = section.section("weights"), section.section("prices")
    dimensions = _metrics(MetricKind.DIMENSION)
    named = [(PERFORMANCE, PERFORMANCE_WEIGHT), *((metric.name, metric.weight) for metric in dimensions)]
    weighed = tuple((name, weights.number(name, 0, LARGEST, default)) for name, default in named)
    priced = tuple(
        (metric.name, prices.number(metric.name, 0, LARGEST))
        for metric in dimensions
        if metric.name in prices
    )
    for metric in dimensions:
        prices.take(metric.name)
    if not any(weight for _, weight in weights.finish(weighed)):
        raise ConfigurationError(weights.path, "are all 0", "Give at least one weight above 0.")
    return section.finish(MetricChoice(primary, weighed, prices.finish(priced)))


def _metrics(kind: MetricKind) -> list[Metric]:
    return [METRICS[name] for name in METRICS.names if METRICS[name].kind is kind]


def _names(kind: MetricKind) -> list[str]:
    return [metric.name for metric in _metrics(kind)]
