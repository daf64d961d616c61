"""The JSON Schema of task configurations, for editors and for those who write YAML by program.

It says what a document may hold; what only the whole document can tell (references between fields, labels that
must agree) is checked by the reader. Registered kinds of things bring their own parts.
"""

from collections.abc import Mapping
from typing import Any

from dynabench_tasks.configuration.conditions import MOST_ARMS
from dynabench_tasks.configuration.fields_section import MOST_FIELDS
from dynabench_tasks.configuration.goal import MOST_VALIDATED_ERRORS
from dynabench_tasks.configuration.metadata import HIGHEST_ROUND, VERDICTS
from dynabench_tasks.configuration.metric_choice import LARGEST, PERFORMANCE
from dynabench_tasks.configuration.task_configuration import MOST_TARGETS, REQUIRED_WHEN_FOOLED
from dynabench_tasks.configuration.validation_rules import GOLDS, MOST_VOTES, VOTES
from dynabench_tasks.configuration.worked_examples import MOST_EXAMPLES
from dynabench_tasks.context_policies import CONTEXT_POLICIES
from dynabench_tasks.fields import FIELD_TYPES
from dynabench_tasks.metrics import METRICS, MetricKind
from dynabench_tasks.wrong_when import WRONG_RULES

Schema = dict[str, Any]
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def configuration_schema(address: str) -> Schema:
    """Return the schema; `address` is where it is published."""
    fields = {"type": "array", "items": {"$ref": "#/$defs/field"}, "minItems": 1, "maxItems": MOST_FIELDS}
    return {
        "$schema": DIALECT,
        "$id": address,
        "title": "Dynabench task configuration",
        **_object(
            {
                "slug": {"type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$", "maxLength": 40},
                "title": _text(200),
                "description": _text(2_000),
                "languages": {"type": "array", "items": _text(35), "minItems": 1, "maxItems": 50},
                "instructions": {**_text(20_000), "description": "Markdown"},
                "content_warning": _text(2_000),
                "worked_examples": {"type": "array", "items": _worked_example(), "maxItems": MOST_EXAMPLES},
                "context": {
                    **fields,
                    "items": {"oneOf": [_context_text(), _field("image")]},
                    "description": "What people start from",
                },
                "input": {**fields, "description": "What people write and claim"},
                "output": {
                    **fields,
                    "description": "What targets answer; shares the claimed field with the input",
                },
                "metadata": _object({key: _metadata(key) for key in ("create", "validate")}),
                "instance": {
                    "type": "object",
                    "additionalProperties": {"type": "string"},
                    "minProperties": 1,
                    "description": "The model's text fields, each with the task's field that fills it",
                },
                "goal": _goal(),
                "wrong_when": _wrong_when(),
                "ensemble": {
                    "oneOf": [
                        {"enum": ["any", "all"]},
                        _object({"at_least": _whole(1, MOST_TARGETS)}, ["at_least"]),
                    ],
                    "default": "any",
                },
                "contexts": _object(
                    {"policy": {"enum": list(CONTEXT_POLICIES.names), "default": "least_used"}}
                ),
                "conditions": {"type": "array", "items": _condition(), "minItems": 1, "maxItems": MOST_ARMS},
                "metrics": _metrics(),
                "quotas": _object(
                    {key: _whole(1, 1_000_000) for key in ("tries_per_context", "tries_per_person")}
                ),
                "validation": _validation(),
                "explanations": {"enum": ["optional", REQUIRED_WHEN_FOOLED], "default": "optional"},
                "probes": {"enum": ["none", "counted"], "default": "none"},
                "margin_hint": {"type": "boolean", "default": False},
                "perturbations": {"type": "boolean", "default": False},
            },
            ["slug", "title", "languages", "context", "input", "output", "wrong_when"],
        ),
        "$defs": {"field": {"oneOf": [_field(name) for name in FIELD_TYPES.names]}},
    }


def _object(properties: Mapping[str, Any], required: list[str] | None = None) -> Schema:
    found: Schema = {"type": "object", "properties": dict(properties), "additionalProperties": False}
    return {**found, "required": required} if required else found


def _text(most: int) -> Schema:
    return {"type": "string", "maxLength": most}


def _whole(low: int, high: int) -> Schema:
    return {"type": "integer", "minimum": low, "maximum": high}


def _number(low: float, high: float) -> Schema:
    return {"type": "number", "minimum": low, "maximum": high}


def _field_properties(name: str) -> Schema:
    return {
        "name": {"type": "string", "pattern": "^[a-z_][a-z0-9_]*$", "maxLength": 40},
        "type": {"const": name},
        "label": _text(200),
        **FIELD_TYPES[name].schema,
    }


def _field(name: str) -> Schema:
    return _object(_field_properties(name), ["name", "type", *FIELD_TYPES[name].required])


def _context_text() -> Schema:
    text = _field("string")
    optional = {
        "type": "boolean",
        "default": False,
        "description": "Whether the text may be left out or blank",
    }
    return {**text, "properties": {**text["properties"], "optional": optional}}


def _goal() -> Schema:
    return _object(
        {
            "message": _text(500),
            "label": {"enum": ["chosen", "assigned"]},
            "validated_errors": _whole(1, MOST_VALIDATED_ERRORS),
        }
    )


def _metadata(key: str) -> Schema:
    words = {"type": "array", "items": {"type": "string"}, "minItems": 1}
    when: Schema = {"from_round": _whole(1, HIGHEST_ROUND)}
    if key == "create":
        when |= {"verdict": {**words, "items": {"enum": list(VERDICTS)}}, "claimed": words}
    else:
        when |= {"vote": words}
    more = {"optional": {"type": "boolean", "default": False}, "when": _object(when)}
    kinds = [
        _object({**_field_properties(name), **more}, ["name", "type", *FIELD_TYPES[name].required])
        for name in FIELD_TYPES.names
        if name not in ("probabilities", "image")
    ]
    return {"type": "array", "items": {"oneOf": kinds}, "maxItems": MOST_FIELDS}


def _worked_example() -> Schema:
    values = {"type": "object"}
    return _object({"context": values, "input": values, "why": _text(1_000)}, ["context", "input", "why"])


def _wrong_when() -> Schema:
    words = [name for name in WRONG_RULES.names if WRONG_RULES[name].schema is None]
    rules = [
        _object({name: WRONG_RULES[name].schema}, [name]) for name in WRONG_RULES.names if name not in words
    ]
    return {"oneOf": [{"enum": words}, *rules]}


def _condition() -> Schema:
    arms = {
        "name": _text(40),
        "weight": _number(0.001, 1_000),
        "context": {"enum": ["shown", "hidden"], "default": "shown"},
        "targets": {"enum": ["all", "none"], "default": "all"},
    }
    return _object(arms, ["name"])


def _metrics() -> Schema:
    kinds = {name: METRICS[name].kind for name in METRICS.names}
    dimensions = [name for name, kind in kinds.items() if kind is MetricKind.DIMENSION]
    return _object(
        {
            "primary": {"enum": [name for name, kind in kinds.items() if kind is MetricKind.PERFORMANCE]},
            "weights": _object({name: _number(0, LARGEST) for name in (PERFORMANCE, *dimensions)}),
            "prices": _object({name: _number(0, LARGEST) for name in dimensions}),
        }
    )


def _validation() -> Schema:
    votes = _whole(1, MOST_VOTES)
    policies = [
        _object({kind: _object({"agree": votes, most: votes}, ["agree", most])}, [kind])
        for kind, most in (("adaptive", "max_votes"), ("fixed", "votes"))
    ]
    margin = _object({"margin_below": _number(0, 1)}, ["margin_below"])
    return _object(
        {
            "vote": {"enum": list(VOTES)},
            "options": {"type": "array", "items": _text(60), "minItems": 1, "maxItems": 100},
            "policy": {"oneOf": policies},
            "validate": {
                "oneOf": [{"enum": ["fooling", "all"]}, _object({"uncertain": margin}, ["uncertain"])]
            },
            "sample": _number(0, 1),
            "gold": {"enum": list(GOLDS)},
            "gold_rate": _number(0, 1),
            "lease_seconds": _whole(30, 86_400),
        }
    )
