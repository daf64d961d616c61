"""The JSON Schema of a task's records, for people who generate them by program.

It says what one record may contain. The reader checks rules that depend on the rest of a collection or on other texts.
Those are: unique ids, votes of different people, the round's targets, and spans that match their text.
"""

from collections.abc import Mapping
from typing import Any

from dynabench_tasks.configuration.metadata import FLAG
from dynabench_tasks.configuration.reader import DIALECT
from dynabench_tasks.configuration.task_configuration import MOST_TARGETS, TaskConfiguration
from dynabench_tasks.fields import Field
from dynabench_tasks.vote_question import vote_question

from annotation.domain.context import LONGEST_TAG, MOST_TAGS
from annotation.domain.example import LONGEST_EXPLANATION
from annotation.domain.imported_votes import (
    LONGEST_NAME,
    LONGEST_REASON,
    MOST_VOTES,
    RFC_3339,
    UNSURE,
)
from annotation.domain.record import COHORTS, DEFAULT_CONDITION, IMPORTED, LONGEST_CONDITION, LONGEST_ID

Schema = dict[str, Any]


def record_schema(configuration: TaskConfiguration, address: str) -> Schema:
    """Return the schema; `address` is where it is published."""
    return {
        "$schema": DIALECT,
        "$id": address,
        "title": f"Record of the task {configuration.slug}",
        **_object(
            {
                "id": {**_text(LONGEST_ID), "description": "Unique in the collection"},
                "context": _values(configuration.fields.context),
                "input": {
                    **_values(configuration.fields.written),
                    "description": "What was written, without the claim",
                },
                "label": _or_null(
                    {**configuration.claimed_field.value_schema(), "description": "What the author claims"}
                ),
                "author": _or_null({**_text(LONGEST_NAME), "description": "Kept as a pseudonym alone"}),
                "cohort": _or_null({"enum": list(COHORTS), "default": IMPORTED}),
                "condition": _or_null({**_text(LONGEST_CONDITION), "default": DEFAULT_CONDITION}),
                "tags": _or_null({"type": "array", "items": _text(LONGEST_TAG), "maxItems": MOST_TAGS}),
                "targets": _or_null(_targets(configuration)),
                "votes": _or_null(
                    {
                        "type": "array",
                        "items": _vote(configuration),
                        "maxItems": MOST_VOTES,
                        "description": "In the order in which they were given",
                    }
                ),
                "explanations": _or_null(_explanations()),
            },
            ["id", "context", "input"],
        ),
    }


def _object(properties: Mapping[str, Any], required: list[str]) -> Schema:
    found: Schema = {"type": "object", "properties": dict(properties), "additionalProperties": False}
    return {**found, "required": required} if required else found


def _text(most: int) -> Schema:
    return {"type": "string", "minLength": 1, "maxLength": most}


def _or_null(schema: Schema) -> Schema:
    """Return the schema with null as an alternative, for omitted values."""
    return {"anyOf": [schema, {"type": "null"}]}


def _values(fields: tuple[Field, ...]) -> Schema:
    """Return the schema of the values of fields; those with a default may be left out."""
    return _object(
        {
            field.name: field.value_schema() if field.default is None else _or_null(field.value_schema())
            for field in fields
        },
        [field.name for field in fields if field.default is None],
    )


def _targets(configuration: TaskConfiguration) -> Schema:
    answer = configuration.claimed_field.answer_schema()
    share = {"type": "number", "minimum": 0, "maximum": 1}
    labels = _object(dict.fromkeys(configuration.labels, share), [])
    with_shares = _object({"value": answer, "probabilities": _or_null(labels)}, ["value"])
    return {
        "type": "object",
        "additionalProperties": {"anyOf": [answer, with_shares, {"type": "null"}]},
        "maxProperties": MOST_TARGETS,
        "description": "What each target answered, by its name",
    }


def _vote(configuration: TaskConfiguration) -> Schema:
    field = vote_question(configuration).field
    other = [word for word in (FLAG, UNSURE) if word not in field.labels]
    label = {"anyOf": [field.value_schema(), {"enum": other}]} if other else field.value_schema()
    return _object(
        {
            "label": label,
            "voter": _or_null({**_text(LONGEST_NAME), "description": "Kept as a pseudonym alone"}),
            "at": _or_null(
                {
                    "type": "string",
                    "pattern": RFC_3339,
                    "description": "RFC 3339; from 1990 on, and not in the future",
                }
            ),
            "reason": _or_null(
                {"type": "string", "maxLength": LONGEST_REASON, "description": "Of a flag alone"}
            ),
        },
        ["label"],
    )


def _explanations() -> Schema:
    text = _or_null({"type": "string", "maxLength": LONGEST_EXPLANATION})
    return _object({"label": text, "model": text}, [])
