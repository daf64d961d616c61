"""The parameters of an explanation request, checked."""

from dataclasses import dataclass
from typing import Any

from .wire import RequestError

METHOD = "layer_integrated_gradients"
BASELINE = "pad"
DEFAULT_TOLERANCE = 0.05
MAX_STEPS = 160
KNOWN = ("method", "n_steps", "baseline", "tolerance")


@dataclass(frozen=True)
class ExplanationOptions:
    """`n_steps` None: start at 20 and double while the convergence delta is over the tolerance."""

    method: str = METHOD
    baseline: str = BASELINE
    n_steps: int | None = None
    tolerance: float = DEFAULT_TOLERANCE


def explanation_options(parameters: dict[str, Any]) -> ExplanationOptions:
    """Raises RequestError naming the first parameter that is unknown or out of range."""
    unknown = sorted(set(parameters) - set(KNOWN))
    if unknown:
        raise _invalid(f'"{unknown[0]}" is no parameter; known: {", ".join(KNOWN)}')
    given = {name: value for name, value in parameters.items() if value is not None}
    options = ExplanationOptions(**given)
    if options.method != METHOD:
        raise _invalid(f'"method" must be "{METHOD}"')
    if options.baseline != BASELINE:
        raise _invalid(f'"baseline" must be "{BASELINE}"')
    if not _is_steps(options.n_steps):
        raise _invalid(f'"n_steps" must be null or a whole number from 1 to {MAX_STEPS}')
    if not _is_tolerance(options.tolerance):
        raise _invalid('"tolerance" must be a number above 0 and at most 1')
    return options


def _is_steps(value: Any) -> bool:
    return value is None or (type(value) is int and 1 <= value <= MAX_STEPS)


def _is_tolerance(value: Any) -> bool:
    return type(value) in (int, float) and 0 < value <= 1


def _invalid(detail: str) -> RequestError:
    return RequestError("invalid_parameters", detail)
