"""Every command that a document shows is one that `dynabench` has, with these options."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from dynabench_client.cli.app import app
from dynabench_local.layout import checkout
from typer.main import get_command

ROOT = checkout()
DOCUMENTS = sorted(
    path
    for pattern in ("*.md", "docs/*.md", "examples/*.md", "services/*/README.md")
    for path in ROOT.glob(pattern)
)
COMMAND = re.compile(r"(?:^|`|\s)(?:\.venv/bin/)?dynabench ((?:[a-z-]+ ?)+[^`#|;\n]*)", re.MULTILINE)
CODE = re.compile(r"```sh\n(.*?)```|`([^`\n]+)`", re.DOTALL)


def shown(document: Path) -> Iterator[str]:
    """Yield the commands in a document's code, without the program's name."""
    for block, inline in CODE.findall(document.read_text(encoding="utf-8")):
        for found in COMMAND.finditer(block or inline):
            yield found.group(1).strip()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_in_documents_exist(document: Path) -> None:
    for line in shown(document):
        command: Any = get_command(app)
        words = shlex.split(line.replace("…", " "))
        while hasattr(command, "commands") and words and not words[0].startswith("-"):
            assert words[0] in command.commands, f"{line!r}: there is no {words[0]!r}"
            command = command.commands[words.pop(0)]
        known = {option for each in command.params for option in (*each.opts, *each.secondary_opts)}
        unknown = {word.partition("=")[0] for word in words if word.startswith("--")} - known
        assert unknown <= {"--help"}, f"{line!r}: there is no {unknown}"
