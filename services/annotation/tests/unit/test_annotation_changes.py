"""What differs between two versions, where a problem stands in the text, and the schema that editors use."""

from pathlib import Path

import pytest
import yaml
from dynabench_tasks.configuration.changes import Change, changes_between
from dynabench_tasks.configuration.json_schema import configuration_schema
from dynabench_tasks.configuration.reader import read_task_configuration
from dynabench_tasks.configuration.yaml_text import find_problems
from jsonschema_rs import Draft202012Validator, meta

ROOT = Path(__file__).parents[4]
TASKS = [
    *sorted((ROOT / "services" / "annotation" / "tasks").glob("*.yaml")),
    *sorted((ROOT / "examples").glob("*.yaml")),
]
PLAIN = (Path(__file__).parents[1] / "sentiment.yaml").read_text()
SCHEMA = Draft202012Validator(configuration_schema("http://127.0.0.1/schema.json"))

TEXT = {"name": "text", "type": "string", "max_length": 100}
LABEL = {"name": "label", "labels": ["a", "b"]}


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        ({"title": "a"}, {"title": "a"}, []),
        ({"title": "a"}, {"title": "b"}, [("title", "a", "b")]),
        ({}, {"quotas": {"tries_per_person": 5}}, [("quotas.tries_per_person", None, 5)]),
        ({"quotas": {"tries_per_person": 5}}, {"quotas": {}}, [("quotas.tries_per_person", 5, None)]),
        ({"input": [TEXT, LABEL]}, {"input": [LABEL, TEXT]}, []),
        (
            {"input": [TEXT]},
            {"input": [{**TEXT, "max_length": 50}]},
            [("input.text.max_length", 100, 50)],
        ),
        (
            {"input": [LABEL]},
            {"input": [{**LABEL, "labels": ["a", "b", "c"]}]},
            [("input.label.labels", ["a", "b"], ["a", "b", "c"])],
        ),
        (
            {"wrong_when": {"exact_match": {"fields": ["label"]}}},
            {"wrong_when": "ask_annotator"},
            [("wrong_when", None, "ask_annotator"), ("wrong_when.exact_match.fields", ["label"], None)],
        ),
    ],
)
def test_changes_are_told_by_place(before, after, changes):
    assert changes_between(before, after) == tuple(Change(*change) for change in changes)


@pytest.mark.parametrize(
    ("old", "new", "path", "line_of"),
    [
        ("title: Sentiment", "titel: Sentiment", "title", "slug: sentiment"),
        ("  - name: label", "  - name: my label", "input[1].name", "  - name: my label"),
        ("probes: counted", "probes: [counted", "configuration", None),
        ("policy: least_used", "policy: least_use", "contexts.policy", "  policy: least_use"),
        ("ensemble: any", "ensemble: &x any", "configuration", "ensemble: &x any"),
        ("      agree: 2", "      agree: 9", "validation.policy.adaptive.agree", "      agree: 9"),
    ],
)
def test_a_problem_comes_with_its_place(old, new, path, line_of):
    text = PLAIN.replace(old, new, 1)
    configuration, [problem, *_] = find_problems(text)

    assert configuration is None
    assert problem.path == path
    if line_of is not None:
        line = text.splitlines()[problem.line - 1]
        assert line == line_of
        assert problem.column == len(line) - len(line.lstrip()) + 1 or line.lstrip().startswith(("-", "ens"))


def test_a_usable_text_has_no_problem():
    configuration, problems = find_problems(PLAIN)
    assert (configuration.slug, problems) == ("sentiment", ())


def test_the_schema_is_a_schema():
    assert meta.is_valid(configuration_schema("http://127.0.0.1/schema.json"))


@pytest.mark.parametrize("path", TASKS, ids=lambda path: path.stem)
def test_the_schema_takes_what_the_reader_takes(path):
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
def test_the_schema_refuses_what_the_reader_refuses(change):
    assert list(SCHEMA.iter_errors({**yaml.safe_load(PLAIN), **change}))
