"""Diagnostic suites: what their files may say, what passes, and the reports of known suites."""

import csv
import gzip
import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from dynabench_tasks.configuration.yaml_text import read_configuration
from dynabench_tasks.json_lines import Line
from evaluation.domain.diagnostics import is_suite, passed, reports_by_test, share_passed
from evaluation.domain.intervals import numbered
from evaluation.domain.items import Item, item_document, read_item
from evaluation.domain.metrics import Answered
from evaluation.service_layer.given_items import ItemsUnusable, read_items

ROOT = Path(__file__).parents[4]
DATA = os.environ.get("DYNABENCH_DATA", "")
needs_data = pytest.mark.skipif(not DATA, reason="DYNABENCH_DATA names no data folder")
LABELS = ("negative", "neutral", "positive")


def task(name: str) -> TaskConfiguration:
    path = ROOT / "services" / "annotation" / "tasks" / f"{name}.yaml"
    return read_configuration(path.read_text(encoding="utf-8"))


SENTIMENT, HATE = task("sentiment"), task("hate-speech")


def lines(documents: Sequence[Mapping[str, Any]]) -> Iterator[Line]:
    return (Line(number, document) for number, document in enumerate(documents, start=1))


def given(name: str, text: str = "Good.", **more: Any) -> dict[str, Any]:
    document = {"id": name, "context": {"prompt": "?"}, "input": {"text": text}, "test": "words", **more}
    return {key: value for key, value in document.items() if value is not None}


def answered(items: Sequence[Item], answers: Sequence[Any]) -> Answered:
    return Answered(items, answers, (), numbered([item.cluster for item in items]), LABELS)


SUITE = [
    given("a", label="positive", capability="Vocabulary", group="good {}"),
    given("b", label="negative", capability="Vocabulary", test_type="MFT", group="good {}"),
    given("a1", same_as="a", test="typos", capability="Robustness", test_type="INV"),
    given("b1", same_as="b", test="typos", capability="Robustness"),
    given("b2", same_as="b", test="typos", capability="Robustness"),
]


def test_an_item_passes_by_its_gold_or_by_the_answer_to_another_item() -> None:
    items = read_items(lines(SUITE), SENTIMENT)
    assert is_suite(items)
    assert [item.cluster for item in items] == ["good {}", "good {}", *(["prompt=?;"] * 3)]
    answers = ["positive", "positive", "positive", "positive", None]
    assert list(passed(items, answers)) == [True, False, True, True, False]
    found = share_passed(answered(items, answers))
    assert (found.value, found.n) == (60.0, 5)
    told = reports_by_test(answered(items, answers))
    assert [(each["capability"], each["test"], each["test_type"]) for each in told] == [
        ("Vocabulary", "words", "MFT"),
        ("Robustness", "typos", "INV"),
    ]
    assert [(round(each["value"], 1), each["n"], each["groups"]) for each in told] == [
        (50.0, 2, 1),
        (66.7, 3, 1),
    ]
    assert all(each["reason"] for each in told)


def test_what_is_to_be_alike_fails_where_the_original_has_no_answer() -> None:
    items = read_items(lines(SUITE[:1] + SUITE[2:3]), SENTIMENT)
    assert list(passed(items, [None, "positive"])) == [False, False]
    assert list(passed(items, [None, None])) == [False, False]


def test_an_answer_may_move_in_one_direction_alone() -> None:
    """After "I hate it." was added a text may become negative or stay what it was, and not become positive."""
    added = [
        given(f"{name}+", same_as=name, may_become=["negative"], test="add hate", test_type="DIR")
        for name in "abc"
    ]
    items = read_items(lines([*(given(name) for name in "abc"), *added]), SENTIMENT)
    answers = ["positive", "neutral", "neutral", "negative", "neutral", "positive"]
    assert list(passed(items, answers)) == [None, None, None, True, True, False]
    (told,) = reports_by_test(answered(items, answers))
    assert (told["test_type"], told["n"], round(told["value"], 1)) == ("DIR", 3, 66.7)
    assert [read_item(json.loads(json.dumps(item_document(item)))) for item in items] == list(items)
    assert list(passed(items, [None, "neutral", "neutral", "negative", None, "negative"]))[3:] == [
        False,
        False,
        True,
    ]


def test_an_original_of_which_nothing_is_expected_is_not_counted() -> None:
    items = read_items(lines([given("a"), given("a1", same_as="a"), given("a2", same_as="a")]), SENTIMENT)
    answers = ["neutral", "neutral", "positive"]
    assert list(passed(items, answers)) == [None, True, False]
    found = share_passed(answered(items, answers))
    assert (found.value, found.n, len(found.influences)) == (50.0, 2, 1)
    (told,) = reports_by_test(answered(items, answers))
    assert (told["test_type"], told["n"]) == ("INV", 2)


def test_an_item_is_the_same_after_writing_and_others_stay_as_they_were() -> None:
    items = read_items(lines(SUITE), SENTIMENT)
    assert [read_item(json.loads(json.dumps(item_document(item)))) for item in items] == list(items)
    (plain,) = read_items(lines([given("a", label="positive", test=None)]), SENTIMENT)
    assert set(item_document(plain)) == {"id", "context", "input", "golds", "cluster", "tags"}
    assert not is_suite([plain])


@pytest.mark.parametrize(
    ("documents", "line", "field"),
    [
        ([given("a", label="positive"), given("b", label="positive", test=None)], 2, "test"),
        ([given("a", label="positive", test=None, capability="x")], 1, "test"),
        ([given("a", label="positive", same_as="b"), given("b", label="positive")], 1, "same_as"),
        ([given("a", same_as="nobody")], 1, "same_as"),
        ([given("a", same_as="b"), given("b", same_as="c"), given("c", label="neutral")], 1, "same_as"),
        ([given("a", same_as="a")], 1, "same_as"),
        ([given("a", label="positive", test_type="DIR")], 1, "test_type"),
        ([given("a", label="positive", test_type="INV")], 1, "test_type"),
        ([given("a", label="positive", may_become=["neutral"])], 1, "same_as"),
        ([given("a", label="positive"), given("b", same_as="a", may_become=[])], 2, "may_become"),
        ([given("a", label="positive"), given("b", same_as="a", may_become=["mixed"])], 2, "may_become"),
        (
            [given("a", label="positive"), given("b", same_as="a", may_become=["neutral"], test_type="INV")],
            2,
            "test_type",
        ),
        ([given("a", label="positive", group="x" * 201)], 1, "group"),
        ([given("a", label="positive", test=["words"])], 1, "test"),
        ([given("a")], 1, "label"),
    ],
)
def test_a_suite_that_means_nothing_is_refused_by_line(
    documents: list[dict[str, Any]], line: int, field: str
) -> None:
    with pytest.raises(ItemsUnusable) as refused:
        read_items(lines(documents), SENTIMENT)
    (first, *_) = refused.value.errors
    assert (first.line, first.field) == (line, field)


@needs_data
def test_hatecheck_is_a_suite_clustered_by_template() -> None:
    with gzip.open(Path(DATA) / "diagnostic_hatecheck_suite.csv.gz", "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    documents = [
        {
            "id": row["case_id"],
            "context": {},
            "input": {"text": row["test_case"]},
            "label": "hateful" if row["label_gold"] == "hateful" else "not hateful",
            "test": row["functionality"],
            "group": row["templ_id"],
        }
        for row in rows
    ]
    context = {field.name: "?" for field in HATE.fields.context}
    items = read_items(lines([{**document, "context": context} for document in documents]), HATE)
    assert len(items) == 3728
    always = answered(items, ["hateful"] * len(items))
    assert round(share_passed(always).value, 1) == 68.8
    told = {each["test"]: each for each in reports_by_test(always)}
    assert len(told) == 29
    assert {each["value"] for each in told.values()} == {0.0, 100.0}
    templates = {
        name: len({row["templ_id"] for row in rows if row["functionality"] == name}) for name in told
    }
    assert {name: each["groups"] for name, each in told.items()} == templates


@needs_data
def test_checklist_is_told_by_capability_and_type() -> None:
    with gzip.open(Path(DATA) / "diagnostic_checklist_sentiment.jsonl.gz", "rt", encoding="utf-8") as file:
        cases = [json.loads(line) for line in file]
    documents = list(_of_checklist(cases))
    items = read_items(lines(documents), SENTIMENT)
    told = reports_by_test(answered(items, ["positive"] * len(items)))
    tests = {(case["capability"], case["test"]) for case in cases}
    assert {(each["capability"], each["test"]) for each in told} == tests
    assert all(each["value"] == 100.0 for each in told if each["test_type"] == "INV")
    originals = sum(case["type"] == "INV" for case in cases)
    assert sum(each["n"] for each in told) == len(items) - originals
    negative = next(each for each in told if each["test"] == "single negative words")
    assert negative["value"] == 0.0


def _of_checklist(cases: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    seen: Counter[str] = Counter()
    for case in cases:
        texts = case["data"] if isinstance(case["data"], list) else [case["data"]]
        base = f"{case['test']} {seen[case['test']]}"
        seen[case["test"]] += 1
        about = {"test": case["test"], "capability": case["capability"], "group": base}
        for number, text in enumerate(texts):
            name = base if number == 0 else f"{base} variant {number}"
            document = {"id": name, "context": {"prompt": "?"}, "input": {"text": text}, **about}
            if case["type"] == "INV":
                yield {**document, "same_as": base} if number else document
            elif case["label"] is not None:
                yield {**document, "label": LABELS[case["label"]]}


def test_no_answer_passes_nothing() -> None:
    items = read_items(lines(SUITE), SENTIMENT)
    assert not any(passed(items, [None] * len(items)))
