"""Starter models: a few examples a label give a model that knows these, and it is packaged as any other."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from model_archives.errors import BuildError
from model_archives.packaging import package
from model_archives.starter import read_starter
from tiny_models import serve

LABELS = ["shipping", "quality"]
EXAMPLES = {
    "The parcel came two weeks late.": "shipping",
    "Delivery was quick and the box was intact.": "shipping",
    "The courier left it in the rain.": "shipping",
    "The zip broke on the second day.": "quality",
    "Solid wood, and it feels well made.": "quality",
    "The colour faded after one wash.": "quality",
}
UNSEEN = {"My package arrived three days late.": "shipping", "The handle broke after a week.": "quality"}
GIVEN = [{"texts": [text], "labels": [label]} for text, label in EXAMPLES.items()]


def write(folder: Path, examples: list[dict[str, Any]], labels: list[str] | None = None) -> Path:
    folder.mkdir()
    content = {"labels": labels or LABELS, "examples": examples}
    (folder / "starter.json").write_text(json.dumps(content))
    return folder


def test_a_starter_model_answers_like_its_examples(tmp_path: Path) -> None:
    served = serve(write(tmp_path / "data", GIVEN), tmp_path, "text-classification")
    expected = {**UNSEEN, **EXAMPLES}
    found = served.predict([{"text": text} for text in expected])
    assert [each["label"] for each in found] == list(expected.values())
    assert (served.note.labels, served.note.fields) == (("shipping", "quality"), ("text",))
    with zipfile.ZipFile(served.archive) as contents:
        assert "starter.json" not in contents.namelist()


@pytest.mark.long
def test_a_model_of_several_labels_answers_with_labels_of_the_list(tmp_path: Path) -> None:
    both = {"texts": ["It came late and broke at once."], "labels": LABELS}
    served = serve(write(tmp_path / "data", [*GIVEN, both]), tmp_path, "multilabel-classification")
    for each in served.predict([{"text": text} for text in UNSEEN]):
        assert each["labels"]
        assert set(each["labels"]) <= set(LABELS)


def test_without_examples_the_names_of_the_labels_are_the_examples(tmp_path: Path) -> None:
    labels, examples = read_starter(write(tmp_path / "data", []) / "starter.json", 1)
    assert [(each.texts, each.labels) for each in examples] == [((label,), (label,)) for label in labels]


@pytest.mark.parametrize(
    ("examples", "labels", "fields", "sentence"),
    [
        ([], ["one"], 1, "at least two different labels"),
        ([], ["one", "one"], 1, "at least two different labels"),
        ([{"texts": ["a", "b"], "labels": ["one"]}], ["one", "two"], 1, "this number of texts: 1"),
        ([{"texts": ["a"], "labels": ["three"]}], ["one", "two"], 1, "labels of the list"),
        ([{"texts": ["a", "b"], "labels": ["one"]}], ["one", "two"], 2, "an example of each label"),
        ([{"texts": "no"}], ["one", "two"], 1, "is no starter model"),
    ],
)
def test_an_unusable_starter_is_refused_with_a_reason(
    examples: list[dict[str, Any]], labels: list[str], fields: int, sentence: str, tmp_path: Path
) -> None:
    folder = write(tmp_path / "data", examples, labels)
    with pytest.raises(BuildError, match=sentence):
        read_starter(folder / "starter.json", fields)


def test_a_task_without_labels_gets_no_starter_model(tmp_path: Path) -> None:
    folder = write(tmp_path / "data", GIVEN)
    with pytest.raises(BuildError, match="answers with labels"):
        package(folder, tmp_path / "starter.mar", "starter", "1", lambda line: None, "extractive-qa")
