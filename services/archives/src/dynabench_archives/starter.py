"""Starter models: labels with a few examples. The platform's build makes a weak model of them over its own encoder."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from dynabench_archives.packing import Packed, write_archive
from dynabench_archives.scanning.contents import DESCRIPTION, MANIFEST, STARTER

PLATFORM_HANDLER = "dynabench_handler.py"
ONE_TEXT, PAIR, SEVERAL = "text-classification", "text-pair-classification", "multilabel-classification"
MOST_FIELDS = 2


@dataclass(frozen=True)
class StarterExample:
    """The texts of an instance in the order of the model's fields, with the labels that people give it."""

    texts: tuple[str, ...]
    labels: tuple[str, ...]


@dataclass(frozen=True)
class Starter:
    """A starter model. Without examples it knows only the names of its labels (zero-shot)."""

    task_type: str
    fields: tuple[str, ...]
    labels: tuple[str, ...]
    examples: tuple[StarterExample, ...]


def fitting_type(task_types: Sequence[str], fields: Sequence[str]) -> str:
    """Return the task type of a starter model among those that a task takes; empty if there is none."""
    if PAIR in task_types and len(fields) == MOST_FIELDS:
        return PAIR
    return next((name for name in (ONE_TEXT, SEVERAL) if name in task_types), "")


def starter_problem(starter: Starter) -> str | None:
    """Return why no starter model can be made of this, None if it can."""
    if not starter.task_type or len(starter.labels) < 2:
        return "the task has no labels to choose from"
    if len(starter.fields) > MOST_FIELDS:
        return f"a starter model reads at most {MOST_FIELDS} texts, and the task sends {len(starter.fields)}"
    found = (_example_problem(starter, each) for each in starter.examples)
    problem = next((f"example {place} {each}" for place, each in enumerate(found, start=1) if each), None)
    missing = set(starter.labels) - {label for each in starter.examples for label in each.labels}
    if problem is None and len(starter.fields) > 1 and missing:
        return f"a model of two texts needs an example of each label; missing: {', '.join(sorted(missing))}"
    return problem


def _example_problem(starter: Starter, example: StarterExample) -> str | None:
    if len(example.texts) != len(starter.fields) or not all(text.strip() for text in example.texts):
        return f"must have this number of texts: {len(starter.fields)}"
    if not example.labels or not set(example.labels) <= set(starter.labels):
        return "needs a label of the task"
    return "needs exactly one label" if starter.task_type != SEVERAL and len(example.labels) > 1 else None


def write_starter(path: Path, name: str, starter: Starter) -> Packed:
    """Write the archive of a starter model. Raises PackingRefused."""
    shape = {
        "name": name,
        "version": "1",
        "task_type": starter.task_type,
        "fields": list(starter.fields),
        "labels": list(starter.labels),
    }
    manifest = {
        "archiverVersion": "0.12.0",
        "model": {"handler": PLATFORM_HANDLER, "modelName": name, "modelVersion": "1"},
        "runtime": "python",
    }
    content = {"labels": list(starter.labels), "examples": [asdict(each) for each in starter.examples]}
    entries = {STARTER: _json(content), DESCRIPTION: _json(shape), MANIFEST: _json(manifest)}
    return write_archive(path, entries, {})


def _json(content: Mapping[str, Any]) -> bytes:
    return (json.dumps(content, indent=2, sort_keys=True, ensure_ascii=False) + "\n").encode()
