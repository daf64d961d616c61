"""Projects of models: made, packed, and asked in a process of their own as a TorchServe worker asks them."""

import json
import subprocess
import sys
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dynabench_archives.serving_contract import ModelShape
from dynabench_toolkit.local_models.new_project import Shape, write_project
from dynabench_toolkit.local_models.projects import Described, package

from tests import hostile_archives as hostile

LABELS = ("negative", "neutral", "positive")
SHAPES: Mapping[str, ModelShape] = {
    "text-classification": ModelShape("text-classification", ("text",), LABELS),
    "text-pair-classification": ModelShape(
        "text-pair-classification",
        ("premise", "hypothesis"),
        ("entailment", "neutral", "contradiction"),
    ),
    "multilabel-classification": ModelShape(
        "multilabel-classification", ("title", "text"), ("economy", "sport")
    ),
    "extractive-qa": ModelShape("extractive-qa", ("passage", "question"), ()),
}
# What TorchServe's worker does with an unpacked archive: a class or a function as the entry, one row for each request.
WORKER = """
import json, sys, types
folder, requests = sys.argv[1], json.load(sys.stdin)
sys.path.insert(0, folder)
import handler
service = handler.Handler()
service.initialize(types.SimpleNamespace(system_properties={"model_dir": folder}))
answers = []
for body in requests:
    status = [200]
    context = types.SimpleNamespace(
        set_response_status=lambda code, phrase, place: status.__setitem__(0, code),
        set_response_content_type=lambda place, kind: None,
    )
    (answer,) = service.handle([{"body": body}], context)
    answers.append([status[0], json.loads(answer)])
print("\\n" + json.dumps(answers))
"""


def new_project(folder: Path, shape: ModelShape, dynalab_handler: Path | None = None) -> Path:
    write_project(
        folder, Shape("mine", "a-task", shape.task_type, shape.fields, shape.labels), dynalab_handler
    )
    return folder


def packed_project(folder: Path, archive: Path) -> Path:
    return package(folder, archive, Described()).packed.path


def program(folder: Path, source: str) -> Path:
    """Return an archive whose handler is this source."""
    archive = folder / "mine.mar"
    archive.write_bytes(hostile.packed(hostile.with_code(source)))
    return archive


def ask_worker(archive: Path, folder: Path, requests: Sequence[Any]) -> list[tuple[int, Any]]:
    """Return status and body of the answers to requests."""
    with zipfile.ZipFile(archive) as opened:
        opened.extractall(folder)
    asked = subprocess.run(
        [sys.executable, "-I", "-c", WORKER, str(folder)],
        input=json.dumps(requests),
        capture_output=True,
        text=True,
        check=False,
    )
    assert asked.returncode == 0, asked.stderr
    return [(status, body) for status, body in json.loads(asked.stdout.splitlines()[-1])]
