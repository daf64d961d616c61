"""A Dynatask configuration as a configuration of this platform."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml
from dynabench_tasks.configuration.validation_rules import USUAL_READING_SPEED
from dynabench_tasks.fields import FIELD_TYPES

from dynabench_toolkit.dynatask.fields import Field, convert_field, flattened, new_name
from dynabench_toolkit.dynatask.metadata import convert_metadata
from dynabench_toolkit.dynatask.source import DynataskError, Loss, Losses, mapping, sequence

READ_KEYS = frozenset(
    {
        "context",
        "input",
        "output",
        "metadata",
        "delta_metrics",
        "perf_metric",
        "aggregation_metric",
        "model_wrong_metric",
        "content_warning",
        "goal",
        "goal_message",
    }
)
PRIMARY = frozenset({"accuracy", "macro_f1", "squad_f1"})
DELTAS = ("fairness", "robustness")
FIVE_JUDGES = {"adaptive": {"agree": 3, "max_votes": 5}}
INHERITED = ("type", "labels", "reference_name", "single_select")


@dataclass(frozen=True)
class Converted:
    """A configuration, what could not be carried over, and the context's fields under their old names."""

    configuration: Mapping[str, Any]
    losses: Sequence[Loss]
    context_names: Mapping[str, str]

    @property
    def image_fields(self) -> list[str]:
        """Return the names of the context's images."""
        return [field["name"] for field in self.configuration["context"] if field["type"] == "image"]

    def yaml(self) -> str:
        """Return the configuration as people edit it."""
        return yaml.dump(
            dict(self.configuration), Dumper=_Plain, sort_keys=False, allow_unicode=True, width=100
        )


class _Plain(yaml.SafeDumper):
    """Writes repeated parts in full, since configurations have no anchors."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002
        return True


def convert_configuration(document: Mapping[str, Any], slug: str) -> Converted:
    """Return the configuration for a Dynatask document. Raises DynataskError."""
    losses = Losses()
    losses.add_unread("", document, READ_KEYS)
    context, inputs, outputs = (_fields(document, key, losses) for key in ("context", "input", "output"))
    context = [_as_context(field, losses) for field in context]
    claimed = _claim(inputs, outputs, document, losses)
    kept = [claimed, *_probabilities(inputs, outputs, claimed, losses)]
    title = slug.replace("-", " ").capitalize()
    losses.add("title", f"is not said there; {title!r} was taken")
    losses.add("languages", "are not said there; English was taken")
    losses.add("instructions", "are not said there; write them before you open a round")
    configuration: dict[str, Any] = {
        "slug": slug,
        "title": title,
        "description": f"{title}, brought over from Dynatask.",
        "languages": ["en"],
        "instructions": "Read what is given, then write an example that people get right and the models get wrong.",
        "content_warning": document.get("content_warning"),
        "context": context,
        "input": inputs,
        "output": kept,
        "metadata": convert_metadata(document.get("metadata"), claimed, losses),
        "instance": _instance(context, inputs, claimed),
        "goal": _goal(document, losses),
        "wrong_when": _wrong_when(document.get("model_wrong_metric"), claimed, losses),
        "metrics": _metrics(document, losses),
        "validation": {
            "vote": "judgement",
            "policy": FIVE_JUDGES,
            "validate": "fooling",
            "reading_speed": USUAL_READING_SPEED,
        },
    }
    present = {key: value for key, value in configuration.items() if value not in (None, {}, "")}
    names = {str(entry["name"]): new_name(entry["name"]) for entry in document["context"]}
    return Converted(present, tuple(losses.found), names)


def _fields(document: Mapping[str, Any], key: str, losses: Losses) -> list[Field]:
    entries = sequence(document.get(key), key)
    if not entries:
        raise DynataskError(
            f"{key} has no objects.", "A task needs at least one in context, input and output."
        )
    given = [flattened(entry, f"{key}[{position}]") for position, entry in enumerate(entries)]
    if key == "output":
        given = [{**_inherited(document, entry["name"]), **entry} for entry in given]
    fields = [convert_field(entry, f"{key}[{position}]", losses) for position, entry in enumerate(given)]
    return [field for field in fields if field is not None]


def _inherited(document: Mapping[str, Any], name: object) -> dict[str, Any]:
    """Return the keys that an output may omit if the input declares them."""
    entries = [flattened(entry, "input") for entry in sequence(document.get("input"), "input")]
    same = next((entry for entry in entries if entry["name"] == name), {})
    return {key: same[key] for key in INHERITED if key in same}


def _as_context(field: Field, losses: Losses) -> Field:
    if FIELD_TYPES[field["type"]].can_start:
        return field
    losses.add(
        f"context.{field['name']}.type", f"{field['type']} became string: a context holds texts and images"
    )
    return {"name": field["name"], "type": "string", "label": field["label"]}


def _claim(inputs: list[Field], outputs: list[Field], document: Mapping[str, Any], losses: Losses) -> Field:
    """Return the one field that authors claim; where the source has none, its first answer is added to the input."""
    by_name = {field["name"]: field for field in inputs}
    shared = [field for field in outputs if field["name"] in by_name]
    if not shared:
        first = next((field for field in outputs if FIELD_TYPES[field["type"]].can_be_claimed), None)
        if first is None:
            raise DynataskError(
                "No output can be claimed.", "Give one that is a text, a label or a selection."
            )
        inputs.append(first)
        losses.add(f"output.{first['name']}", "stood in no input; authors now give the right answer too")
        return first
    referred = _references(document.get("model_wrong_metric"))
    shared.sort(key=lambda field: field["name"] not in referred)
    for field in shared[1:]:
        losses.add(f"output.{field['name']}", "is a second claim; it stays in the input only")
    return by_name[shared[0]["name"]]


def _probabilities(inputs: list[Field], outputs: list[Field], claimed: Field, losses: Losses) -> list[Field]:
    """Return the outputs to keep in addition to the claim; second claims were reported with the claim."""
    noted = {field["name"] for field in inputs}
    kept = []
    for field in outputs:
        if field["type"] == "probabilities" and claimed.get("labels"):
            kept.append({**field, "of": claimed["name"]})
        elif field["name"] not in noted:
            losses.add(
                f"output.{field['name']}", "is neither the claim nor its probabilities; it was left out"
            )
    return kept


def _instance(context: list[Field], inputs: list[Field], claimed: Field) -> dict[str, str]:
    fields = [field for field in (*context, *inputs) if field["name"] != claimed["name"]]
    return {field["name"]: field["name"] for field in fields if field["type"] == "string"}


def _goal(document: Mapping[str, Any], losses: Losses) -> dict[str, str]:
    goal = document.get("goal")
    if document.get("goal_message"):
        return {"message": str(document["goal_message"])}
    if isinstance(goal, str):
        return {"message": goal}
    if not goal:
        return {}
    given = mapping(goal, "goal")
    text = next((given[key] for key in ("message", "text") if given.get(key)), None)
    losses.add_unread("goal.", given, ("message", "text"))
    return {"message": str(text)} if text else {}


def _references(metric: object) -> list[str]:
    given = _metric(metric, "model_wrong_metric")
    names = given.get("reference_names") or [given.get("reference_name")]
    return [new_name(name) for name in sequence(names, "model_wrong_metric.reference_names") if name]


def _wrong_when(metric: object, claimed: Field, losses: Losses) -> object:
    given, path = _metric(metric, "model_wrong_metric"), "model_wrong_metric"
    for name in _references(metric):
        if name != claimed["name"]:
            losses.add(path, f"looks at {name!r}; only the claimed {claimed['name']!r} is compared")
    match given.get("type"):
        case "exact_match":
            return {"exact_match": {"fields": [claimed["name"]]}}
        case "string_f1":
            return {"token_f1": {"field": claimed["name"], "below": given.get("threshold", 0.4)}}
        case "ask_user":
            return "ask_annotator"
        case other:
            losses.add(path, f"{other!r} has no counterpart; authors are asked who was wrong")
            return "ask_annotator"


def _metrics(document: Mapping[str, Any], losses: Losses) -> dict[str, Any]:
    aggregation = _metric(document.get("aggregation_metric") or "dynascore", "aggregation_metric").get("type")
    if aggregation != "dynascore":
        losses.add("aggregation_metric", f"{aggregation!r} has no counterpart; boards use weights and prices")
    found: dict[str, Any] = {}
    primary = _metric(document.get("perf_metric"), "perf_metric").get("type")
    if primary in PRIMARY:
        found["primary"] = primary
    elif primary is not None:
        losses.add(
            "perf_metric", f"{primary!r} has no counterpart; the default for the answer's type is used"
        )
    if "delta_metrics" in document:
        entries = sequence(document["delta_metrics"], "delta_metrics")
        asked = [_metric(entry, "delta_metrics").get("type") for entry in entries]
        found["weights"] = {delta: int(delta in asked) for delta in DELTAS}
        for name in asked:
            if name not in DELTAS:
                losses.add("delta_metrics", f"{name!r} has no counterpart and was left out")
    return found


def _metric(value: object, path: str) -> Mapping[str, Any]:
    """Return a metric's mapping. A plain name is a metric without arguments."""
    if value is None or isinstance(value, str):
        return {} if value is None else {"type": value}
    given = mapping(value, path)
    return {**mapping(given.get("constructor_args") or {}, path), **given}
