"""What an explanation of one instance comes to."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Attribution:
    """A weight per input position. `delta` = sum of weights - `difference`, the change from the baseline."""

    weights: list[float]
    delta: float
    difference: float
    steps: int
