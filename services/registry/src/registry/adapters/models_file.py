"""`models.yaml`, read as it changes."""

from pathlib import Path

import yaml
from dynabench_common.telemetry.logging import get_logger

from registry.domain.declarations import Declared, read_declarations
from registry.domain.entry import DeclarationError

log = get_logger(__name__)
Stamp = tuple[int, int, int]


class ModelsFile:
    """Keeps the last good file: a slip while editing must not take models away."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stamp: Stamp | None = None
        self._models: tuple[Declared, ...] | None = None
        self._problem: str | None = "the models file has not been read yet"

    def models(self) -> tuple[Declared, ...] | None:
        """Return the last good declarations, after a look at whether the file has changed; None: never a good one."""
        try:
            status = self._path.stat()
            stamp = (status.st_mtime_ns, status.st_size, status.st_ino)
            if stamp != self._stamp:
                self._stamp = stamp
                self._models = read_declarations(yaml.safe_load(self._path.read_text(encoding="utf-8")))
                self._problem = None
                log.info("models_file_read", models=[model.name for model in self._models])
        except (OSError, UnicodeDecodeError, yaml.YAMLError, DeclarationError) as err:
            problem = f"{self._path.name} can't be used, the last good one stays in force: {err}"
            if isinstance(err, OSError):
                self._stamp = None
            if problem != self._problem:
                log.error("models_file_unusable", reason=str(err))
            self._problem = problem
        return self._models

    def problem(self) -> str | None:
        """Return why the file as it is now can't be used, if it can't."""
        return self._problem
