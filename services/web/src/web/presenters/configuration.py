"""What pages need of a task's configuration: its fields, labels and rules, in the words of its owner."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from dynabench_client.results.annotation import Task
from markupsafe import Markup

from web.presenters.markdown import render_markdown

LONGEST_TEXT = 1000


@dataclass(frozen=True)
class Field:
    """A field of the context or the input."""

    name: str
    type: str
    label: str
    max_length: int
    labels: tuple[str, ...]

    @property
    def is_choice(self) -> bool:
        """Tell whether one of `labels` is chosen."""
        return self.type == "multiclass"


@dataclass(frozen=True)
class TaskRules:
    """A configuration, read leniently: what an older or newer version lacks has a default."""

    slug: str
    title: str
    context: tuple[Field, ...]
    input: tuple[Field, ...]
    labels: tuple[str, ...]
    options: tuple[str, ...]
    ensemble: str
    instructions: Markup
    content_warning: str

    @property
    def texts(self) -> tuple[Field, ...]:
        """The fields that are written."""
        return tuple(field for field in self.input if not field.is_choice)

    @property
    def choices(self) -> tuple[Field, ...]:
        """The fields that are chosen."""
        return tuple(field for field in self.input if field.is_choice)

    def rule(self, targets: int) -> str:
        """Return when the targets together count as fooled, for example `any of 2`."""
        if targets < 2:
            return ""
        return f"{self.ensemble} of {targets}"

    def context_label(self, name: str) -> str:
        """Return the label of a context field."""
        return next((field.label for field in self.context if field.name == name), name)


def task_rules(task: Task) -> TaskRules:
    """Return what pages need of the task's configuration."""
    document = task.configuration
    inputs = _fields(document.get("input"))
    labels = next((field.labels for field in inputs if field.is_choice), ())
    validation = document.get("validation") or {}
    return TaskRules(
        slug=task.slug,
        title=task.title or task.slug,
        context=_fields(document.get("context")),
        input=inputs,
        labels=labels,
        options=tuple(validation.get("options") or labels),
        ensemble=_ensemble(document.get("ensemble")),
        instructions=render_markdown(str(document.get("instructions") or "")),
        content_warning=str(document.get("content_warning") or ""),
    )


def _fields(documents: Iterable[Mapping[str, Any]] | None) -> tuple[Field, ...]:
    return tuple(
        Field(
            name=str(document.get("name", "")),
            type=str(document.get("type", "string")),
            label=str(document.get("label") or str(document.get("name", "")).capitalize()),
            max_length=int(document.get("max_length") or LONGEST_TEXT),
            labels=tuple(map(str, document.get("labels") or ())),
        )
        for document in documents or ()
    )


def _ensemble(rule: object) -> str:
    if isinstance(rule, Mapping):
        return f"at least {rule.get('at_least', 1)}"
    return str(rule or "any")
