"""Answers of the Open Inference Protocol (KServe V2)."""

from dynabench_api.base import Record

Plain = str | int | float | bool


class ServerMetadata(Record):
    """The server's metadata. It answers with JSON tensors, and accepts JSON and binary tensors."""

    name: str
    version: str
    extensions: tuple[str, ...]


class ServerLive(Record):
    """The state of the server: it runs."""

    live: bool


class ServerReady(Record):
    """The readiness of the server: it knows its models."""

    ready: bool


class ModelReady(Record):
    """The readiness of a model: its workers run. While they do not, the answer is 503."""

    name: str
    ready: bool


class TensorMetadata(Record):
    """A tensor. -1 means any number of instances.

    An output's parameter `labels` is a JSON text that names its columns. An input's parameter `optional` is true if
    the input may be left out.
    """

    name: str
    datatype: str
    shape: tuple[int, ...]
    parameters: dict[str, Plain] | None = None


class ModelMetadata(Record):
    """Inputs and outputs of a model. Parameters: its task, digests, labels and longest instance in characters."""

    name: str
    versions: tuple[str, ...]
    platform: str
    inputs: tuple[TensorMetadata, ...]
    outputs: tuple[TensorMetadata, ...]
    parameters: dict[str, Plain]


class OutputTensor(Record):
    """A tensor of answers with its values in one list."""

    name: str
    datatype: str
    shape: tuple[int, ...]
    data: tuple[Plain, ...]
    parameters: dict[str, Plain] | None = None


class InferAnswer(Record):
    """One value of each output for each instance.

    `error` is empty for an answered instance. Otherwise it is a JSON text with `type` and `detail`. The other outputs
    then have a neutral value: an empty text, 0, false, or -1 for a position.
    """

    id: str | None = None
    model_name: str
    model_version: str
    outputs: tuple[OutputTensor, ...]
    parameters: dict[str, Plain]
