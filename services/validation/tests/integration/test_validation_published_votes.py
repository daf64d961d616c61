"""Votes that were published elsewhere, taken in as imported ones: the figures are the known ones."""

import gzip
import json
import os
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import pytest
from dynabench.example.v1 import example_pb2
from dynabench_common.identifiers import new_id

from .conftest import World

DATA = os.environ.get("DYNABENCH_DATA", "")
pytestmark = pytest.mark.skipif(not DATA, reason="DYNABENCH_DATA names no data folder")
API = "/api/validation/v1"
BATCH = 500
DYNASENT: dict[str, Any] = {
    "options": ["negative", "neutral", "positive", "mixed"],
    "policy": {"fixed": {"votes": 5, "agree": 3}},
    "gold": "majority",
    "validate": "all",
}
ANLI: dict[str, Any] = {"policy": {"adaptive": {"agree": 2, "max_votes": 3}}, "validate": "fooling"}


def rows(name: str) -> list[dict[str, Any]]:
    with gzip.open(Path(DATA) / f"replay_{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def oracle(name: str) -> dict[str, Any]:
    known: dict[str, Any] = json.loads((Path(DATA) / "oracle.json").read_text())[name]
    return known


def take_in(world: World, examples: list[dict[str, Any]]) -> dict[str, Any]:
    """Let examples come with their votes, and return the figures that follow."""
    events = [
        world.events.example(world.round_id, world.task_id, new_id(), author_id="", **fields)
        for fields in examples
    ]
    for start in range(0, len(events), BATCH):
        world.apply(*events[start : start + BATCH])
    figures: dict[str, Any] = world.http.get(f"{API}/rounds/{world.round_id}/agreement").get_json()
    return figures


def vote(option: str, voter: str = "") -> example_pb2.ImportedVote:
    voter_id = str(uuid5(NAMESPACE_URL, voter)) if voter else ""
    return example_pb2.ImportedVote(voter_id=voter_id, kind="label", option=option)


@pytest.mark.long
@pytest.mark.parametrize("part", ["dynasent_r1_dev", "dynasent_r2_dev"])
def test_five_votes_on_each_sentence(world: World, part: str) -> None:
    world.begin(state="closed", **DYNASENT)
    given = [
        [vote(option, voter) for option, voters in row["label_distribution"].items() for voter in voters]
        for row in rows(part)
    ]
    figures = take_in(
        world, [{"claimed": "", "verdict": "unknown", "imported_votes": votes} for votes in given]
    )
    known = oracle(part)
    assert (figures["examples"], figures["votes"]) == (known["n"], known["votes"])
    assert figures["voters"] == known["validators"]
    assert figures["vote_histogram"] == known["max_vote"]
    assert figures["votes_equal_gold"] == known["votes_equal_gold"]
    assert figures["gold"] == known["gold"]
    assert round(figures["fleiss_kappa"]["value"], 3) == known["fleiss_kappa"]
    assert figures["options"] == ["mixed", "negative", "neutral", "positive"]


def test_two_or_three_votes_on_each_pair(world: World) -> None:
    label = {"name": "label", "type": "multiclass", "labels": ["e", "n", "c"]}
    text = {"name": "statement", "type": "string"}
    world.apply(
        world.events.task(world.task_id, 1, {"input": [text, label], "output": [label]}, **ANLI),
        world.events.round(world.round_id, world.task_id),
        world.events.round_state(world.round_id, "closed"),
    )
    given = rows("anli_r1_dev")
    figures = take_in(
        world,
        [
            {
                "claimed": row["gold_label"],
                "input": {"statement": row["statement"], "label": row["gold_label"]},
                "imported_votes": [vote(option) for option in row["verifier labels"]],
            }
            for row in given
        ],
    )
    known = oracle("anli_r1_dev")
    assert (figures["examples"], figures["votes"]) == (known["n"], known["votes"])
    assert figures["votes_equal_gold"] == known["votes_equal_gold"]
    assert figures["vote_histogram"] == {"2": known["n"]}
    assert figures["voters"] is None
    assert figures["basis"] == "first_two_votes"
    same = sum(row["verifier labels"][0] == row["verifier labels"][1] for row in given)
    assert figures["raw"]["value"] == pytest.approx(same / known["n"])
