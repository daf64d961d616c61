"""Shapes of the HTTP interface. Bodies are described here for readers and checked by hand in the domain."""

from typing import Any

from dynabench_common.http.schemas import Text
from pydantic import BaseModel, Field


class ModelPath(BaseModel):
    """The name of a model."""

    name: Text = Field(max_length=200, description="Name of a served model")


def _body(properties: dict[str, Any]) -> dict[str, Any]:
    schema = {"type": "object", "required": ["instances"], "properties": properties}
    return {"required": True, "content": {"application/json": {"schema": schema}}}


TEXTS = {
    "type": "object",
    "description": "The model's `fields`, each a string; for example premise and hypothesis",
    "minProperties": 1,
    "additionalProperties": {"type": "string"},
}
POSITION = {"type": "integer", "minimum": 0, "maximum": 2**31 - 1}
PREDICT_BODY = _body({"instances": {"type": "array", "minItems": 1, "maxItems": 64, "items": TEXTS}})
EXPLAIN_BODY = _body(
    {
        "instances": {
            "type": "array",
            "minItems": 1,
            "maxItems": 8,
            "items": {
                **TEXTS,
                "properties": {
                    "label": {
                        "type": "string",
                        "description": "Default: the predicted one; of extractive-qa start or end, default start",
                    },
                    "answer": {
                        "type": "object",
                        "description": "Of extractive-qa: code points of the passage; default: the predicted ones",
                        "required": ["start", "end"],
                        "properties": {"start": POSITION, "end": POSITION},
                    },
                },
            },
        },
        "parameters": {
            "type": "object",
            "properties": {
                "n_steps": {"type": "integer", "minimum": 1, "maximum": 160},
                "tolerance": {"type": "number", "exclusiveMinimum": 0, "maximum": 1},
                "method": {"type": "string", "enum": ["layer_integrated_gradients"]},
                "baseline": {"type": "string", "enum": ["pad"]},
                "label": {"type": "string"},
            },
        },
    }
)
