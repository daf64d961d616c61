"""Starter models: which can be made, and that their archives are data for the platform's own handler."""

import json
import zipfile
from pathlib import Path

import pytest
from dynabench_archives.scanning import ScanKind
from dynabench_archives.starter import (
    Starter,
    StarterExample,
    fitting_type,
    starter_problem,
    write_starter,
)

ONE, PAIR, SEVERAL = "text-classification", "text-pair-classification", "multilabel-classification"
GOOD = StarterExample(("Fine.",), ("good",))
BOTH = StarterExample(("Fine, then bad.",), ("good", "bad"))
PAIRS = (StarterExample(("a", "b"), ("good",)), StarterExample(("c", "d"), ("bad",)))


def starter(
    *examples: StarterExample,
    task_type: str = ONE,
    fields: tuple[str, ...] = ("text",),
    labels: tuple[str, ...] = ("good", "bad"),
) -> Starter:
    return Starter(task_type, fields, labels, examples)


@pytest.mark.parametrize(
    ("rule", "given", "problem"),
    [
        ("examples of one label each", starter(GOOD), None),
        ("no example: the labels' names are enough for one text", starter(), None),
        ("several labels where the task has several", starter(BOTH, task_type=SEVERAL), None),
        ("pairs with an example of each label", starter(*PAIRS, task_type=PAIR, fields=("p", "h")), None),
        ("no task type with labels", starter(task_type=""), "no labels"),
        ("one label", starter(labels=("good",)), "no labels"),
        ("three texts", starter(fields=("a", "b", "c")), "at most 2 texts"),
        ("another number of texts", starter(PAIRS[0]), "example 1 must have this number of texts: 1"),
        ("a blank text", starter(GOOD, StarterExample((" ",), ("good",))), "example 2 must have"),
        ("a label of no task", starter(StarterExample(("x",), ("odd",))), "example 1 needs a label"),
        ("two labels where one is asked", starter(BOTH), "exactly one label"),
        ("pairs without one label", starter(PAIRS[0], task_type=PAIR, fields=("p", "h")), "missing: bad"),
    ],
)
def test_which_starter_models_can_be_made(rule: str, given: Starter, problem: str | None) -> None:
    found = starter_problem(given)
    assert (found is None) if problem is None else (found is not None and problem in found), rule


@pytest.mark.parametrize(
    ("answered_by", "fields", "task_type"),
    [
        ((ONE, PAIR), ("text",), ONE),
        ((ONE, PAIR), ("premise", "hypothesis"), PAIR),
        ((SEVERAL,), ("title", "text"), SEVERAL),
        (("extractive-qa",), ("passage", "question"), ""),
    ],
)
def test_the_task_type_follows_what_the_task_takes(
    answered_by: tuple[str, ...], fields: tuple[str, ...], task_type: str
) -> None:
    assert fitting_type(answered_by, fields) == task_type


def test_its_archive_is_data_and_the_same_for_the_same_examples(tmp_path: Path) -> None:
    first, second = (write_starter(tmp_path / f"{name}.mar", "mine", starter(GOOD)) for name in "ab")
    assert first.digest == second.digest
    assert first.report.kind is ScanKind.DECLARATIVE
    assert first.report.findings == ()
    with zipfile.ZipFile(first.path) as archive:
        assert json.loads(archive.read("starter.json")) == {
            "labels": ["good", "bad"],
            "examples": [{"texts": ["Fine."], "labels": ["good"]}],
        }
