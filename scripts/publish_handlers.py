"""Add the handlers of model-archives, as they are now, to the list of those that the registry knows as the platform's.

An archive whose only code are files of this list is run by the platform's own handler. Lines are only ever added, so
that archives packaged by an earlier version stay declarative.
"""

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LIST = ROOT / "services/archives/src/dynabench_archives/scanning/published_handlers.txt"


def current_handlers() -> Iterator[tuple[str, str]]:
    """Yield digest and path of each file of each task type's handler."""
    sys.path.insert(0, str(ROOT / "model-archives" / "src"))
    from model_archives.packaging import handler_entries
    from model_archives.task_types import TASK_TYPES

    for name in TASK_TYPES:
        for path, content in handler_entries(name).items():
            data = content if isinstance(content, bytes) else content.read_bytes()
            yield hashlib.sha256(data).hexdigest(), path


def missing() -> list[str]:
    """Return the lines that the list lacks."""
    known = set(LIST.read_text(encoding="utf-8").splitlines())
    return sorted(
        {f"{digest} {path}" for digest, path in current_handlers()} - known, key=lambda line: line[65:]
    )


def main() -> None:
    """Append what is missing."""
    lines = missing()
    with LIST.open("a", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines)
    print(f"{len(lines)} files added")


if __name__ == "__main__":
    main()
