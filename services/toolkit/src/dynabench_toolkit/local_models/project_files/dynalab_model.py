"""Adapter for handlers written for dynalab, of the original platform: one example at a time.

The handler is dynalab_handler.py, unchanged. It gets `[{"body": {"uid": …, "context": …, …}}]` and answers
`[{"id", "label", "prob", "signed"}]`, or `"answer"` and `"conf"` for questions; signatures are left out. "dynalab" in
dynabench.json maps the names of its fields and labels:

    "request": {"context": "premise", "hypothesis": "hypothesis"}    its fields → those of an instance
    "labels": {"entailed": "entailment"}                             its labels → those of the task
    "checkpoint": "model.pt"                                         the file that it loads, if any

Without probabilities, the answer has probability 1. With that of its label alone, the other labels share
the rest.
"""

import importlib
import importlib.util
import inspect
import json
import math
import re
import sys
import types
import uuid
from pathlib import Path
from typing import Any

ROOT_PATH = "/home/model-server/code"


class BaseDynaHandler:
    """Base class of handlers where dynalab is not installed."""

    def __init__(self) -> None:
        self.initialized = False

    def initialize_task_io(self, _task_info_path: Any = None) -> None:
        """Create the object that signs answers."""
        self.task_io = self.taskIO = TaskIO()

    def _handler_initialize(self, context: Any) -> "tuple[str, str, str]":
        folder = context.system_properties["model_dir"]
        return str(Path(folder, context.manifest["model"]["serializedFile"])), folder, "cpu"

    def _read_data(self, data: Any) -> Any:
        return data[0]["body"]


class TaskIO:
    """Signs nothing: this platform does not ask for signatures."""

    def __init__(self, *_task: Any) -> None:
        pass

    def sign_response(self, response: Any, _example: Any = None) -> Any:
        """Return the answer as it is."""
        response["signed"] = ""
        return response

    def generate_response_signature(self, *_what: Any) -> str:
        """Return no signature."""
        return ""


class Context:
    """The part of TorchServe's context that handlers read."""

    def __init__(self, folder: Path, checkpoint: str) -> None:
        self.manifest = {"model": {"serializedFile": checkpoint}}
        self.system_properties = {"model_dir": str(folder), "gpu_id": None}


class Model:
    """Model contract of this platform, implemented by a dynalab handler."""

    def __init__(self, folder: Path, description: "dict[str, Any]") -> None:
        settings = description.get("dynalab", {})
        self.fields, self.labels = description["fields"], description["labels"]
        self.task_type = description["task_type"]
        self.request = settings.get("request", {})
        self.names = settings.get("labels", {})
        provide_dynalab()
        self.context = Context(folder, settings.get("checkpoint", ""))
        self.ask = entry_of(importlib.import_module("dynalab_handler"), self.context)

    def predict(self, instance: "dict[str, str]") -> "dict[str, Any]":
        """Return the handler's answer in this platform's format. Raises ValueError if it can't be converted."""
        example = {name: instance[field] for name, field in self.request.items()}
        example["uid"] = str(uuid.uuid4())
        returned = self.ask([{"body": example}], self.context)[0]
        response = json.loads(returned) if isinstance(returned, (str, bytes)) else returned
        if self.task_type == "extractive-qa":
            return self.span(instance[self.fields[0]], response)
        return self.labelled(response)

    def labelled(self, response: "dict[str, Any]") -> "dict[str, Any]":
        """Return label and probabilities, or the labels of a set."""
        given = response["label"]
        if self.task_type == "multilabel-classification":
            several = sorted({self.name(each) for each in (given if isinstance(given, list) else [given])})
            shares = self.shares(response.get("prob"), several)
            return {"labels": several, "probabilities": shares}
        label = self.name(given)
        shares = self.shares(response.get("prob"), [label])
        total = sum(shares.values())
        if total <= 0:
            raise ValueError(f"the probabilities of {given!r} add up to {total}")
        return {"label": label, "probabilities": {name: share / total for name, share in shares.items()}}

    def name(self, label: Any) -> str:
        """Return the task's name for a label of the handler."""
        name = str(self.names.get(str(label), label))
        if name not in self.labels:
            raise ValueError(
                f'the label {label!r} is unknown: name it under "dynalab", "labels" in dynabench.json'
            )
        return name

    def shares(self, given: Any, chosen: "list[str]") -> "dict[str, float]":
        """Return a probability for each label."""
        if isinstance(given, dict):
            named = {self.name(label): float(value) for label, value in given.items()}
            return {label: named.get(label, 0.0) for label in self.labels}
        share = 1.0 if given is None else float(given)
        if not 0 <= share <= 1 or not math.isfinite(share):
            raise ValueError(f"the probability {given!r} is no number from 0 to 1")
        rest = (1 - share) / max(1, len(self.labels) - 1)
        return {label: share if label in chosen else rest for label in self.labels}

    def span(self, passage: str, response: "dict[str, Any]") -> "dict[str, Any]":
        """Return the place of the answer. Handlers return its words, often in lower case and with other blanks."""
        words = str(response["answer"]).split()
        pattern = r"\s*".join(re.escape(piece) for word in words for piece in word)
        found = re.search(pattern, passage) or re.search(pattern, passage, re.IGNORECASE) if words else None
        if found is None:
            raise ValueError(f"the answer {response['answer']!r} does not stand in the passage")
        given = next(
            (response[name] for name in ("conf", "prob") if isinstance(response.get(name), (int, float))), 1
        )
        place = {"start": found.start(), "end": found.end(), "text": found.group()}
        return {**place, "probability": min(1.0, max(0.0, float(given)))}


def entry_of(module: Any, context: Context) -> Any:
    """Return the callable for `(data, context)`: the module's own function, or the steps of its class."""
    if hasattr(module, "handle"):
        more = [None] * (len(inspect.signature(module.handle).parameters) - 2)
        module.handle(None, context, *more)
        return lambda data, given: module.handle(data, given, *more)
    service = module.Handler()
    if hasattr(service, "initialize_task_io"):
        service.initialize_task_io(None)
    service.initialize(context)
    if hasattr(service, "handle"):
        return service.handle
    return lambda data, _given: service.postprocess(service.inference(service.preprocess(data)), data)


def provide_dynalab() -> None:
    """Let `import dynalab` work where it is not installed. Only the base class and signing exist."""
    if "dynalab" in sys.modules or importlib.util.find_spec("dynalab") is not None:
        return
    tasks = ("nli", "hs", "sentiment", "qa", "common")
    parts: dict[str, dict[str, Any]] = {
        "dynalab": {},
        "dynalab.handler": {},
        "dynalab.handler.base_handler": {"BaseDynaHandler": BaseDynaHandler, "ROOTPATH": ROOT_PATH},
        "dynalab.tasks": {},
        "dynalab.tasks.task_io": {"TaskIO": TaskIO, "ROOTPATH": ROOT_PATH},
        **{f"dynalab.tasks.{task}": {"TaskIO": TaskIO, "BaseTaskIO": TaskIO} for task in tasks},
    }
    for name, members in parts.items():
        module = types.ModuleType(name)
        vars(module).update({**members, "__path__": []})
        sys.modules[name] = module
        above, _, own = name.rpartition(".")
        if above:
            setattr(sys.modules[above], own, module)
