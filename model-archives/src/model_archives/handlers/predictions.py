"""Answers prediction requests of any task type; what an instance and its answer look like is the task type's."""

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from .serving import Answer, answer_together
from .wire import MAX_INSTANCES, InstanceError, Request, RequestError

Item = TypeVar("Item")


class Predictions(Generic[Item]):
    """Predictions of several requests in one run of the graph.

    `encode` reads one instance and raises InstanceError; `predict` answers encoded ones, in order.
    """

    max_instances = MAX_INSTANCES

    def __init__(self, encode: Callable[[Any], Item], predict: Callable[[list[Item]], list[Answer]]) -> None:
        self._encode = encode
        self._predict = predict

    def answer(self, requests: Sequence[Request]) -> list[Answer | RequestError]:
        """One answer per request, its predictions in the order of its instances."""
        items = [self._item(instance) for request in requests for instance in request.instances]
        predictions = iter(answer_together(items, self._predict))
        return [{"predictions": [next(predictions) for _ in request.instances]} for request in requests]

    def _item(self, instance: Any) -> Item | InstanceError:
        try:
            return self._encode(instance)
        except InstanceError as error:
            return error
