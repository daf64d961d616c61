"""A new project: a small model that keeps the contract, for the submitter to replace."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dynabench_archives.packing import PackingRefused
from dynabench_archives.scanning.contents import DESCRIPTION

from dynabench_toolkit.local_models.projects import HANDLER, json_bytes

PROJECT_FILES = Path(__file__).with_name("project_files")
MODEL = "model.py"
WEIGHTS_OF_TOY = "model.json"
DYNALAB_HANDLER = "dynalab_handler.py"
MODELS: Mapping[str, str] = {
    "text-classification": "one_label.py",
    "text-pair-classification": "one_label.py",
    "multilabel-classification": "several_labels.py",
    "extractive-qa": "span.py",
}
DYNALAB_REQUESTS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "text-classification": (("statement", "context", "hypothesis"),),
    "multilabel-classification": (("statement", "context", "hypothesis"),),
    "text-pair-classification": (("context",), ("hypothesis",)),
    "extractive-qa": (("context",), ("question",)),
}
DYNALAB_LABELS: Mapping[str, tuple[str, ...]] = {
    "entailment": ("entailed", "e"),
    "entailed": ("e",),
    "neutral": ("n",),
    "contradiction": ("contradictory", "c"),
    "contradictory": ("c",),
    "hateful": ("hate",),
    "not hateful": ("nothate", "nohate", "not-hateful"),
    "not-hateful": ("nothate", "nohate"),
}


@dataclass(frozen=True)
class Shape:
    """Input and output of the model, and its task, if it has one."""

    name: str
    task: str | None
    task_type: str
    fields: tuple[str, ...]
    labels: tuple[str, ...]


def write_project(folder: Path, shape: Shape, dynalab_handler: Path | None = None) -> tuple[Path, ...]:
    """Write a project into a folder that is empty or not there; return its files, sorted.

    With `dynalab_handler` that file is the model, behind an adapter. Raises PackingRefused.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise PackingRefused(str(folder), "it is not empty", "Name a new folder.")
    model = "dynalab_model.py" if dynalab_handler else MODELS[shape.task_type]
    contents = {
        DESCRIPTION: json_bytes(_description(shape, is_dynalab=dynalab_handler is not None)),
        HANDLER: (PROJECT_FILES / HANDLER).read_bytes(),
        MODEL: (PROJECT_FILES / model).read_bytes(),
        "README.md": _readme(folder, shape, is_dynalab=dynalab_handler is not None).encode(),
    }
    if dynalab_handler is None:
        contents[WEIGHTS_OF_TOY] = json_bytes({"sharpness": 1.0})
    else:
        contents[DYNALAB_HANDLER] = dynalab_handler.read_bytes()
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return tuple(folder / name for name in sorted(contents))


def _description(shape: Shape, *, is_dynalab: bool) -> dict[str, Any]:
    description: dict[str, Any] = {
        "name": shape.name,
        "version": "1",
        "task_type": shape.task_type,
        "fields": list(shape.fields),
        "labels": list(shape.labels),
    }
    if shape.task is not None:
        description["task"] = shape.task
    if is_dynalab:
        names = {theirs: ours for ours in shape.labels for theirs in DYNALAB_LABELS.get(ours.lower(), ())}
        request = {
            theirs: field
            for field, several in zip(shape.fields, DYNALAB_REQUESTS[shape.task_type], strict=False)
            for theirs in several
        }
        description["dynalab"] = {"request": request, "labels": names, "checkpoint": ""}
    return description


def _readme(folder: Path, shape: Shape, *, is_dynalab: bool) -> str:
    archive = f"{shape.name}.mar"
    task = f" --task {shape.task}" if shape.task else " --task TASK"
    own = DYNALAB if is_dynalab else TOY
    return README.format(
        name=shape.name,
        task_type=shape.task_type,
        fields=", ".join(shape.fields),
        labels=", ".join(shape.labels) or "a slice of the passage",
        own=own,
        folder=folder.name,
        archive=archive,
        task=task,
    )


TOY = """- `model.py`: a toy that keeps the contract. Put your model in its place, and its weights next to it.
- `model.json`: the toy's one number.
"""
DYNALAB = """- `dynalab_handler.py`: your handler for dynalab, unchanged. Put the files that it loads next to it.
- `model.py`: the adapter that asks it. `dynalab` in `dynabench.json` maps its fields and labels, and
  names its checkpoint.
"""
README = """# {name}

A model for {task_type}: reads {fields}, answers {labels}.

{own}- `handler.py`: what TorchServe runs. It keeps the contract, and can stay as it is.
- `dynabench.json`: the description of the archive.

All other files of this folder go into the archive, too, except hidden ones.

From the folder above:

    dynabench models package {folder} -o {archive}
    dynabench models check {archive}
    dynabench models submit {archive}{task}

An archive with code waits for the approval of an owner of the task. Then it runs in a sandbox without a network.
A model that transformers knows needs no code. Replace `handler.py` and `model.py` with what `save_pretrained` writes
(`config.json`, `model.safetensors`, `tokenizer.json`, `tokenizer_config.json`). Keep `dynabench.json`. Such an archive
needs no approval.
"""
