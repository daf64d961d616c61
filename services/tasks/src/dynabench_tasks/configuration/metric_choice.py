"""The `metrics` block: the measures of the task's models, and the weight of each."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from dynabench_tasks.configuration.nested_shapes import Key, Keys
from dynabench_tasks.configuration.problems import INVALID, Place, Reading
from dynabench_tasks.configuration.shapes import Number, Word
from dynabench_tasks.fields import Field
from dynabench_tasks.metrics import METRICS, Metric, MetricKind

PERFORMANCE = "performance"
PERFORMANCE_WEIGHT = 4.0
LARGEST = 1_000.0
UNIVERSAL = "accuracy"


def _metrics(kind: MetricKind) -> list[Metric]:
    return [METRICS[name] for name in METRICS.names if METRICS[name].kind is kind]


_SHARE = Number(0, LARGEST)
_DIMENSIONS = _metrics(MetricKind.DIMENSION)
METRIC_CHOICE = Keys(
    {
        "primary": Key(
            Word([each.name for each in _metrics(MetricKind.PERFORMANCE)], "metric", is_kept=True), None
        ),
        "weights": Key(
            Keys(
                {
                    PERFORMANCE: Key(_SHARE, PERFORMANCE_WEIGHT),
                    **{each.name: Key(_SHARE, each.weight) for each in _DIMENSIONS},
                }
            ),
            {},
        ),
        "prices": Key(Keys({each.name: Key(_SHARE, None) for each in _DIMENSIONS}), {}),
    }
)


@dataclass(frozen=True)
class MetricChoice:
    """The performance metric, default weights by dimension, and prices that the owner set."""

    primary: str
    weights: tuple[tuple[str, float], ...]
    prices: tuple[tuple[str, float], ...]

    def document(self) -> Mapping[str, object]:
        """Return the block as its configuration says it."""
        return {"primary": self.primary, "weights": dict(self.weights), "prices": dict(self.prices)}


def make_metric_choice(
    given: Mapping[str, Any], place: Place, claimed: Field | None, reading: Reading
) -> MetricChoice:
    """Return the choice; defaults follow the type of the claimed field, which `reading` compares it with."""
    primary, weights, prices = given["primary"], given["weights"], given["prices"]
    if claimed is not None and primary is not INVALID:
        fitting = metrics_of(claimed.type_name)
        usual = "squad_f1" if "squad_f1" in fitting else fitting[0]
        primary = usual if primary is None else primary
        if primary in METRICS and primary not in fitting:
            reading.refuse(
                (*place, "primary"),
                f"is {primary!r}, which does not measure answers of type {claimed.type_name}",
                f"Choose one of: {', '.join(fitting)}.",
            )
    if weights is not INVALID and not any(weights.values()):
        reading.refuse((*place, "weights"), "are all 0", "Give at least one weight above 0.")
    return MetricChoice(primary, _pairs(weights), _pairs(prices))


@cache
def metrics_of(claim_type: str) -> tuple[str, ...]:
    """Return the performance metrics that fit a claim of this type; the share of right answers fits any other."""
    fitting = [metric.name for metric in _metrics(MetricKind.PERFORMANCE) if claim_type in metric.claims]
    return tuple(fitting or [UNIVERSAL])


def _pairs(values: Any) -> tuple[tuple[str, float], ...]:
    if values is INVALID:
        return ()
    return tuple((name, value) for name, value in values.items() if value is not None)
