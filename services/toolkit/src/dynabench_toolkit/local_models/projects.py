"""A model's project, a folder with dynabench.json and a checkpoint or an own handler; and packing of it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from dynabench_archives.digests import Content, content_digest, hex_digest
from dynabench_archives.packing import Packed, PackingRefused, find_files, write_archive
from dynabench_archives.scanning.contents import (
    CODE_SUFFIXES,
    CONFIGURATION,
    DATA,
    DESCRIPTION,
    MANIFEST,
    TEXTS,
    WEIGHTS,
)
from dynabench_archives.task_types import TASK_TYPES, shape_problem

from dynabench_toolkit.local_models.checkpoints import read_checkpoint

HANDLER = "handler.py"
PLATFORM_HANDLER = "dynabench_handler.py"
DEFAULT_NAME, DEFAULT_VERSION = "model", "1"
TEXT_KEYS = ("name", "version", "task_type")
TORCHSERVE_KEYS = ("serializedFile", "configFile", "modelFile", "requirementsFile")
OWN_DIGESTS = ("model_digest", "handler_digest")
INIT_REMEDY = "Begin with dynabench models init, or name it: --task-type, --field, --label."


class ProjectKind(StrEnum):
    """The kind of a project: data for the platform's handler, or a program."""

    CHECKPOINT = "declarative"
    PROGRAM = "code"


@dataclass(frozen=True)
class Described:
    """The description of a model without its files; None or empty if not given."""

    task_type: str | None = None
    fields: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    max_tokens: int | None = None


@dataclass(frozen=True)
class Package:
    """A packed archive: its kind, its digests, and the files that are not in it."""

    kind: ProjectKind
    packed: Packed
    task_type: str
    model_digest: str
    handler_digest: str
    left_out: tuple[str, ...] = ()


def package(folder: Path, archive: Path, described: Described) -> Package:
    """Pack a folder. Raises PackingRefused naming the file, why, and what to do about it."""
    if not folder.is_dir():
        raise PackingRefused(str(folder), "it is no folder", "Name the folder of the model.")
    files = find_files(folder)
    if not files:
        raise PackingRefused(str(folder), "it holds no file", "Begin with dynabench models init.")
    declared, manifest = _object(files, DESCRIPTION), _object(files, MANIFEST)
    for name in TEXT_KEYS:
        if not isinstance(declared.get(name, ""), str):
            raise PackingRefused(DESCRIPTION, f"{name} is no text", f'Write "{name}": "…".')
    handler = _handler(files, manifest)
    if handler is not None:
        return _package_program(
            archive, files, declared, described, {**_torchserve_keys(declared, manifest), "handler": handler}
        )
    if CONFIGURATION in files:
        return _package_checkpoint(archive, files, declared, described)
    raise PackingRefused(
        str(folder),
        f"it has neither {HANDLER} nor a checkpoint ({CONFIGURATION}, {WEIGHTS}, tokenizer.json)",
        "Put there what save_pretrained writes, or begin with dynabench models init, which writes a handler.",
    )


def _handler(files: Mapping[str, Path], manifest: Mapping[str, Any]) -> str | None:
    """Return the program of a folder: what the manifest of an unpacked archive names, else handler.py."""
    named = str(_model_of(manifest).get("handler") or "")
    path = named.partition(":")[0]
    found = next((each for each in (path, f"{path}.py") if each in files), None)
    if found is not None and found != PLATFORM_HANDLER:
        return named
    return HANDLER if HANDLER in files else None


def _torchserve_keys(declared: Mapping[str, Any], manifest: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the model entry of the folder's manifest, with the overrides of dynabench.json."""
    return {**_model_of(manifest), **{name: declared[name] for name in TORCHSERVE_KEYS if name in declared}}


def _model_of(manifest: Mapping[str, Any]) -> Mapping[str, Any]:
    model = manifest.get("model")
    return model if isinstance(model, Mapping) else {}


def _package_checkpoint(
    archive: Path, files: Mapping[str, Path], declared: Mapping[str, Any], described: Described
) -> Package:
    task_type = _task_type(declared, described)
    found = read_checkpoint(files, task_type, described.labels or _texts(declared, "labels"))
    entries: dict[str, Content] = {name: files[name] for name in found.files}
    if found.named is not None:
        entries[CONFIGURATION] = found.named
    digests = {name: hex_digest(content) for name, content in entries.items()}
    model_digest = content_digest({name: digest for name, digest in digests.items() if name in DATA})
    description = {
        **_description(declared, described, task_type, found.labels),
        "max_tokens": described.max_tokens or declared.get("max_tokens"),
        "model_digest": model_digest,
    }
    packed = _written(archive, entries, digests, description, {"handler": PLATFORM_HANDLER})
    left_out = tuple(name for name in files if name not in {*entries, DESCRIPTION, MANIFEST})
    return Package(ProjectKind.CHECKPOINT, packed, task_type, model_digest, "", left_out)


def _package_program(
    archive: Path,
    files: Mapping[str, Path],
    declared: Mapping[str, Any],
    described: Described,
    model: Mapping[str, Any],
) -> Package:
    task_type = _task_type(declared, described)
    own = {name: path for name, path in files.items() if name not in {DESCRIPTION, MANIFEST}}
    digests = {name: hex_digest(path) for name, path in own.items()}
    is_program = {name: name.lower().endswith(CODE_SUFFIXES) for name in own}
    handler_digest = content_digest({name: digests[name] for name in own if is_program[name]})
    model_digest = content_digest(
        {name: digests[name] for name in own if not is_program[name] and name not in TEXTS}
    )
    description = {
        **{name: value for name, value in declared.items() if name not in OWN_DIGESTS},
        **_description(declared, described, task_type, described.labels or _texts(declared, "labels")),
        "model_digest": model_digest,
        "handler_digest": handler_digest,
    }
    packed = _written(archive, own, digests, description, model)
    return Package(ProjectKind.PROGRAM, packed, task_type, model_digest, handler_digest)


def _description(
    declared: Mapping[str, Any], described: Described, task_type: str, labels: tuple[str, ...]
) -> dict[str, Any]:
    fields = described.fields or _texts(declared, "fields") or TASK_TYPES[task_type].fields
    problem = shape_problem(task_type, fields, labels)
    if problem is not None:
        raise PackingRefused(DESCRIPTION, problem, INIT_REMEDY)
    return {
        "name": str(declared.get("name") or DEFAULT_NAME),
        "version": str(declared.get("version") or DEFAULT_VERSION),
        "task_type": task_type,
        "fields": list(fields),
        "labels": list(labels),
    }


def _written(
    archive: Path,
    entries: Mapping[str, Content],
    digests: Mapping[str, str],
    description: Mapping[str, Any],
    model: Mapping[str, Any],
) -> Packed:
    """Write an archive; `model` has the manifest's entries except name and version, such as `serializedFile`."""
    manifest = {
        "archiverVersion": "0.12.0",
        "model": {
            **model,
            "modelName": description["name"],
            "modelVersion": description["version"],
        },
        "runtime": "python",
    }
    contents: dict[str, Content] = {
        **entries,
        DESCRIPTION: json_bytes(description),
        MANIFEST: json_bytes(manifest),
    }
    return write_archive(archive, contents, digests)


def json_bytes(content: Mapping[str, Any]) -> bytes:
    """Return a JSON object in the form of an archive: equal objects give equal bytes."""
    return (json.dumps(content, indent=2, sort_keys=True) + "\n").encode()


def _object(files: Mapping[str, Path], name: str) -> Mapping[str, Any]:
    """Return the content of a JSON file of the folder, empty without the file."""
    path = files.get(name)
    if path is None:
        return {}
    try:
        declared = json.loads(path.read_text("utf-8-sig"))
    except ValueError as err:
        raise PackingRefused(name, f"it is no JSON: {err}", "Correct it, or write it again.") from err
    if not isinstance(declared, dict):
        raise PackingRefused(name, "it is no JSON object", "Begin with dynabench models init.")
    return declared


def _task_type(declared: Mapping[str, Any], described: Described) -> str:
    task_type = described.task_type or declared.get("task_type")
    if not task_type:
        raise PackingRefused(DESCRIPTION, "task_type: nothing says what the model is for", INIT_REMEDY)
    if task_type not in TASK_TYPES:
        raise PackingRefused(
            DESCRIPTION, f"task_type: {task_type!r} is unknown", f"Use one of {', '.join(TASK_TYPES)}."
        )
    return str(task_type)


def _texts(declared: Mapping[str, Any], name: str) -> tuple[str, ...]:
    values = declared.get(name, [])
    if not isinstance(values, list) or not all(isinstance(value, str) and value for value in values):
        raise PackingRefused(DESCRIPTION, f"{name} is no list of texts", f'Write "{name}": ["…", "…"].')
    return tuple(values)
