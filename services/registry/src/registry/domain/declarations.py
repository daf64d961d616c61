"""What `models.yaml` says, checked: each refusal names the entry and the field."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?")
ARCHIVE = re.compile(r"[A-Za-z0-9._-]{1,200}\.mar")
EXPLAIN_SUFFIX = "-explain"
PROBES: Mapping[str, Mapping[str, str]] = {"text-classification": {"text": "A plain sentence."}}


class DeclarationError(Exception):
    """`models.yaml` can't be used; the message names the field and the reason."""


@dataclass(frozen=True)
class DeclaredExplainer:
    """How a model's explanations are served. `on_demand`: no workers until somebody asks."""

    workers: int
    on_demand: bool
    idle_seconds: float
    max_in_flight: int
    max_characters: int
    response_timeout_seconds: int


@dataclass(frozen=True)
class Declared:
    """A model that is to be served."""

    name: str
    version: str
    archive: str
    task: str
    task_type: str
    labels: tuple[str, ...]
    workers: int
    batch_size: int
    max_batch_delay_milliseconds: int
    response_timeout_seconds: int
    max_in_flight: int
    max_characters: int
    explain: DeclaredExplainer | None

    @property
    def serving_name(self) -> str:
        """Return the model's name in TorchServe."""
        return self.name

    @property
    def explain_name(self) -> str:
        """Return the name of its explanations' own registration in TorchServe."""
        return self.name + EXPLAIN_SUFFIX


def read_declarations(content: object) -> tuple[Declared, ...]:
    """Return the models of a parsed `models.yaml`. Raises DeclarationError."""
    if not isinstance(content, dict) or not isinstance(content.get("models"), list):
        raise DeclarationError('models: the file must hold a list under "models"')
    declared = tuple(_model(_Entry(f"models[{i}]", entry)) for i, entry in enumerate(content["models"]))
    names = [name for model in declared for name in (model.serving_name, model.explain_name)]
    for position, model in enumerate(declared):
        if names.count(model.name) > 1:
            raise DeclarationError(f"models[{position}].name: {model.name} is used twice")
    return declared


class _Entry:
    """One mapping of the file, read field by field."""

    def __init__(self, where: str, fields: object) -> None:
        if not isinstance(fields, dict):
            raise DeclarationError(f"{where}: it must be a mapping")
        self._where = where
        self._fields = fields

    def only(self, known: Sequence[str]) -> None:
        for name in self._fields:
            if name not in known:
                self.refuse(str(name), f"there is no such field; known: {', '.join(known)}")

    def refuse(self, name: str, reason: str) -> NoReturn:
        raise DeclarationError(f"{self._where}.{name}: {reason}")

    def text(self, name: str, pattern: re.Pattern[str] | None = None) -> str:
        value = self._fields.get(name)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            value = str(value)
        if not isinstance(value, str) or not value.strip():
            self.refuse(name, "it is missing or no text")
        if pattern is not None and not pattern.fullmatch(value):
            self.refuse(name, f"{value!r} does not match {pattern.pattern}")
        return value

    def number(self, name: str, least: int, most: int, default: int | None = None) -> int:
        value = self._fields.get(name, default)
        if type(value) is not int or not least <= value <= most:
            self.refuse(name, f"it must be a whole number from {least} to {most}")
        return value

    def choice(self, name: str, options: Sequence[str], default: str | None = None) -> str:
        value = self._fields.get(name, default)
        if value not in options:
            self.refuse(name, f"it must be one of {', '.join(options)}")
        return str(value)

    def texts(self, name: str) -> tuple[str, ...]:
        value = self._fields.get(name)
        if not isinstance(value, list) or not value or not all(isinstance(item, str) for item in value):
            self.refuse(name, "it must be a list of texts")
        return tuple(value)

    def mapping(self, name: str) -> "_Entry | None":
        value = self._fields.get(name)
        return None if value is None else _Entry(f"{self._where}.{name}", value)


MODEL_FIELDS = (
    "name",
    "version",
    "archive",
    "task",
    "task_type",
    "labels",
    "workers",
    "batch_size",
    "max_batch_delay_ms",
    "response_timeout_s",
    "max_in_flight",
    "max_characters",
    "explain",
)
EXPLAIN_FIELDS = (
    "workers",
    "start",
    "idle_seconds",
    "max_in_flight",
    "max_characters",
    "response_timeout_s",
)


def _model(entry: _Entry) -> Declared:
    entry.only(MODEL_FIELDS)
    explain = entry.mapping("explain")
    return Declared(
        name=entry.text("name", NAME),
        version=entry.text("version"),
        archive=entry.text("archive", ARCHIVE),
        task=entry.text("task"),
        task_type=entry.choice("task_type", tuple(PROBES)),
        labels=entry.texts("labels"),
        workers=entry.number("workers", 1, 64, 1),
        batch_size=entry.number("batch_size", 1, 256, 1),
        max_batch_delay_milliseconds=entry.number("max_batch_delay_ms", 1, 10_000, 1),
        response_timeout_seconds=entry.number("response_timeout_s", 1, 3_600, 10),
        max_in_flight=entry.number("max_in_flight", 1, 10_000, 32),
        max_characters=entry.number("max_characters", 1, 20_000, 5_000),
        explain=None if explain is None else _explainer(explain),
    )


def _explainer(entry: _Entry) -> DeclaredExplainer:
    entry.only(EXPLAIN_FIELDS)
    return DeclaredExplainer(
        workers=entry.number("workers", 1, 16, 1),
        on_demand=entry.choice("start", ("on_demand", "always"), "on_demand") == "on_demand",
        idle_seconds=entry.number("idle_seconds", 1, 86_400, 900),
        max_in_flight=entry.number("max_in_flight", 1, 1_000, 2),
        max_characters=entry.number("max_characters", 1, 20_000, 2_000),
        response_timeout_seconds=entry.number("response_timeout_s", 1, 3_600, 60),
    )
