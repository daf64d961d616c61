"""Validated declarations from `models.yaml`."""

import re
from dataclasses import dataclass
from uuid import UUID

from dynabench_archives.model_servers import ARCHIVE, EXPLAIN_SUFFIX, FIELD, NAME
from dynabench_archives.task_types import TASK_TYPES, TaskType

from registry.domain.entry import DeclarationError, Entry

SCORER = re.compile(r"(?P<model>.+)-score-[0-9a-f]{32}")
"""Serving names of sandboxes that answer one evaluation alone; those of submissions end with their version."""
# Fields that an instance to explain may have in addition to its texts.
RESERVED_FIELDS = ("label", "answer")
ALWAYS, ON_DEMAND, WITH_PREDICTIONS = "always", "on_demand", "with_predictions"


def scorer_name(serving_name: str, evaluation_id: UUID) -> str:
    """Return the name under which a model's sandbox for one evaluation is served."""
    return f"{serving_name}-score-{evaluation_id.hex}"


@dataclass(frozen=True)
class Start:
    """Start rule of workers, by its name in `models.yaml`.

    Workers run always or on demand: from the first call until `idle_seconds` after the last. Explainers may also start
    with predictions. That is on demand, and a prediction of the model counts as a call. So they are warm before anybody
    who tries the model asks for an explanation.
    """

    name: str
    idle_seconds: float

    @property
    def on_demand(self) -> bool:
        """Return whether the workers stop when nobody uses them."""
        return self.name != ALWAYS


@dataclass(frozen=True)
class DeclaredExplainer:
    """Declared serving of a model's explanations."""

    workers: int
    start: Start
    max_in_flight: int
    max_characters: int
    response_timeout_seconds: int


@dataclass(frozen=True)
class Declared:
    """A model that is to be served. `fields` are the texts of its instances, in the order the model reads them."""

    name: str
    version: str
    archive: str
    task: str
    task_type: str
    fields: tuple[str, ...]
    labels: tuple[str, ...]
    workers: int
    start: Start
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
        raise DeclarationError(
            "models", 'the file must hold a list under "models"', "Write models: [] to serve none."
        )
    declared = tuple(_model(Entry(f"models[{i}]", entry)) for i, entry in enumerate(content["models"]))
    names = [name for model in declared for name in (model.serving_name, model.explain_name)]
    for position, model in enumerate(declared):
        if names.count(model.name) > 1:
            raise DeclarationError(
                f"models[{position}].name",
                f"{model.name} is used twice, perhaps for the explanations of another model",
                "Choose another name.",
                model.name,
            )
    return declared


def read_declaration(content: object) -> Declared:
    """Return the model of one entry. Raises DeclarationError."""
    return _model(Entry("model", content))


MODEL_FIELDS = (
    "name",
    "version",
    "archive",
    "task",
    "task_type",
    "fields",
    "labels",
    "workers",
    "start",
    "idle_seconds",
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


def _model(entry: Entry) -> Declared:
    entry.only(MODEL_FIELDS)
    explain = entry.mapping("explain")
    name = entry.text("name", NAME)
    task_type = entry.choice("task_type", tuple(TASK_TYPES))
    return Declared(
        name=name,
        version=entry.text("version"),
        archive=entry.text("archive", ARCHIVE),
        task=entry.text("task"),
        task_type=task_type,
        fields=_fields(entry, task_type, TASK_TYPES[task_type]),
        labels=_labels(entry, task_type, TASK_TYPES[task_type]),
        workers=entry.number("workers", 1, 64, 1),
        start=_start(entry, ALWAYS, ON_DEMAND),
        batch_size=entry.number("batch_size", 1, 256, 1),
        max_batch_delay_milliseconds=entry.number("max_batch_delay_ms", 1, 10_000, 1),
        response_timeout_seconds=entry.number("response_timeout_s", 1, 3_600, 10),
        max_in_flight=entry.number("max_in_flight", 1, 10_000, 32),
        max_characters=entry.number("max_characters", 1, 20_000, 5_000),
        explain=None if explain is None else _explainer(explain),
    )


def _explainer(entry: Entry) -> DeclaredExplainer:
    entry.only(EXPLAIN_FIELDS)
    return DeclaredExplainer(
        workers=entry.number("workers", 1, 16, 1),
        start=_start(entry, ON_DEMAND, ALWAYS, WITH_PREDICTIONS),
        max_in_flight=entry.number("max_in_flight", 1, 1_000, 2),
        max_characters=entry.number("max_characters", 1, 20_000, 2_000),
        response_timeout_seconds=entry.number("response_timeout_s", 1, 3_600, 60),
    )


def _start(entry: Entry, default: str, *others: str) -> Start:
    return Start(
        name=entry.choice("start", (default, *others), default),
        idle_seconds=entry.number("idle_seconds", 1, 86_400, 900),
    )


def _fields(entry: Entry, task_type: str, rules: TaskType) -> tuple[str, ...]:
    fields = entry.texts("fields", rules.fields)
    if not fields or (rules.is_paired and len(fields) != len(rules.fields)):
        number = f"{len(rules.fields)} texts" if rules.is_paired else "at least one text"
        entry.refuse(
            "fields",
            f"{task_type} reads {number}, and it names {len(fields)}",
            f"Leave it out, which means [{', '.join(rules.fields)}].",
        )
    for field in fields:
        if not FIELD.fullmatch(field) or field in RESERVED_FIELDS:
            entry.refuse(
                "fields",
                f"{field!r} can't be the name of a text",
                f"Write what matches {FIELD.pattern} and is not {' or '.join(RESERVED_FIELDS)}.",
            )
    return fields


def _labels(entry: Entry, task_type: str, rules: TaskType) -> tuple[str, ...]:
    labels = entry.texts("labels")
    if rules.has_labels and not labels:
        entry.refuse("labels", f"a model of {task_type} has labels", "List them.")
    if labels and not rules.has_labels:
        entry.refuse("labels", f"a model of {task_type} has none", "Write labels: [].")
    return labels
