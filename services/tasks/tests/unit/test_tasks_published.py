"""Configurations of events and databases: all versions are read; unknown keys are ignored, unknown kinds refused."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from dynabench_tasks.configuration.problems import ConfigurationError, UnknownKind
from dynabench_tasks.configuration.published import read_published
from dynabench_tasks.configuration.reader import read_task_configuration
from dynabench_tasks.configuration.yaml_text import read_configuration

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("v*/*.json"))
PUBLISHED = {path.stem: json.loads(path.read_text()) for path in GOLDEN}
TEXT = {"name": "text", "type": "string"}
LABEL = {"name": "label", "type": "multiclass", "labels": ["a", "b"]}
LITTLE = {"context": [TEXT], "input": [{**TEXT, "name": "own"}, LABEL], "output": [LABEL]}
Place = tuple[str | int, ...]


def later(place: Place, value: object, base: dict[str, Any] = PUBLISHED["sentiment"]) -> dict[str, Any]:
    """Return a document that a later version may have published."""
    document = copy.deepcopy(base)
    *steps, last = place
    part: Any = document
    for step in steps:
        part = part[step]
    part[last] = value
    return document


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_version_goes_on_reading_to_an_equal_document(path: Path) -> None:
    published = json.loads(path.read_text())
    passed: list[str] = []
    assert read_published(published, note=passed.append).document() == published
    assert passed == []


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_what_people_wrote_goes_on_meaning_the_same(path: Path) -> None:
    assert read_configuration(path.with_suffix(".yaml").read_text()).document() == json.loads(
        path.read_text()
    )


@pytest.mark.parametrize(
    ("place", "path"),
    [
        (("licence",), "licence"),
        (("context", 0, "hint"), "context[0].hint"),
        (("goal", "points"), "goal.points"),
        (("conditions", 0, "colour"), "conditions[0].colour"),
        (("validation", "policy", "adaptive", "at_once"), "validation.policy.adaptive.at_once"),
        (("metrics", "weights", "energy"), "metrics.weights.energy"),
    ],
)
def test_a_key_of_a_later_version_is_passed_over_and_noted(place: Place, path: str) -> None:
    passed: list[str] = []
    document = later(place, 3)
    assert read_published(document, note=passed.append).document() == PUBLISHED["sentiment"]
    assert passed == [path]
    assert read_published(document).document() == PUBLISHED["sentiment"]
    with pytest.raises(ConfigurationError) as strict:
        read_task_configuration(document)
    assert strict.value.path == path


@pytest.mark.parametrize(
    ("place", "value", "kind", "name"),
    [
        (("input", 0, "type"), "sound", "field type", "sound"),
        (("wrong_when",), "judged_by_a_model", "wrong-when rule", "judged_by_a_model"),
        (("wrong_when",), {"rouge": {"below": 0.3}}, "wrong-when rule", "rouge"),
        (("ensemble",), "most", "ensemble", "most"),
        (("ensemble",), {"weighted": [1, 2]}, "ensemble", "weighted"),
        (("validation", "policy"), {"sequential": {}}, "validation policy", "sequential"),
        (("validation", "vote"), "ranking", "vote mode", "ranking"),
        (("validation", "gold"), "expert", "gold policy", "expert"),
        (("validation", "validate"), "surprising", "selection", "surprising"),
        (("validation", "validate"), {"novel": {}}, "selection", "novel"),
        (("conditions", 0, "context"), "blurred", "way to show a context", "blurred"),
        (("language",), 2, "version of the language", "2"),
    ],
)
def test_a_kind_of_a_later_version_is_distinguished_from_a_mistake(
    place: Place, value: object, kind: str, name: str
) -> None:
    with pytest.raises(UnknownKind) as caught:
        read_published(later(place, value))
    assert (caught.value.kind, caught.value.name) == (kind, name)
    assert caught.value.path.startswith(str(place[0]))
    assert isinstance(caught.value, ConfigurationError)


def test_a_condition_on_metadata_of_a_later_version_is_not_passed_over() -> None:
    document = later(("metadata", "create", 1, "when", "device"), ["phone"], PUBLISHED["every-key"])
    with pytest.raises(UnknownKind) as caught:
        read_published(document)
    assert (caught.value.kind, caught.value.name) == ("metadata condition", "device")


def test_an_unknown_kind_takes_precedence_over_a_mistake() -> None:
    document = later(("title",), "", later(("input", 0, "type"), "sound"))
    with pytest.raises(UnknownKind):
        read_published(document)


def test_a_metric_that_is_not_known_is_kept_for_who_measures() -> None:
    configuration = read_published(later(("metrics", "primary"), "bleu"))
    metrics = json.loads(json.dumps(configuration.document()))["metrics"]
    assert metrics["primary"] == "bleu"


def test_a_context_policy_that_is_not_known_matters_to_who_assigns_contexts() -> None:
    document = later(("contexts", "policy"), "hardest_first")
    configuration = read_published(document)
    assert configuration.document() == document
    assert configuration == read_published(document)
    with pytest.raises(UnknownKind) as caught:
        configuration.context_policy.order  # noqa: B018 - asking is what is tested
    assert (caught.value.kind, caught.value.name) == ("context policy", "hardest_first")


def test_fields_are_enough() -> None:
    configuration = read_published(LITTLE)
    assert (configuration.slug, configuration.title, configuration.languages) == ("", "", ("en",))
    assert configuration.wrong_when.document() == {"exact_match": {"fields": ["label"]}}
    assert configuration.validation.document()["policy"] == {"adaptive": {"agree": 2, "max_votes": 3}}


def test_spans_are_compared_by_overlap_where_no_rule_is_named() -> None:
    answer = {"name": "answer", "type": "span", "of": "text"}
    configuration = read_published({"context": [TEXT], "input": [answer], "output": [answer]})
    assert configuration.wrong_when.document() == {"token_f1": {"field": "answer", "below": 0.4}}


@pytest.mark.parametrize("document", [{}, {"slug": "x"}, {**LITTLE, "output": []}, [], None, "x"])
def test_a_document_without_fields_can_not_be_read(document: Any) -> None:
    with pytest.raises(ConfigurationError) as caught:
        read_published(document)
    assert "context, input and output" in caught.value.remedy
    assert not isinstance(caught.value, UnknownKind)


def test_what_no_version_would_have_written_is_a_mistake() -> None:
    with pytest.raises(ConfigurationError) as caught:
        read_published(later(("validation", "sample"), "often"))
    assert not isinstance(caught.value, UnknownKind)
    assert caught.value.path == "validation.sample"


def test_reading_leaves_the_document_as_it_is() -> None:
    document = later(("licence",), 3)
    before = copy.deepcopy(document)
    read_published(document)
    assert document == before
