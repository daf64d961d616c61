"""Every `dynabench` line that a document, a page, a chart note or a message shows is accepted by the command."""

import json
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from dynabench_cli.api import read_fields
from dynabench_cli.app import app
from dynabench_common.http.contracts import Asked
from dynabench_local.layout import checkout
from typer.main import get_command

from tests.published import contracts

ROOT = checkout()
KINDS = ("*.md", "*.html", "*.txt", "*.tpl", "*.yaml", "*.py")
HISTORY = "CHANGELOG.md"
OTHER_WORDS = ("command", "refresh token", "unsubscribe", "flower", "on")
"""Words that follow the name where it is not the command's."""
USAGE_ERROR: Any = typer.BadParameter.__base__
ROOT_COMMAND: Any = get_command(app)
IN_CODE = re.compile(r"```sh\n(.*?)```|`([^`\n]+)`|<code>(.*?)</code>", re.DOTALL)
LINE = re.compile(r"(?:^|[\s'\"]|\$ |bin/)dynabench ([a-z][^`#|;<>\n]*)", re.MULTILINE)
IN_TEXT = re.compile(r"\bdynabench ((?:[a-z]+(?:-[a-z]+)*)(?: [a-z]+(?:-[a-z]+)*)?)")
API_PATH = re.compile(r"/?(?:api/)?([a-z]+)(?:/v1)?(/[^?]+).*")
PLACEHOLDERS = re.compile(r"\{\{.*?\}\}|\{[^\"]*?\}")


def places() -> list[str]:
    """Return the files of the product that name the command."""
    listed = subprocess.run(
        ["git", "grep", "-lE", "dynabench [a-z]", "--", *KINDS, ":!*/tests/*", ":!tests/*", f":!{HISTORY}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return listed.stdout.split()


def lines(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the commands in a document's code, without the program's name, and whether each is to be run as it is."""
    for block, *inline in IN_CODE.findall(text):
        code = PLACEHOLDERS.sub("VALUE", (block or "".join(inline)).replace("\\\n", " "))
        yield from ((found.strip(), bool(block)) for found in LINE.findall(code))


def command_of(words: list[str]) -> Any:
    """Return the command that the first words name, and take those words away."""
    command = ROOT_COMMAND
    while hasattr(command, "commands") and words and not words[0].startswith("-"):
        assert words[0] in command.commands, f"there is no {words[0]!r}"
        command = command.commands[words.pop(0)]
    return command


def check(line: str, is_whole: bool) -> None:
    """Fail unless the line parses; a line with `is_whole` must have all required arguments and options."""
    words = shlex.split(line if line.startswith("api ") else re.sub(r"[\[\]…]", " ", line))
    command = command_of(words)
    if "--help" in words:
        return
    given, rest, _ = command.make_parser(command.context_class(command)).parse_args(words)
    assert rest == [] or hasattr(command, "commands"), f"{rest} is too much"
    if line.startswith("api "):
        asked = API_PATH.fullmatch(given["path"])
        operation = asked and contracts()[asked[1]].operation(
            given["method"], f"/api/{asked[1]}/v1{asked[2]}"
        )
        assert operation is not None or given["path"] == "PATH", "no service has this operation"
        if operation is not None and given["method"] != "GET" and is_whole:
            body = json.dumps(read_fields(given.get("fields") or [])).encode()
            assert not list(operation.breaches_of_request(Asked({}, body))), "the body is not as published"
    missing = [each.name for each in command.params if each.required and given.get(each.name) in (None, ())]
    assert not (is_whole and missing), f"{missing} is missing"


@pytest.mark.parametrize("place", places())
def test_commands_that_are_shown_exist(place: str) -> None:
    text = Path(ROOT, place).read_text(encoding="utf-8")
    for found in IN_TEXT.findall(text):
        if not found.startswith(OTHER_WORDS):
            command_of(found.split())
    for line, is_whole in lines(text):
        try:
            check(line, is_whole)
        except (AssertionError, USAGE_ERROR, ValueError) as err:
            pytest.fail(f"dynabench {line}: {err}")


@pytest.mark.parametrize(
    "line",
    [
        "audit",
        "rounds effort R",
        "rounds show",
        "rounds show R --more",
        "rounds show R S",
        "export -o",
        "api POST registry/starter-models -f task=irony",
    ],
)
def test_a_line_that_is_none_is_found(line: str) -> None:
    with pytest.raises((AssertionError, USAGE_ERROR)):
        check(line, is_whole=True)
