"""Boards in the forms that others take."""

from datetime import UTC, datetime
from typing import Any

import pytest
import yaml
from dynabench_client.board_forms import bibtex, eval_results, eval_yaml, latex_escaped, latex_table
from dynabench_client.results.leaderboard import ModelBoard

NOW = datetime(2026, 3, 2, 10, tzinfo=UTC)
ADDRESS = "https://dynabench.example/tasks/a_b/board?w_performance=1&gamma=0.8#x"


def board(**more: Any) -> ModelBoard:
    dimension = {"name": "performance", "metric": "macro_f1", "is_measured": True, "share": 0.8}
    speed = {"name": "throughput", "metric": "throughput", "is_measured": True, "share": 0.2}
    row = {
        "model": "a_100%{x}\\input{/etc}",
        "rank": 1,
        "rank_set": [1, 2],
        "score": 71.25,
        "interval": [70.0, 72.5],
        "values": {"performance": 71.25, "throughput": 2},
        "n": 1720,
        "primary": [71.25, None],
    }
    unranked = {"model": "later", "reason": "waits", "primary": [None, None]}
    datasets = [
        {"name": "set: one", "items": 720, "version": 2},
        {"name": "two", "items": 1000, "version": 1},
    ]
    given = {"dimensions": [dimension, speed], "rows": [row, unranked], "datasets": datasets, **more}
    return ModelBoard.blank(task_slug="a_b", mode="utility", as_of=NOW, digest="3f9c", **given)


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("50% & more_", r"50\% \& more\_"),
        ("\\input{x}", r"\textbackslash{}input\{x\}"),
        ("~^#$", r"\textasciitilde{}\textasciicircum{}\#\$"),
        ("two\nlines\x00", "two lines "),
        ("Überraschung", "Überraschung"),
    ],
)
def test_no_text_is_a_command(text: str, escaped: str) -> None:
    assert latex_escaped(text) == escaped


def test_a_board_as_a_latex_table() -> None:
    found = latex_table(board(), "a_b", ADDRESS)
    assert (
        r"1--2 & a\_100\%\{x\}\textbackslash{}input\{/etc\} & 71.2 (70.0--72.5) & 71.2 & 2.00\,$\times$ \\"
        in found
    )
    assert "n = 1,720 items, as of 2026-03-02, board 3f9c" in found
    assert "performance 80\\%, throughput 20\\%" in found
    assert r"\url{https://dynabench.example/tasks/a\_b/board?w\_performance=1\&gamma=0.8\#x}" in found
    assert r"\begin{tabular}{rlrrr}" in found
    assert "later" not in found
    assert found.count("{") == found.count("}")


def test_an_empty_board_is_a_table_without_rows() -> None:
    found = latex_table(board(rows=[], dimensions=[]), "a", ADDRESS)
    assert r"\midrule" in found
    assert "n = 0 items" in found


def test_a_frozen_board_is_cited_with_its_hash() -> None:
    found = bibtex("dynabench-1", "Models on A & B", NOW, "ab12", ADDRESS)
    assert found.startswith("@misc{dynabench-1,\n")
    assert r"title = {Models on A \& B}" in found
    assert "note = {Board as of 2026-03-02, SHA-256 ab12}" in found
    assert found.count("{") == found.count("}")


def test_scores_as_the_hub_takes_them() -> None:
    (row, unranked) = board().rows
    (entry,) = yaml.safe_load(eval_results(board(), row, {"set: one": "org/set", "two": "org/two"}, ADDRESS))
    assert entry == {
        "dataset": {"id": "org/set", "task_id": "set: one"},
        "value": 71.25,
        "date": "2026-03-02",
        "source": {"url": ADDRESS, "name": "Dynabench"},
        "notes": "macro_f1 in percent, n = 720, version 2, board 3f9c",
    }
    assert yaml.safe_load(eval_results(board(), unranked, {"two": "org/two"}, ADDRESS)) == []


def test_a_released_round_as_a_benchmark_of_the_hub() -> None:
    labels = yaml.safe_load(eval_yaml("r: 1", 'say "it"', "input_text", ["context_prompt"], ["pos", "neg"]))
    (task,) = labels["tasks"]
    assert labels["name"] == task["id"] == "r: 1"
    assert labels["evaluation_framework"] == "inspect-ai"
    assert task["field_spec"] == {"input": "input_text", "target": "label", "metadata": ["context_prompt"]}
    assert (
        task["solvers"][0]["args"]["template"] == "{context_prompt}\n{prompt}\nAnswer with one of: pos, neg."
    )
    assert task["scorers"] == [{"name": "match"}]
    free = yaml.safe_load(eval_yaml("r", "", "input_question", [], []))
    assert free["tasks"][0]["scorers"] == [{"name": "f1"}]
    assert "metadata" not in free["tasks"][0]["field_spec"]
