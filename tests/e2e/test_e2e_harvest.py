"""A served model runs over text from the command line, and people vote on its wrong or unsure answers."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from dynabench_client import Dynabench
from dynabench_common.testing import wait_until

from tests.scenarios import PRAISE, TARGET, OwnTask, board, vote

pytestmark = pytest.mark.slow

TEXTS = (
    ("wrong", PRAISE.format("soup"), "negative"),
    ("right", "The soup was terrible and cold.", "negative"),
    ("sure", PRAISE.format("bread"), None),
    ("unsure", "The bus left at nine.", None),
)


def test_what_a_model_fails_on_is_kept_and_voted_on(
    dynabench: Callable[..., Any],
    new_task: Callable[..., OwnTask],
    new_annotator: Callable[[], Dynabench],
    tmp_path: Path,
) -> None:
    task = new_task(gold="majority")
    owner = task.owner.client
    file = tmp_path / "reviews.jsonl"
    file.write_text("".join(line(*each) for each in TEXTS), encoding="utf-8")
    arguments = (str(file), "--task", task.slug, "--target", TARGET, "--margin-below", "0.5")
    harvested = dynabench("rounds", "harvest", *arguments)
    round_id = harvested["round_id"]
    values = {name: harvested[name] for name in ("seen", "stored", "wrong", "unsure", "state")}
    assert values == {"seen": 4, "stored": 2, "wrong": 1, "unsure": 1, "state": "closed"}
    assert dynabench("rounds", "harvest", *arguments)["round_id"] == round_id

    kept = {each.input["text"]: each for each in owner.annotation.examples(round_id, author="all").items}
    verdicts = {name: kept[text].verdict for name, text, _ in TEXTS if text in kept}
    assert verdicts == {"wrong": "fooled", "unsure": "unknown"}
    options = {example.example_id: "negative" for example in kept.values()}
    for voter in (new_annotator(), new_annotator()):
        vote(voter, round_id, options, votes=2)
    wait_until(lambda: board(owner, round_id).resolved == 2, what="the votes on the board")
    figures = dynabench("rounds", "show", round_id)
    assert (figures["tries"], figures["fooled"], figures["pending"]) == (2, 1, 0)
    assert figures["validated_errors"] == 2
    for rate in ("mer", "vmer"):
        assert figures[rate]["value"] is None
        assert "only the models' errors were kept" in figures[rate]["reason"]


def line(source_id: str, text: str, label: str | None) -> str:
    """Return a line of the collection; a text without a label is unlabelled."""
    values = {"id": source_id, "context": {"prompt": "We ate by the sea."}, "input": {"text": text}}
    return json.dumps({**values, "label": label} if label else values) + "\n"
