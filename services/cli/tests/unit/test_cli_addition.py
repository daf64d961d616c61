"""The verb of docs/extend/command.md: one module, and one line in `dynabench_cli.app`."""

import json
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from dynabench_cli.app import app
from typer.testing import Result

from services.client.tests.stub_platform import StubPlatform

ADDITIONS = Path(__file__).parents[1] / "additions"
NOTICE: dict[str, Any] = {
    "notice_id": "n1",
    "position": 4,
    "kind": "resolved",
    "counts": {"correct": 2, "disputed": 1},
    "round_id": "r1",
    "round_number": 3,
    "task_slug": "sentiment",
    "task_title": "Sentiment",
    "happened_at": "2026-11-04T09:30:00Z",
    "read_at": None,
    "submission_id": None,
    "model": None,
}


@pytest.fixture
def added() -> Iterator[None]:
    """Add the verb to the command, and take it out again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ADDITIONS))
        app.add_typer(import_module("notices").app)
        yield
        app.registered_groups.pop()
        sys.modules.pop("notices")


def test_the_verb_prints_lines_and_json(added: None, run: Callable[..., Result], stub: StubPlatform) -> None:
    stub.tell("GET", "/accounts/v1/me/notices", {"items": [NOTICE], "next_cursor": None, "unread": 1})
    printed = run("notices")
    assert (printed.exit_code, printed.stderr) == (0, "")
    assert printed.stdout.split("\t")[:4] == ["resolved", "sentiment", "3", "correct 2, disputed 1"]
    assert json.loads(run("notices", "--json").stdout)["items"][0]["counts"] == NOTICE["counts"]
