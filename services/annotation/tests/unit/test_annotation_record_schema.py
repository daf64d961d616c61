"""The published schema of records takes whatever the reader takes, and refuses what it can tell to be wrong."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from annotation.domain.provenance import Pseudonyms
from annotation.domain.record import RecordReader
from annotation.domain.record_schema import record_schema
from dynabench_tasks.configuration.reader import read_task_configuration
from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from dynabench_tasks.fields import InputRefused
from hypothesis import event, given, settings
from hypothesis import strategies as st
from jsonschema_rs import Draft202012Validator, meta

PLAIN = yaml.safe_load((Path(__file__).parents[1] / "sentiment.yaml").read_text())
EXAMPLES = Path(__file__).parents[4] / "examples"
PASSAGE = "The mill at Orsa burned down."
PROMPT = {"name": "prompt", "type": "string", "max_length": 60}


def task(claim: dict[str, Any], rule: object, **more: Any) -> TaskConfiguration:
    changes = {
        "context": [PROMPT, {**PROMPT, "name": "aside", "optional": True}],
        "input": [{"name": "text", "type": "string", "max_length": 40}, claim],
        "output": [claim],
        "wrong_when": rule,
        "validation": {},
        **more,
    }
    return read_task_configuration({**PLAIN, **changes})


LABELS = ["negative", "positive"]
TASKS = {
    "multiclass": task(
        {"name": "claim", "type": "multiclass", "labels": LABELS},
        {"exact_match": {"fields": ["claim"]}},
        validation={"options": [*LABELS, "mixed"]},
    ),
    "judged": task(
        {"name": "claim", "type": "multiclass", "labels": LABELS},
        {"exact_match": {"fields": ["claim"]}},
        validation={"vote": "judgement"},
    ),
    "multilabel": task(
        {"name": "claim", "type": "multilabel", "labels": LABELS}, {"exact_match": {"fields": ["claim"]}}
    ),
    "span": task({"name": "claim", "type": "span", "of": "prompt"}, {"token_f1": {"field": "claim"}}),
    "string": task({"name": "claim", "type": "string", "max_length": 30}, "ask_annotator"),
}
SPANS = st.builds(
    lambda start, length: {"start": start, "end": start + length, "text": PASSAGE[start : start + length]},
    st.integers(0, 30),
    st.integers(0, 8),
)
TEXTS = st.sampled_from(["", " ", "a", "Ann", "Bob", "x" * 41, "x" * 61, "x" * 201, "\x00", "🌍", " " * 70])
VALUES = st.one_of(
    st.sampled_from([*LABELS, "mixed", "correct", "incorrect", "flag", "unsure", "glad", None, 3, True]),
    st.lists(st.sampled_from([*LABELS, "glad"]), max_size=3),
    SPANS,
    TEXTS,
)
SHARES = st.dictionaries(
    st.sampled_from([*LABELS, "glad"]), st.sampled_from([0, 0.25, 1, 1.5, -1, "1", True]), max_size=2
)
TIMES = st.sampled_from(
    [
        "2020-01-01T10:00:00Z",
        "2020-01-01t10:00:00.123456789+01:30",
        "2020-01-01",
        "now",
        5,
        "2020-01-01T10:00:00",
    ]
)


def keys(**parts: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Any of these keys, each with what is drawn for it."""
    return st.fixed_dictionaries({}, optional=parts)


VOTES = keys(label=VALUES, voter=TEXTS, at=TIMES, reason=st.one_of(TEXTS, st.none()), who=TEXTS)
LIKELY_VOTES = st.fixed_dictionaries({"label": VALUES}, optional={"voter": TEXTS, "at": TIMES})
ANSWERS = st.one_of(VALUES, keys(value=VALUES, probabilities=SHARES, extra=TEXTS))
PARTS = {
    "id": TEXTS,
    "context": keys(prompt=TEXTS, aside=st.one_of(TEXTS, st.none()), other=TEXTS),
    "input": keys(text=TEXTS, claim=VALUES),
    "label": VALUES,
    "author": TEXTS,
    "cohort": st.sampled_from(["crowd", "imported", "bots", None]),
    "condition": TEXTS,
    "tags": st.one_of(st.lists(TEXTS, max_size=3), TEXTS, st.none()),
    "targets": st.one_of(st.dictionaries(st.sampled_from(["alpha", "beta"]), ANSWERS), st.none()),
    "votes": st.one_of(st.lists(st.one_of(LIKELY_VOTES, VOTES), max_size=2), st.none(), TEXTS),
    "explanations": st.one_of(keys(label=TEXTS, model=TEXTS, why=TEXTS), st.none()),
}
LEAST = {"id": "r1", "context": {"prompt": PASSAGE}, "input": {"text": "So."}}


@st.composite
def records(draw: st.DrawFn) -> dict[str, Any]:
    """A usable record in which one or two parts are whatever is drawn."""
    changed = draw(st.lists(st.sampled_from(sorted(PARTS)), min_size=1, max_size=2, unique=True))
    return {**LEAST, **{name: draw(PARTS[name]) for name in changed}}


def is_read(configuration: TaskConfiguration, record: dict[str, Any]) -> bool:
    try:
        RecordReader(configuration, ("alpha", "beta"), Pseudonyms(b"k"), datetime.now(UTC)).read(record)
    except InputRefused:
        return False
    return True


VALIDATORS = {name: Draft202012Validator(record_schema(made, "")) for name, made in TASKS.items()}


@settings(max_examples=300)
@given(name=st.sampled_from(sorted(TASKS)), record=records())
def test_the_schema_takes_what_the_reader_takes(name: str, record: dict[str, Any]) -> None:
    if is_read(TASKS[name], record):
        event(f"a {name} record is read")
        assert VALIDATORS[name].is_valid(record), record


SPAN = {"start": 4, "end": 8, "text": "mill"}


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("multiclass", {}),
        (
            "multiclass",
            {"label": "positive", "votes": [{"label": "mixed"}, {"label": "flag", "reason": "odd"}]},
        ),
        (
            "multiclass",
            {"targets": {"alpha": "positive", "beta": {"value": "negative", "probabilities": None}}},
        ),
        ("multiclass", {"context": {"prompt": PASSAGE, "aside": ""}, "label": None, "votes": None}),
        ("judged", {"votes": [{"label": "correct"}, {"label": "unsure"}]}),
        ("multilabel", {"label": LABELS, "targets": {"alpha": []}, "votes": [{"label": ["positive"]}]}),
        (
            "span",
            {"label": SPAN, "targets": {"alpha": SPAN, "beta": {"value": SPAN}}, "votes": [{"label": SPAN}]},
        ),
        ("string", {"label": "A mill.", "targets": {"alpha": ""}, "votes": [{"label": "incorrect"}]}),
    ],
)
def test_reader_and_schema_take_records_of_every_type(name: str, changes: dict[str, Any]) -> None:
    record = {**LEAST, **changes}
    assert is_read(TASKS[name], record)
    assert VALIDATORS[name].is_valid(record)


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("multiclass", {"gold": "positive"}),
        ("multiclass", {"id": ""}),
        ("multiclass", {"context": {}}),
        ("multiclass", {"context": {"prompt": PASSAGE, "other": "x"}}),
        ("multiclass", {"input": {"text": "So.", "claim": "positive"}}),
        ("multiclass", {"label": "glad"}),
        ("multiclass", {"cohort": "bots"}),
        ("multiclass", {"targets": {"alpha": "glad"}}),
        ("multiclass", {"targets": {"alpha": {"value": "positive", "probabilities": {"positive": 2}}}}),
        ("multiclass", {"votes": [{"label": "correct"}]}),
        ("multiclass", {"votes": [{"label": "positive", "at": "yesterday"}]}),
        ("multiclass", {"votes": [{"voter": "Bob"}]}),
        ("judged", {"votes": [{"label": "positive"}]}),
        ("multilabel", {"label": []}),
        ("multilabel", {"votes": [{"label": "positive"}]}),
        ("span", {"label": "mill"}),
        ("string", {"label": "x" * 31}),
    ],
)
def test_reader_and_schema_refuse_the_same(name: str, changes: dict[str, Any]) -> None:
    record = {**LEAST, **changes}
    assert not is_read(TASKS[name], record)
    assert not VALIDATORS[name].is_valid(record)


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.yaml")), ids=lambda path: path.stem)
def test_every_example_task_has_a_schema_of_its_records(path: Path) -> None:
    schema = record_schema(read_task_configuration(yaml.safe_load(path.read_text())), "https://example.org/s")
    assert meta.is_valid(schema)
    assert schema["required"] == ["id", "context", "input"]
