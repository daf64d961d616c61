"""The part of a handler that is the same for every task type.

TorchServe may hand over several requests at once. They are parsed one by one, so that a broken one is refused
alone, and the rest is answered together.
"""

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

from .description import Description, read_description
from .wire import InstanceError, Request, RequestError, encode, error_entry, parse_request

EXPLAIN_SUFFIX = "-explain"
BAD_REQUEST = 400
log = logging.getLogger(__name__)
Item = TypeVar("Item")
Answer = dict[str, Any]


class Context(Protocol):
    """What is used of TorchServe's context."""

    model_name: str

    @property
    def system_properties(self) -> dict[str, Any]:
        """`model_dir` is the folder of the unpacked archive."""

    def set_response_status(self, code: int, phrase: str, idx: int) -> None:
        """The HTTP status of the request at `idx` of the batch."""

    def set_response_content_type(self, idx: int, value: str) -> None:
        """The content type of the response at `idx` of the batch."""


class Responder(Protocol):
    """Answers well-formed requests; `max_instances` bounds one request."""

    max_instances: int

    def answer(self, requests: Sequence[Request]) -> list[Answer | RequestError]:
        """One entry per request, in order."""


class TargetHandler(ABC):
    """TorchServe's entry points. A model registered as `<name>-explain` explains; any other name predicts."""

    description: Description
    responder: Responder

    def initialize(self, context: Context) -> None:
        """Called once per worker, before its first request."""
        folder = Path(context.system_properties["model_dir"])
        self.description = read_description(folder)
        explains = context.model_name.endswith(EXPLAIN_SUFFIX)
        self.responder = self.load_explainer(folder) if explains else self.load_predictor(folder)

    @abstractmethod
    def load_predictor(self, folder: Path) -> Responder:
        """What answers predictions; loads the ONNX graph and nothing of PyTorch's."""

    @abstractmethod
    def load_explainer(self, folder: Path) -> Responder:
        """What answers explanations; loads the PyTorch model."""

    def handle(self, rows: list[dict[str, Any]], context: Context) -> list[str]:
        """One JSON text per row of TorchServe's batch."""
        answers: dict[int, Answer | RequestError] = {}
        requests: dict[int, Request] = {}
        for index, row in enumerate(rows):
            try:
                requests[index] = parse_request(row, self.responder.max_instances)
            except RequestError as error:
                answers[index] = error
        answers.update(zip(requests, self.responder.answer(list(requests.values())), strict=True))
        return [self._response(index, answers[index], context) for index in range(len(rows))]

    def _response(self, index: int, answer: Answer | RequestError, context: Context) -> str:
        context.set_response_content_type(index, "application/json")
        if isinstance(answer, RequestError):
            context.set_response_status(BAD_REQUEST, "Bad Request", index)
            return encode(error_entry(answer))
        return encode(answer | self.description.digests())


def answer_together(
    items: Sequence[Item | InstanceError],
    answer_batch: Callable[[list[Item]], list[Answer]],
) -> list[Answer]:
    """Answer usable items in one batch; where that fails, one by one, so that only the culprit is lost."""
    usable = [item for item in items if not isinstance(item, InstanceError)]
    try:
        answered = iter(answer_batch(usable) if usable else [])
    except Exception:
        log.exception("batch_failed size=%d", len(usable))
        answered = (answer_alone(item, answer_batch) for item in usable)
    return [error_entry(item) if isinstance(item, InstanceError) else next(answered) for item in items]


def answer_alone(item: Item, answer_batch: Callable[[list[Item]], list[Answer]]) -> Answer:
    """Answer one item; whatever goes wrong becomes its error entry."""
    try:
        return answer_batch([item])[0]
    except InstanceError as error:
        return error_entry(error)
    except Exception:
        log.exception("instance_failed")
        return error_entry(InstanceError("prediction_failed", "the model could not answer this instance"))
