"""The page for submitters: its examples keep the contract, and its numbers match the code."""

import json
import re
from pathlib import Path

import pytest
from dynabench_archives.serving_contract import (
    JUDGES,
    LARGEST_ANSWER_BYTES,
    LONGEST_TEXT,
    SUM_TOLERANCE,
    ModelShape,
    find_flaws,
)

PAGE = (Path(__file__).resolve().parents[3] / "model-archives" / "CONTRACT.md").read_text("utf-8")
EXAMPLES = re.findall(r"^### (\S+)\n```json\n(.*?)```\n```json\n(.*?)```", PAGE, re.DOTALL | re.MULTILINE)


def test_each_task_type_has_an_example() -> None:
    assert {task_type for task_type, *_ in EXAMPLES} == set(JUDGES)


@pytest.mark.parametrize(
    ("task_type", "request_text", "answer_text"), EXAMPLES, ids=[one[0] for one in EXAMPLES]
)
def test_the_examples_keep_the_contract(task_type: str, request_text: str, answer_text: str) -> None:
    request, answer = json.loads(request_text), json.loads(answer_text)
    labels = tuple(answer["predictions"][0].get("probabilities", ()))
    shape = ModelShape(task_type, tuple(request["instances"][0]), labels)
    errors = [place for place, entry in enumerate(answer["predictions"]) if "error" in entry]
    assert find_flaws(shape, request, 200, answer, errors) == ()
    assert find_flaws(shape, {"instances": [*request["instances"], {}]}, 200, answer, errors)


def test_the_limits_are_those_of_the_code() -> None:
    for number in (
        f"{LONGEST_TEXT:,} characters",
        f"{LARGEST_ANSWER_BYTES:,} bytes",
        f"within {SUM_TOLERANCE}",
    ):
        assert number in PAGE
