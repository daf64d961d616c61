"""Ask a baseline the way it is served: from its archive, through the handler and the ONNX graph."""

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model_archives.handlers.serving import TargetHandler
from model_archives.handlers.wire import Request
from model_archives.task_types import task_type_named
from model_archives.training.recipe import Recipe

INSTANCES_PER_REQUEST = 128
Answer = dict[str, Any]
Predict = Callable[[Sequence[tuple[str, ...]]], list[Answer]]
Figures = Mapping[str, Any]


@dataclass
class UnpackedArchive:
    """Stands in for TorchServe's context, for a handler that is called in process."""

    folder: Path
    model_name: str = "evaluated"

    @property
    def system_properties(self) -> dict[str, Any]:
        """The folder of the handler's files."""
        return {"model_dir": str(self.folder)}

    def set_response_status(self, code: int, phrase: str, idx: int) -> None:
        """Ignore the status."""

    def set_response_content_type(self, idx: int, value: str) -> None:
        """Ignore the type."""


def handler_of(folder: Path, task_type: str, model_name: str = "evaluated") -> TargetHandler:
    """The handler of the unpacked archive in `folder`, ready to answer."""
    named = task_type_named(task_type)
    module = importlib.import_module(f"model_archives.handlers.{named.module}")
    handler: TargetHandler = getattr(module, named.handler)()
    handler.initialize(UnpackedArchive(folder, model_name))
    return handler


def predictor_of(folder: Path, recipe: Recipe) -> Predict:
    """Predictions for any number of instances, each given by its texts in the order of the fields."""
    responder = handler_of(folder, recipe.task_type).responder

    def predict(instances: Sequence[tuple[str, ...]]) -> list[Answer]:
        predictions: list[Answer] = []
        for start in range(0, len(instances), INSTANCES_PER_REQUEST):
            chunk = instances[start : start + INSTANCES_PER_REQUEST]
            request = Request([dict(zip(recipe.fields, texts, strict=True)) for texts in chunk])
            predictions += responder.answer([request])[0]["predictions"]  # type: ignore[index]
        return predictions

    return predict
