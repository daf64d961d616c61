"""A reader's chosen weights, in the address of a board."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dynabench_client.results.leaderboard import BoardView

DIMENSIONS = ("performance", "throughput", "latency", "memory", "fairness", "robustness")
OF_DIMENSION, OF_DATASET = "w_", "d_"
PRESETS: Mapping[str, Mapping[str, float]] = {
    "accuracy": {**dict.fromkeys(DIMENSIONS, 0), "performance": 1},
    "equal": {**dict.fromkeys(DIMENSIONS, 1), "latency": 0},
    "edge": {"performance": 2, "throughput": 2, "latency": 1, "memory": 3, "fairness": 1, "robustness": 1},
    "fair": {"performance": 2, "throughput": 0, "latency": 0, "memory": 0, "fairness": 2, "robustness": 2},
}


@dataclass(frozen=True)
class Chosen:
    """Weights by dimension and dataset as typed; None for the task's own.

    An `external` board shows the models that were measured elsewhere.
    """

    weights: Mapping[str, str]
    datasets: Mapping[str, str]
    gamma: str | None
    mode: str | None
    external: bool = False

    def query(self) -> dict[str, str]:
        """Return the choice in an address."""
        return {
            **{OF_DIMENSION + name: weight for name, weight in self.weights.items()},
            **{OF_DATASET + name: weight for name, weight in self.datasets.items()},
            **({"gamma": self.gamma} if self.gamma else {}),
            **({"mode": self.mode} if self.mode else {}),
            **({"external": "1"} if self.external else {}),
        }

    def asked(self) -> dict[str, Any]:
        """Return the choice and the kind of board."""
        return {**self.arguments(), **({"external": True} if self.external else {})}

    def arguments(self) -> dict[str, Any]:
        """Return the choice as parameters for the leaderboard, which validates it."""
        return {
            "weights": _pairs(self.weights),
            "datasets": _pairs(self.datasets),
            "gamma": self.gamma,
            "mode": self.mode,
        }


def chosen_weights(given: Mapping[str, str]) -> Chosen:
    """Return the choice as a query string, without empty fields."""
    written = {name: value.strip() for name, value in given.items() if value.strip()}
    return Chosen(
        {name: written[OF_DIMENSION + name] for name in DIMENSIONS if OF_DIMENSION + name in written},
        {
            name.removeprefix(OF_DATASET): weight
            for name, weight in written.items()
            if name.startswith(OF_DATASET)
        },
        written.get("gamma"),
        written.get("mode"),
        "external" in written,
    )


def saved_query(view: BoardView) -> dict[str, str]:
    """Return the query string of saved weights."""
    return {
        **{OF_DIMENSION + name: _exactly(weight) for name, weight in view.weights.items()},
        **{OF_DATASET + name: _exactly(weight) for name, weight in view.datasets.items()},
        "gamma": _exactly(view.gamma),
        "mode": view.mode,
    }


def _exactly(number: float) -> str:
    """Return a number as a text that parses to the same number."""
    return repr(number).removesuffix(".0")


def preset_query(name: str) -> dict[str, str]:
    """Return the query string of a preset."""
    return {OF_DIMENSION + dimension: f"{weight:g}" for dimension, weight in PRESETS[name].items()}


def _pairs(weights: Mapping[str, str]) -> str | None:
    return ",".join(f"{name}:{weight}" for name, weight in weights.items()) or None
