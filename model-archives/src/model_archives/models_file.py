"""`models.yaml`: the targets that this platform serves, read here and by the registry."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from model_archives.errors import BuildError
from model_archives.task_types import task_type_named


@dataclass(frozen=True)
class ModelEntry:
    """The part of an entry that building needs; the serving settings are the registrar's."""

    name: str
    version: str
    archive: str
    task_type: str
    fields: tuple[str, ...]
    labels: tuple[str, ...]


def read_models_file(path: Path) -> list[ModelEntry]:
    """Read the file. Raises BuildError naming the entry at fault."""
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError) as error:
        raise BuildError(f"{path} cannot be read: {error}") from error
    if not isinstance(content, dict) or not isinstance(content.get("models"), list):
        raise BuildError(f'{path} must hold a list under "models"')
    return [_entry(path, index, fields) for index, fields in enumerate(content["models"])]


def _entry(path: Path, index: int, fields: Any) -> ModelEntry:
    try:
        task_type = task_type_named(str(fields["task_type"]))
        return ModelEntry(
            name=str(fields["name"]),
            version=str(fields["version"]),
            archive=str(fields["archive"]),
            task_type=task_type.name,
            fields=task_type.with_fields(tuple(map(str, fields.get("fields", ())))),
            labels=tuple(map(str, fields["labels"])),
        )
    except (KeyError, TypeError) as error:
        raise BuildError(f"{path}: entry {index} of models lacks or misspells {error}") from error
