"""Archives as TorchServe reads them: unpacked, and their handler loaded. Standard library only."""

import importlib.util
import json
import sys
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

MANIFEST = "MAR-INF/MANIFEST.json"
HANDLER = "dynabench_handler.py"
PACKAGE = "dynabench_handlers"
DESCRIPTION = "dynabench.json"
OK = 200


class UnfitArchive(Exception):
    """The archive can't be served here."""


@dataclass
class Context:
    """The used part of TorchServe's context; `statuses` are those that the handler set, by the request's position."""

    model_name: str
    system_properties: dict[str, Any]
    statuses: dict[int, int] = field(default_factory=dict)

    def set_response_status(self, code: int, phrase: str, idx: int) -> None:  # noqa: ARG002 (TorchServe's interface)
        """Store the HTTP status of a request."""
        self.statuses[idx] = code

    def set_response_content_type(self, idx: int, value: str) -> None:
        """Ignore the content type, which is always JSON."""


@dataclass(frozen=True)
class LoadedModel:
    """A model whose handler is ready, under the name that decides whether it predicts or explains."""

    name: str
    description: Mapping[str, Any]
    handler: Any
    folder: Path

    def handle(self, body: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
        """Return the status and the decoded answer to one request."""
        context = Context(self.name, {"model_dir": str(self.folder)})
        [answer] = self.handler.handle([{"body": body}], context)
        return context.statuses.get(0, OK), json.loads(answer)


def unpack(archive: Path, folder: Path) -> Path:
    """Unpack an archive of data. Raises UnfitArchive for one with a handler of its own."""
    try:
        with zipfile.ZipFile(archive) as entries:
            handler = json.loads(entries.read(MANIFEST))["model"]["handler"]
            if handler != HANDLER or DESCRIPTION not in entries.namelist():
                raise UnfitArchive(
                    f"{archive.name} has a handler of its own ({handler}); only data is served here"
                )
            entries.extractall(folder)
    except (OSError, KeyError, TypeError, ValueError, zipfile.BadZipFile) as err:
        raise UnfitArchive(f"{archive.name} can't be read: {err}") from err
    return folder


def load(name: str, folder: Path) -> LoadedModel:
    """Load an unpacked archive under a name; one that ends in -explain explains.

    All archives of a process share the package of handlers, so it has to be the same in each. Raises UnfitArchive.
    """
    _ensure_one_package(folder)
    specification = importlib.util.spec_from_file_location(f"handler_of_{name}", folder / HANDLER)
    if specification is None or specification.loader is None:
        raise UnfitArchive(f"{name} has no handler")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    handler = module.Handler()
    handler.initialize(Context(name, {"model_dir": str(folder)}))
    return LoadedModel(name, json.loads((folder / DESCRIPTION).read_text(encoding="utf-8")), handler, folder)


def _ensure_one_package(folder: Path) -> None:
    package = sys.modules.get(PACKAGE)
    if package is None:
        sys.path.insert(0, str(folder))
        return
    first = Path(next(iter(package.__path__)))
    if _digest(first) != _digest(folder / PACKAGE):
        raise UnfitArchive(
            f"{folder.name} was built with other handlers than {first.parent.name}; serve it in another process"
        )


def _digest(package: Path) -> Sequence[tuple[str, str]]:
    return [(path.name, sha256(path.read_bytes()).hexdigest()) for path in sorted(package.glob("*.py"))]
