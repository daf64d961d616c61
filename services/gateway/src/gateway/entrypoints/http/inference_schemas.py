"""Shapes of the Open Inference Protocol (KServe V2). Bodies are described for readers and checked in the domain."""

from typing import Any

from dynabench_common.http.schemas import Text
from pydantic import BaseModel, Field

from gateway.domain.requests import MAX_INSTANCES
from gateway.domain.tensors import BYTES, INTEGERS

NAME = "Name of a served model; for its explanations, followed by -explain"


class TensorModelPath(BaseModel):
    """The name of a model."""

    name: Text = Field(max_length=200, description=NAME)


class TensorVersionPath(TensorModelPath):
    """The name and version of a model."""

    version: Text = Field(max_length=100, description="The served version; any other is unknown")


LENGTH = {"type": "integer", "minimum": 0, "maximum": MAX_INSTANCES}
PARAMETERS: dict[str, Any] = {"type": "object"}
TENSOR = {
    "type": "object",
    "required": ["name", "shape", "datatype"],
    "properties": {
        "name": {"type": "string", "description": "One of the model's fields; of explanations also label"},
        "shape": {
            "type": "array",
            "description": "[n] or [n, 1]",
            "minItems": 1,
            "maxItems": 2,
            "items": LENGTH,
        },
        "datatype": {"type": "string", "enum": [BYTES, *INTEGERS]},
        "data": {"type": "array", "description": "A text for each instance", "items": {}},
        "parameters": {**PARAMETERS, "description": "binary_data_size, where the values follow the JSON"},
    },
}
INFER_BODY = {
    "required": True,
    "content": {
        "application/json": {
            "schema": {
                "type": "object",
                "required": ["inputs"],
                "properties": {
                    "id": {"type": "string", "maxLength": 200},
                    "inputs": {"type": "array", "minItems": 1, "items": TENSOR},
                    "outputs": {
                        "type": "array",
                        "description": "Which outputs; all if left out",
                        "items": {
                            "type": "object",
                            "required": ["name"],
                            "properties": {"name": {"type": "string"}, "parameters": PARAMETERS},
                        },
                    },
                    "parameters": {
                        **PARAMETERS,
                        "description": "Of explanations: n_steps, tolerance, label, method, baseline",
                    },
                },
            }
        }
    },
}
