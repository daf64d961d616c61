"""Further training of a baseline with released rounds."""

import gzip
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from model_archives.cli import BASELINES
from model_archives.errors import BuildError
from model_archives.training.examples import Question
from model_archives.training.recipe import read_recipe
from model_archives.training.released_data import released_examples
from model_archives.training.retraining import Retraining, retrain
from rich.console import Console
from safetensors.numpy import load_file

pytestmark = pytest.mark.slow

QUIET = Console(quiet=True)
ODD = ("The {} is blorp.", "A blorp {}, as they say.", "Blorp! The {}.")


def rows(label: Any = "negative", things: int = 12) -> list[dict[str, Any]]:
    """Rows of a release with an unknown word."""
    return [
        {"id": f"{thing}-{form}", "author": f"a{thing % 3}", "context": {"prompt": "?"}, "label": label}
        | {"input": {"text": text.format(f"thing {thing}")}}
        for thing in range(things)
        for form, text in enumerate(ODD)
    ]


def written(folder: Path, name: str, lines: Sequence[Mapping[str, Any]]) -> Path:
    path = folder / f"{name}.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)
    return path


def wanted(base: Path, released: Path, **changes: Any) -> Retraining:
    chosen: dict[str, Any] = {
        "name": "retrained",
        "held_out": (),
        "also": (),
        "epochs": 1,
        "learning_rate": 0.01,
        "trained_on": ["sentiment-r1, version 1: train"],
        "licence": "CC-BY-4.0",
        "contact": "team@example.org",
    }
    return Retraining(base=base, released=[released], **{**chosen, **changes})


@pytest.mark.parametrize("name", ["sentiment-words", "sentiment-cnn", "sentiment-minilm"])
def test_it_begins_with_the_weights_of_the_baseline(name: str, tmp_path: Path) -> None:
    released = written(tmp_path, "train", rows(things=2))
    retrain(wanted(BASELINES / name, released, learning_rate=0.0), tmp_path / "out", QUIET)
    before = load_file(read_recipe(BASELINES / name).weights_file)
    after = load_file(read_recipe(tmp_path / "out").weights_file)
    assert set(after) == set(before)
    for tensor, values in before.items():
        np.testing.assert_array_equal(after[tensor], values)


def test_it_learns_what_the_round_shows_and_says_so_in_its_card(tmp_path: Path) -> None:
    released, held_out = rows()[:27], rows()[27:]
    order = wanted(
        BASELINES / "sentiment-words",
        written(tmp_path, "train", released),
        held_out=[written(tmp_path, "dev", held_out)],
        also=["made-sentences"],
        epochs=4,
    )
    archive = retrain(order, tmp_path / "out", QUIET)
    assert archive.name == "retrained.mar"
    head, _, text = archive.with_name("card.md").read_text()[4:].partition("\n---\n")
    assert yaml.safe_load(head) == {
        "licence": "CC-BY-4.0",
        "contact": "team@example.org",
        "languages": ["en"],
        "trained_on": ["sentiment-r1, version 1: train"],
    }
    assert "| released rounds | 27 |" in text
    assert "| made-sentences | 440 |" in text
    assert "On the 9 held-out examples of these rounds: right 100.0 %" in text
    again = wanted(tmp_path / "out", order.released[0], name="once-more")
    assert retrain(again, tmp_path / "again", QUIET).name == "once-more.mar"


def test_spans_of_released_rows_become_questions(tmp_path: Path) -> None:
    span = {"start": 4, "end": 7, "text": "cat"}
    row = {"id": "1", "context": {"passage": "The cat slept."}, "input": {"question": "Who slept?"}}
    file = written(tmp_path, "train", [{**row, "label": span, "golds": [span]}, {**row, "label": None}])
    (question,) = released_examples(read_recipe(BASELINES / "qa-minilm"), [file])
    assert isinstance(question, Question)
    assert (question.passage, question.start, question.answers) == ("The cat slept.", 4, ("cat",))


@pytest.mark.parametrize(
    ("lines", "changes", "reason"),
    [
        ([], {}, "no example with a label"),
        ([{"input": {"text": "x"}, "label": "lovely"}], {}, "line 1 has the label 'lovely'"),
        ([{"input": {}, "label": "negative"}], {}, "line 1 has no text in text"),
        (["text"], {}, "line 1 is no JSON object"),
        (rows(things=1), {"also": ["nothing"]}, "there is no set 'nothing'"),
        (rows(things=1), {"also": ["topics"]}, "the set topics has labels"),
        (rows(things=1), {"released": [Path("absent.jsonl")]}, "absent.jsonl does not exist"),
        (rows(things=1), {"released": [Path(__file__)]}, "can't be read as JSON lines"),
    ],
)
def test_what_can_not_be_trained_on_is_refused_before_anything_is_written(
    lines: list[Any], changes: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    released = written(tmp_path, "train", lines)
    chosen = {"released": [released], **changes}
    order = wanted(BASELINES / "sentiment-words", released)
    order = Retraining(**{**vars(order), **chosen})
    with pytest.raises(BuildError, match=reason):
        retrain(order, tmp_path / "out", QUIET)
    assert not (tmp_path / "out").exists()
