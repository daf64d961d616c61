"""`models.yaml`, and beside each archive in the store its note `<archive>.json`, read as they change."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml
from dynabench_common.logging import get_logger

from registry.domain.declarations import Declared, read_declarations
from registry.domain.entry import DeclarationError
from registry.domain.serving import Archive

log = get_logger(__name__)
Stamp = tuple[int, int, int]


class DeclarationsOnDisk:
    """Keeps the last good file: a slip while editing must not take models away."""

    def __init__(self, models_file: Path, store: Path) -> None:
        self._models_file = models_file
        self._store = store
        self._stamp: Stamp | None = None
        self._models: tuple[Declared, ...] = ()
        self._problem: str | None = "the models file has not been read yet"

    def models(self) -> tuple[Declared, ...]:
        """Return the last good declarations, after a look at whether the file has changed."""
        try:
            status = self._models_file.stat()
            stamp = (status.st_mtime_ns, status.st_size, status.st_ino)
            if stamp != self._stamp:
                self._stamp = stamp
                self._models = read_declarations(
                    yaml.safe_load(self._models_file.read_text(encoding="utf-8"))
                )
                self._problem = None
                log.info("models_file_read", models=[model.name for model in self._models])
        except (OSError, UnicodeDecodeError, yaml.YAMLError, DeclarationError) as err:
            problem = f"{self._models_file.name} can't be used, the last good one stays in force: {err}"
            if isinstance(err, OSError):
                self._stamp = None
            if problem != self._problem:
                log.error("models_file_unusable", reason=str(err))
            self._problem = problem
        return self._models

    def problem(self) -> str | None:
        """Return why the file as it is now can't be used, if it can't."""
        return self._problem

    def archive(self, declared: Declared) -> Archive | str:
        """Return the model's archive, or the reason why it can't be used."""
        path = self._store / declared.archive
        try:
            note = json.loads(path.with_name(f"{path.name}.json").read_text(encoding="utf-8"))
            size = path.stat().st_size
            archive = Archive(
                file=declared.archive,
                sha256=str(note["sha256"]),
                model_digest=str(note["model_digest"]),
                handler_digest=str(note["handler_digest"]),
            )
            different = _differences(note, size, declared)
        except FileNotFoundError as err:
            return f"{Path(err.filename).name} is not in the model store; build the archives"
        except (OSError, ValueError, KeyError, TypeError) as err:
            reason = f"{type(err).__name__}: {err}"
            return f"the note of {declared.archive} can't be used: {reason}; build the archives"
        if different:
            return (
                f"{declared.archive}, its note and models.yaml disagree about {different}; build the archives"
            )
        return archive


def _differences(note: Mapping[str, Any], size: int, declared: Declared) -> str:
    pairs = {
        "the size": (note["size"], size),
        "the task type": (note["task_type"], declared.task_type),
        "the fields": (tuple(note["fields"]), declared.fields),
        "the labels": (tuple(note["labels"]), declared.labels),
    }
    return " and ".join(name for name, (noted, found) in pairs.items() if noted != found)
