"""`dynabench models check` on a real TorchServe: a checkpoint passes, and a stopped check leaves nothing."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from typer.testing import Result

from services.cli.tests.cli_terminal import COMMAND
from services.toolkit.tests.packed_projects import program
from tests.hostile_handlers import handler

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[4]
PYTHON = ROOT / ".venv-serving" / "bin" / "python"
NO_PROFILE = Path("nowhere.json")
PATIENCE_SECONDS = 120
CHECKPOINT = """
import sys
import torch
from model_archives.base_encoders import MINILM, base_encoder_folder
from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification

torch.manual_seed(0)
tokenizer = AutoTokenizer.from_pretrained(base_encoder_folder(MINILM))
labels = dict(enumerate(["negative", "neutral", "positive"]))
sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
config = BertConfig(vocab_size=len(tokenizer), id2label=labels, max_position_embeddings=64, **sizes)
BertForSequenceClassification(config).save_pretrained(sys.argv[1])
tokenizer.save_pretrained(sys.argv[1])
"""


def test_a_checkpoint_is_built_served_and_asked(run: Callable[..., Result], tmp_path: Path) -> None:
    sources = str(ROOT / "model-archives" / "src")
    environment = {**os.environ, "PYTHONPATH": sources, "HF_HUB_OFFLINE": "1"}
    folder, archive = tmp_path / "checkpoint", tmp_path / "mine.mar"
    subprocess.run(
        [str(PYTHON), "-c", CHECKPOINT, str(folder)], env=environment, check=True, capture_output=True
    )
    arguments = ("models", "package", str(folder), "-o", str(archive), "--task-type", "text-classification")
    assert run(*arguments, profile=NO_PROFILE).exit_code == 0
    checking = ("models", "check", str(archive), "--serving-python", str(PYTHON), "--json")
    result = run(*checking, profile=NO_PROFILE)
    assert result.exit_code == 0, result.stdout
    assert json.loads(result.stdout)["passed"] is True


def test_a_stopped_check_leaves_nothing_behind(tmp_path: Path) -> None:
    for number in (signal.SIGINT, signal.SIGKILL):
        archive = program(tmp_path, handler(at_start="import time\ntime.sleep(3600)"))
        command = [sys.executable, "-c", COMMAND, "models", "check", str(archive)]
        checking = subprocess.Popen(
            [*command, "--serving-python", str(PYTHON)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "TMPDIR": str(tmp_path)},
            text=True,
            start_new_session=True,
        )
        assert checking.stdout is not None
        started = psutil.Process(checking.pid)
        while not any("model_service_worker" in word for word in words_of(started)):
            assert checking.poll() is None
        below = started.children(recursive=True)
        checking.send_signal(number)
        checking.communicate(timeout=PATIENCE_SECONDS)
        assert psutil.wait_procs(below, timeout=PATIENCE_SECONDS)[1] == []
        assert number is signal.SIGKILL or not list(tmp_path.glob("dynabench-check-*"))


def words_of(process: psutil.Process) -> list[str]:
    """Return the command lines of all that a process started."""
    found: list[str] = []
    for child in process.children(recursive=True):
        with suppress(psutil.Error):
            found += child.cmdline()
    return found
