"""`dynabench tasks import-dynatask`: writes the files, overwrites none, and names what it leaves out."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from typer.testing import Result

from services.cli.tests.cli_answers import DYNATASK, TASK
from services.client.tests.stub_platform import StubPlatform

Run = Callable[..., Result]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    file = tmp_path / "My NLI.yaml"
    file.write_text(DYNATASK + "leftover: 1\n")
    return file


def test_an_import_writes_both_files_and_creates_the_task(run: Run, stub: StubPlatform, source: Path) -> None:
    stub.tell("POST", "/annotation/v1/tasks", TASK)
    contexts, folder = source.with_name("c.jsonl"), source.with_name("out")
    contexts.write_text('{"premise": "Straße\u2028🦉", "tag": "t"}\n')
    result = run(
        *["tasks", "import-dynatask", str(source), "--contexts", str(contexts), "--output", str(folder)],
        *["--create", "--json"],
    )
    assert result.exit_code == 0, result.stderr
    made = json.loads(result.stdout)
    assert (made["slug"], made["contexts"], made["created"]) == ("my-nli", 1, True)
    assert "leftover" in {warning["key"] for warning in made["warnings"]}
    written = (folder / "my-nli.yaml").read_text(encoding="utf-8")
    assert stub.seen("POST", "/annotation/v1/tasks")[0].body == {"configuration": written}
    line = (folder / "my-nli-contexts.jsonl").read_text(encoding="utf-8")
    assert json.loads(line) == {"fields": {"premise": "Straße\u2028🦉"}, "tags": ["t"]}


def test_an_import_overwrites_nothing_and_warns_on_standard_error(
    run: Run, stub: StubPlatform, source: Path
) -> None:
    arguments = ["tasks", "import-dynatask", str(source), "--slug", "nli", "--output", str(source.parent)]
    first = run(*arguments)
    assert first.exit_code == 0
    assert "warning: leftover: has no counterpart here and was left out" in first.stderr
    second = run(*arguments)
    assert (second.exit_code, second.stdout) == (1, "")
    assert "nli.yaml exists." in second.stderr
    assert stub.requests == []


def test_contexts_at_fault_are_named_and_nothing_is_written(run: Run, source: Path) -> None:
    contexts, folder = source.with_name("c.jsonl"), source.with_name("out")
    contexts.write_text('{"premise": "a"}\n{"other": "b"}\n')
    result = run(
        "tasks", "import-dynatask", str(source), "--contexts", str(contexts), "--output", str(folder)
    )
    assert result.exit_code == 1
    assert result.stderr.splitlines()[0] == f"{contexts}:2: lacks premise. Give every context field."
    assert not folder.exists()


def test_images_by_address_are_not_brought_over(run: Run, tmp_path: Path) -> None:
    source, contexts = tmp_path / "vqa.yaml", tmp_path / "c.jsonl"
    converted = {**yaml.safe_load(DYNATASK), "context": [{"name": "photo", "type": "image"}]}
    source.write_text(yaml.safe_dump(converted))
    contexts.write_text('{"photo": "http://example.org/a.png"}\n')
    arguments = ["tasks", "import-dynatask", str(source), "--output", str(tmp_path)]
    refused = run(*arguments, "--contexts", str(contexts))
    assert refused.exit_code == 1
    assert "images by address" in refused.stderr
    assert run(*arguments, "--slug", "photos").exit_code == 0
