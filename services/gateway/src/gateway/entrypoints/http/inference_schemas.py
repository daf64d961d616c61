"""Shapes of the Open Inference Protocol (KServe V2). Bodies are described for readers and checked in the domain."""

from typing import Any

from pydantic import BaseModel, Field

from gateway.domain.requests import MAX_INSTANCES
from gateway.domain.tensors import BYTES, INTEGERS

Plain = str | int | float | bool
NAME = "Name of a served model; with -explain behind it, its explanations"


class TensorModelPath(BaseModel):
    """Which model."""

    name: str = Field(max_length=200, description=NAME)


class TensorVersionPath(TensorModelPath):
    """Which model in which version."""

    version: str = Field(max_length=100, description="The version that is served; any other is unknown")


class ServerMetadata(BaseModel):
    """What answers. Tensors come back as JSON; binary ones are read."""

    name: str
    version: str
    extensions: list[str]


class ServerLive(BaseModel):
    """The server runs."""

    live: bool


class ServerReady(BaseModel):
    """The server knows its models."""

    ready: bool


class ModelReady(BaseModel):
    """A model's workers run; while they do not, the answer is 503."""

    name: str
    ready: bool


class TensorMetadata(BaseModel):
    """A tensor; -1 stands for any number of instances.

    Of an output's parameters, `labels` is a JSON text that names its columns; of an input's, `optional` is true for
    one that may be left out.
    """

    name: str
    datatype: str
    shape: list[int]
    parameters: dict[str, Plain] | None = None


class ModelMetadata(BaseModel):
    """What a model takes and answers. Parameters name its task, digests, labels and longest instance in characters."""

    name: str
    versions: list[str]
    platform: str
    inputs: list[TensorMetadata]
    outputs: list[TensorMetadata]
    parameters: dict[str, Plain]


class OutputTensor(BaseModel):
    """A tensor of answers, its values in one row."""

    name: str
    datatype: str
    shape: list[int]
    data: list[Plain]
    parameters: dict[str, Plain] | None = None


class InferAnswer(BaseModel):
    """A value of each output for each instance.

    `error` is empty for an instance that was answered; for any other it is a JSON text with `type` and `detail`, and
    the other outputs hold nothing: an empty text, 0, false, or -1 for a place.
    """

    id: str | None = None
    model_name: str
    model_version: str
    outputs: list[OutputTensor]
    parameters: dict[str, Plain]


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
