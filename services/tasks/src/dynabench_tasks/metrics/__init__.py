"""Metrics of models. Each module here registers metrics; adding one is adding a module.

A task names one metric as its performance; the rest are dimensions that every model has. The scoring of models computes
the numbers. This package defines the names that a configuration may use, and their defaults.
"""

from dataclasses import dataclass
from enum import StrEnum
from pkgutil import extend_path

from dynabench_tasks.registry import Registry, import_modules_of


class MetricKind(StrEnum):
    """The role of a metric on a board."""

    PERFORMANCE = "performance"
    DIMENSION = "dimension"


@dataclass(frozen=True)
class Metric:
    """One metric.

    `claims` are the types of claimed fields that a performance metric fits. `weight` is a dimension's default weight;
    performance has 4. `undefined_reason` says why a missing value is missing.
    """

    name: str
    kind: MetricKind
    unit: str
    claims: tuple[str, ...] = ()
    weight: float = 0.0
    undefined_reason: str = ""


METRICS: Registry[Metric] = Registry()

__path__ = extend_path(__path__, __name__)
import_modules_of(__name__, __path__)
