"""Answers of the Open Inference Protocol (KServe V2)."""

from dynabench_api.base import Record

Plain = str | int | float | bool


class ServerMetadata(Record):
    """The server. It answers with tensors as JSON and also reads binary ones."""

    name: str
    version: str
    extensions: tuple[str, ...]


class ServerLive(Record):
    """The server runs."""

    live: bool


class ServerReady(Record):
    """The server knows its models."""

    ready: bool


class ModelReady(Record):
    """A model's workers run; while they do not, the answer is 503."""

    name: str
    ready: bool


class TensorMetadata(Record):
    """A tensor; -1 stands for any number of instances.

    Of an output's parameters, `labels` is a JSON text that names its columns; of an input's, `optional` is true for
    one that may be left out.
    """

    name: str
    datatype: str
    shape: tuple[int, ...]
    parameters: dict[str, Plain] | None = None


class ModelMetadata(Record):
    """Inputs and outputs of a model. Parameters name its task, digests, labels and longest instance in characters."""

    name: str
    versions: tuple[str, ...]
    platform: str
    inputs: tuple[TensorMetadata, ...]
    outputs: tuple[TensorMetadata, ...]
    parameters: dict[str, Plain]


class OutputTensor(Record):
    """A tensor of answers, its values in one row."""

    name: str
    datatype: str
    shape: tuple[int, ...]
    data: tuple[Plain, ...]
    parameters: dict[str, Plain] | None = None


class InferAnswer(Record):
    """A value of each output for each instance.

    `error` is empty for an instance that was answered; for any other it is a JSON text with `type` and `detail`, and
    the other outputs hold nothing: an empty text, 0, false, or -1 for a place.
    """

    id: str | None = None
    model_name: str
    model_version: str
    outputs: tuple[OutputTensor, ...]
    parameters: dict[str, Plain]
