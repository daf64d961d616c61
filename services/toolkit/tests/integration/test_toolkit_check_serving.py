"""`dynabench models check` on a real TorchServe: new projects, a checkpoint, handlers that misbehave."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from dynabench_archives.serving_contract import ModelShape
from dynabench_toolkit.local_models.checking import CaseFlaw, find_answer_flaws
from dynabench_toolkit.local_models.local_torchserve import LocalTorchServe, ServingFailed
from dynabench_toolkit.local_models.serving_environment import find_serving

from services.toolkit.tests.packed_projects import LABELS, SHAPES, new_project, packed_project, program
from tests.hostile_handlers import handler, handlers

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[4]
PYTHON = ROOT / ".venv-serving" / "bin" / "python"
SHAPE = ModelShape("text-classification", ("text",), LABELS)
PATIENCE_SECONDS = 120
ANSWER_SECONDS, SOON_SECONDS = 30, 2
DYNALAB = """
from dynalab.handler.base_handler import BaseDynaHandler

class Handler(BaseDynaHandler):
    def initialize(self, context):
        self.initialized = True

_service = Handler()

def handle(data, context):
    if not _service.initialized:
        _service.initialize(context)
    if data is None:
        return None
    example = _service._read_data(data)
    return [{"id": example["uid"], "label": "c", "prob": {"e": 0.25, "n": 0.25, "c": 0.5}, "signed": ""}]
"""


@pytest.fixture(scope="module")
def server() -> Iterator[LocalTorchServe]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MY_TOKEN", "dbt_secret")
        with LocalTorchServe(find_serving(PYTHON), PATIENCE_SECONDS) as running:
            yield running


def flaws(
    server: LocalTorchServe, archive: Path, shape: ModelShape = SHAPE, seconds: float = ANSWER_SECONDS
) -> tuple[CaseFlaw, ...]:
    try:
        server.serve(archive, seconds)
        return find_answer_flaws(server, shape, seconds)[0]
    finally:
        server.withdraw()


@pytest.mark.parametrize("task_type", SHAPES)
def test_a_new_project_keeps_the_contract(server: LocalTorchServe, tmp_path: Path, task_type: str) -> None:
    shape = SHAPES[task_type]
    archive = packed_project(new_project(tmp_path / "mine", shape), tmp_path / "mine.mar")
    assert flaws(server, archive, shape) == ()


def test_a_handler_of_dynalab_keeps_the_contract(server: LocalTorchServe, tmp_path: Path) -> None:
    old, shape = tmp_path / "old.py", SHAPES["text-pair-classification"]
    old.write_text(DYNALAB)
    archive = packed_project(new_project(tmp_path / "mine", shape, old), tmp_path / "mine.mar")
    assert flaws(server, archive, shape) == ()


@pytest.mark.parametrize(
    ("name", "where", "reason"),
    [
        ("crashes on the third request", "status", "the worker ended instead of answering"),
        ("sleeps", "status", f"no answer came within {SOON_SECONDS} s"),
        ("answers wrong shapes", "predictions[0]", "it is no JSON object"),
        ("answers NaN", "predictions[0].probabilities.negative", "nan is no number from 0 to 1"),
        (
            "answers labels of another task",
            "predictions[0].label",
            "'entailment' is none of the model's labels",
        ),
        ("answers 100 MB", "status", "the answer is longer than 1,000,000 bytes"),
        (
            "keeps state between requests",
            "predictions[0].label",
            "the same instance is answered",
        ),
    ],
)
def test_each_way_to_misbehave_is_named(
    server: LocalTorchServe, tmp_path: Path, name: str, where: str, reason: str
) -> None:
    seconds = SOON_SECONDS if name == "sleeps" else ANSWER_SECONDS
    found = flaws(server, program(tmp_path, handlers()[name]), seconds=seconds)
    assert any(flaw.where == where and reason in flaw.reason for flaw in found), found
    assert all(flaw.remedy for flaw in found)


@pytest.mark.parametrize("name", ["crashes on import", "crashes at its start"])
def test_what_a_model_prints_as_it_fails_to_load_is_told(
    server: LocalTorchServe, tmp_path: Path, name: str
) -> None:
    with pytest.raises(ServingFailed, match="its worker ended while it loaded the model") as failed:
        server.serve(program(tmp_path, handlers()[name]), ANSWER_SECONDS)
    server.withdraw()
    assert failed.value.log[-1] == f"RuntimeError: {name}"


def test_the_traceback_of_an_answer_is_told(server: LocalTorchServe, tmp_path: Path) -> None:
    """Also where the handler goes on, and answers an error in the instance's place."""
    folder = new_project(tmp_path / "mine", SHAPE)
    (folder / "model.py").write_text(
        "class Model:\n    def __init__(self, *_): pass\n    def predict(self, instance): return {}['lost']\n"
    )
    server.serve(packed_project(folder, tmp_path / "mine.mar"), ANSWER_SECONDS)
    found, log = find_answer_flaws(server, SHAPE, ANSWER_SECONDS)
    server.withdraw()
    assert found
    assert "KeyError: 'lost'" in log
    assert any("model.py" in line for line in log)


def test_a_model_is_told_none_of_ones_own_settings(server: LocalTorchServe, tmp_path: Path) -> None:
    server.serve(program(tmp_path, handler(at_call="import os\nraise RuntimeError(sorted(os.environ))")), 10)
    answer = server.ask({"instances": [{"text": "x"}]}, ANSWER_SECONDS)
    printed = server.printed_for(answer)
    server.withdraw()
    assert answer.status == 503
    assert "PATH" in printed[-1]
    assert "MY_TOKEN" not in printed[-1]
