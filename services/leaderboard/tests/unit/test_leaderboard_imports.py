"""Rounds collected elsewhere, as published: the validated errors that their raw votes must give."""

import gzip
import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from dynabench.example.v1 import example_pb2
from dynabench.validation.v1 import validation_pb2
from dynabench_events import decode
from leaderboard.domain.counting_rule import counting_rule
from leaderboard.domain.facts import Example
from leaderboard.domain.rates import NO_AUTHORS, mer, vmer
from leaderboard.domain.tally import Tally, counted

from services.leaderboard.tests.conftest import Story

NewStory = Callable[..., Story]
LABELS = ("positive", "negative", "neutral")
AGREE = 3
RULE = counting_rule(
    {
        "context": [{"name": "prompt", "type": "string"}],
        "wrong_when": {"exact_match": {"fields": ["label"]}},
        "validation": {"gold": "majority", "validate": "all"},
        "input": [
            {"name": "sentence", "type": "string"},
            {"name": "label", "type": "multiclass", "labels": list(LABELS)},
        ],
        "output": [{"name": "label", "type": "multiclass", "labels": list(LABELS)}],
    }
)


@pytest.fixture(scope="module")
def data() -> Path:
    if "DYNABENCH_DATA" not in os.environ:
        pytest.skip("DYNABENCH_DATA does not name the folder of published collections")
    return Path(os.environ["DYNABENCH_DATA"])


def records(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def imported(story: Story, record: dict[str, Any]) -> Example:
    """One record as the import and the votes tell of it: no claim, and the answer that three of five gave."""
    answers = [
        value for name, value in record.items() if name.startswith("model_") and name.endswith("_label")
    ]
    tried = story.tried("", answers, None, example_pb2.VERDICT_UNKNOWN, cohort="imported")
    votes = Counter({option: len(voters) for option, voters in record["label_distribution"].items()})
    [(option, most)] = votes.most_common(1)
    outcome = validation_pb2.RESOLUTION_NO_CLAIM if most >= AGREE else validation_pb2.RESOLUTION_DISPUTED
    golds = [option] if most >= AGREE and option in LABELS else []
    known = Example(tried.aggregate_id)
    for event in (tried, story.resolved(tried, outcome, option, golds=golds)):
        known = known.with_event(event.aggregate_version, decode(event.message))
    return known


@pytest.mark.parametrize("name", ["dynasent_r1_dev", "dynasent_r2_dev"])
def test_the_errors_of_a_published_collection(data: Path, new_story: NewStory, name: str) -> None:
    oracle = json.loads((data / "oracle.json").read_text())[name]
    story, total = new_story(), Tally()
    for record in records(data / f"replay_{name}.jsonl.gz"):
        of_rule = counted(imported(story, record), RULE).of_rule
        assert of_rule is not None
        total = Tally(*(a + b for a, b in zip(total, of_rule[1], strict=True)))
    assert (total.tries, total.unknown) == (oracle["n"], oracle["n"])
    assert total.errors + total.apart_errors == oracle["model_wrong"]
    for rate in (mer(total, NO_AUTHORS), vmer(total, NO_AUTHORS)):
        assert (rate.value, rate.reason) == (None, "no try has a verdict")
