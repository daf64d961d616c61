"""A new field type, wrong-when rule, metric or context policy is one module, which may live in a folder of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

TESTS = Path(__file__).parents[1]
WHEN = {"name": "when", "type": "date", "label": "When did it happen?"}
PLAIN = yaml.safe_load((TESTS / "sentiment.yaml").read_text())
TASK = {
    **PLAIN,
    "input": [*PLAIN["input"], WHEN],
    "wrong_when": "never_wrong",
    "contexts": {"policy": "hardest_first"},
    "metrics": {"weights": {"calibration": 2}},
}


def read_task(**environment: str) -> dict[str, Any]:
    """Return the output of a process that reads the task with this environment."""
    command = [sys.executable, str(TESTS / "with_additions.py")]
    given = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        command,
        input=json.dumps(TASK),
        env={**given, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def test_a_task_uses_what_a_folder_on_the_path_adds() -> None:
    result = read_task(PYTHONPATH=str(TESTS / "additions"))

    assert result["schema"] == []
    assert (result["written"], result["claimed"], result["refused"]) == (
        "2026-11-21",
        "positive",
        "input.when",
    )
    assert result["is_wrong"] is False
    assert result["order"] == ["foolings", "shuffle"]
    assert result["weights"]["calibration"] == 2
    assert result["survives"]


def test_without_that_folder_the_task_is_refused_with_all_that_is_not_known() -> None:
    result = read_task()

    assert len(result["schema"]) >= 4
    assert result["problems"] == [
        "input[2].type",
        "wrong_when",
        "contexts.policy",
        "metrics.weights.calibration",
    ]
