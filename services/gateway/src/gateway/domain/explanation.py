"""A request to explain, and the cache key of its answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from gateway.domain.errors import RequestRefused
from gateway.domain.requests import Instance, checked_instances, printable, request_members
from gateway.domain.routes import SIDES, Route

METHOD = "layer_integrated_gradients"
BASELINE = "pad"
MAX_STEPS = 160
MAX_EXPLANATIONS = 8
PARAMETERS = ("method", "n_steps", "baseline", "tolerance", "label")


@dataclass(frozen=True)
class ExplanationOptions:
    """Options of an explanation. `n_steps` None lets the handler choose by its tolerance."""

    method: str = METHOD
    baseline: str = BASELINE
    n_steps: int | None = None
    tolerance: float | None = None

    def parameters(self) -> dict[str, Any]:
        """Return the parameters for the handler: only the chosen ones."""
        chosen = {"method": self.method, "baseline": self.baseline}
        optional = {"n_steps": self.n_steps, "tolerance": self.tolerance}
        return {**chosen, **{name: value for name, value in optional.items() if value is not None}}


@dataclass(frozen=True)
class ExplanationKey:
    """Everything that an explanation depends on; equal keys have equal explanations."""

    model_digest: str
    handler_digest: str
    options: ExplanationOptions
    label: str | None
    texts: tuple[tuple[str, str], ...]
    answer: tuple[int, int] | None = None

    def instance(self) -> Instance:
        """Return the instance for the handler."""
        instance: dict[str, Any] = dict(self.texts)
        if self.label is not None:
            instance["label"] = self.label
        if self.answer is not None:
            instance["answer"] = dict(zip(SIDES, self.answer, strict=True))
        return instance


def explanation_keys(body: object, route: Route, max_characters: int) -> list[ExplanationKey]:
    """Return one key per instance of an `:explain` body. Raises RequestRefused."""
    members = request_members(body, ("instances", "parameters"), route.fields)
    optional = ("label", "answer") if route.marks_passage else ("label",)
    instances = checked_instances(members, route.fields, max_characters, MAX_EXPLANATIONS, optional)
    parameters = _checked_parameters(members.get("parameters"))
    default_label = _checked_label(parameters.get("label"), "parameters.label", route)
    options = _options(parameters)
    keys = []
    for position, instance in enumerate(instances):
        where = f"instances[{position}]"
        label = _checked_label(instance.get("label"), f"{where}.label", route) or default_label
        if label is None and route.marks_passage:
            label = SIDES[0]
        answer = _checked_answer(instance.get("answer"), f"{where}.answer", instance, route)
        texts = tuple((name, instance[name]) for name in route.fields)
        keys.append(ExplanationKey(route.model_digest, route.handler_digest, options, label, texts, answer))
    return keys


def _checked_parameters(parameters: object) -> Mapping[str, Any]:
    if parameters is None:
        return {}
    if not isinstance(parameters, dict):
        _refuse("parameters", "it must be a JSON object", "Leave it out, or send an object.")
    for name in parameters:
        if name not in PARAMETERS:
            known = ", ".join(PARAMETERS)
            _refuse(f"parameters.{printable(name)}", "there is no such parameter", f"Send only {known}.")
    return parameters


def _options(parameters: Mapping[str, Any]) -> ExplanationOptions:
    for name, only in (("method", METHOD), ("baseline", BASELINE)):
        if parameters.get(name, only) not in (None, only):
            _refuse(f"parameters.{name}", f'it must be "{only}"', "Leave it out.")
    steps, tolerance = parameters.get("n_steps"), parameters.get("tolerance")
    if steps is not None and (type(steps) is not int or not 1 <= steps <= MAX_STEPS):
        _refuse("parameters.n_steps", f"it must be a whole number from 1 to {MAX_STEPS}", "Leave it out.")
    if tolerance is not None and (type(tolerance) not in (int, float) or not 0 < tolerance <= 1):
        _refuse("parameters.tolerance", "it must be a number above 0 and at most 1", "Leave it out.")
    return ExplanationOptions(n_steps=steps, tolerance=None if tolerance is None else float(tolerance))


def _checked_label(label: object, field: str, route: Route) -> str | None:
    if label is None:
        return None
    if not isinstance(label, str) or label not in route.explainable:
        _refuse(field, "this model explains no such label", f"Send one of {', '.join(route.explainable)}.")
    return label


def _checked_answer(answer: object, field: str, instance: Instance, route: Route) -> tuple[int, int] | None:
    """Return the slice of the passage, in code points, whose choice is to be explained."""
    if answer is None:
        return None
    passage = route.fields[0]
    remedy = 'Send {"start": 0, "end": 1}, or leave it out to explain what the model answers.'
    if not isinstance(answer, dict) or set(answer) != set(SIDES):
        _refuse(field, "it must be an object with start and end", remedy)
    start, end = (answer[side] for side in SIDES)
    length = len(instance[passage])
    if type(start) is not int or type(end) is not int or not 0 <= start < end <= length:
        reason = f"start and end must be whole numbers, start below end, within the {length} characters"
        _refuse(field, f"{reason} of {passage}", remedy)
    return start, end


def _refuse(field: str, reason: str, remedy: str) -> NoReturn:
    raise RequestRefused("parameter-invalid", field, reason, remedy)
