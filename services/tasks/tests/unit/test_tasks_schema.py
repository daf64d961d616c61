"""The published JSON Schema accepts the reader's documents, but for rules on the whole document."""

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from dynabench_tasks.configuration.problems import Reading
from dynabench_tasks.configuration.reader import TASK, configuration_schema, read_task_configuration
from hypothesis import given
from hypothesis import strategies as st
from jsonschema_rs import Draft202012Validator, meta

TESTS = Path(__file__).parents[1]
WRITTEN = sorted((TESTS / "golden").glob("v*/*.yaml"))
PLAIN = (TESTS / "sentiment.yaml").read_text()
SCHEMA = Draft202012Validator(configuration_schema("http://127.0.0.1/schema.json"))
DOCUMENTS = [json.loads(path.with_suffix(".json").read_text()) for path in WRITTEN]
VALUES = [
    None, True, False, 0, 1, 2, 9, -1, 0.5, 1e9, 2**70, [], ["a"], ["a", "a"], {"a": 1}, "x", "A", "", "a b", "label",
    "string", "image", "judgement", "all", "ask_annotator", "token_f1", "text_f1", "least_used", {"at_least": 2},
    {"fixed": {"agree": 2, "votes": 3}}, {"uncertain": {"margin_below": 0.5}},
]  # fmt: skip


def test_the_schema_is_a_schema() -> None:
    assert meta.is_valid(configuration_schema("http://127.0.0.1/schema.json"))


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.stem)
def test_the_schema_takes_what_the_reader_takes(path: Path) -> None:
    written = yaml.safe_load(path.read_text())
    assert [error.message for error in SCHEMA.iter_errors(written)] == []
    filled = read_task_configuration(written).document()
    assert [error.message for error in SCHEMA.iter_errors(filled)] == []


@pytest.mark.parametrize(
    "change",
    [
        {"titel": "x"},
        {"input": [{"name": "text", "type": "strng"}]},
        {"input": [{"name": "text", "type": "span"}]},
        {"ensemble": {"at_least": 9}},
        {"wrong_when": "exact_match"},
        {"validation": {"policy": {"fixed": {"votes": 3}}}},
        {"metrics": {"primary": "throughput"}},
        {"contexts": {"policy": "most_used"}},
    ],
)
def test_the_schema_refuses_what_the_reader_refuses(change: dict[str, Any]) -> None:
    assert list(SCHEMA.iter_errors({**yaml.safe_load(PLAIN), **change}))


Place = tuple[str | int, ...]


def places_of(part: object, place: Place = ()) -> Iterator[Place]:
    """Every place of a document but the parts of worked examples and practice items: fields of people, not keys."""
    if place:
        yield place
    inside = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    for step, child in inside:
        if not (len(place) == 3 and place[0] in ("worked_examples", "practice")):
            yield from places_of(child, (*place, step))


@st.composite
def changed_documents(draw: st.DrawFn) -> dict[str, Any]:
    """A document of some version with a few places changed, most of them to invalid values."""
    document: dict[str, Any] = copy.deepcopy(draw(st.sampled_from(DOCUMENTS)))
    for _ in range(draw(st.integers(1, 3))):
        *steps, last = draw(st.sampled_from(list(places_of(document))))
        part: Any = document
        for step in steps:
            part = part[step]
        change = draw(st.sampled_from(["replace", "remove", "add"]))
        if change == "replace":
            part[last] = copy.deepcopy(draw(st.sampled_from(VALUES)))
        elif change == "remove":
            del part[last]
        elif isinstance(part, dict):
            name = draw(st.sampled_from(["name", "of", "labels", "optional", "policy", "agree"]))
            part[name] = copy.deepcopy(draw(st.sampled_from(VALUES)))
    return document


# Accepted by the reader and not by the schema: an empty policy, a rule without parameters as a mapping.
LENIENT: list[Callable[[dict[str, Any]], bool]] = [
    lambda document: (document.get("validation") or {}).get("policy") == {},
    lambda document: (
        isinstance(document.get("wrong_when"), dict) and "ask_annotator" in document["wrong_when"]
    ),
]


@given(changed_documents())
def test_the_schema_and_the_shape_of_the_language_agree(document: dict[str, Any]) -> None:
    reading = Reading()
    TASK.read(document, (), reading)
    is_valid = SCHEMA.is_valid(document)
    types = {str(field.get("type")) for key in ("context",) for field in _fields(document.get(key))}
    asked = (
        {
            str(field.get("type"))
            for fields in (document.get("metadata") or {}).values()
            for field in _fields(fields)
        }
        if isinstance(document.get("metadata"), dict)
        else set()
    )
    is_misplaced = types - {"string", "image"} or asked & {"image", "probabilities"}
    if is_valid:
        assert [str(problem) for problem in reading.problems] == []
    elif not reading.problems:
        assert is_misplaced or any(is_lenient(document) for is_lenient in LENIENT)


def _fields(value: object) -> list[dict[str, Any]]:
    return [field for field in value if isinstance(field, dict)] if isinstance(value, list) else []
