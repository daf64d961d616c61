"""Task configurations: valid parts survive, and invalid ones are refused with place and remedy."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from dynabench_tasks.configuration.problems import ConfigurationError
from dynabench_tasks.configuration.reader import read_task_configuration
from dynabench_tasks.configuration.validation_rules import USUAL_READING_SPEED
from dynabench_tasks.configuration.yaml_text import parse_yaml, read_configuration
from dynabench_tasks.fields import InputRefused

EXAMPLES = sorted((Path(__file__).parents[4] / "examples").glob("*.yaml"))
SERVICES = Path(__file__).parents[3]
TEMPLATES = (
    *sorted((SERVICES / "annotation" / "tasks").glob("*.yaml")),
    *sorted((SERVICES / "web" / "src" / "web" / "configure" / "templates").glob("*.yaml")),
)
PLAIN = (Path(__file__).parents[1] / "sentiment.yaml").read_text()


def document(**changes: Any) -> dict[str, Any]:
    """A plain configuration with changed keys; None removes one."""
    changed = {**yaml.safe_load(PLAIN), **changes}
    return {key: value for key, value in changed.items() if value is not None}


def error_of(**changes: Any) -> ConfigurationError:
    with pytest.raises(ConfigurationError) as caught:
        read_task_configuration(document(**changes))
    return caught.value


LABEL = {"name": "label", "type": "multiclass", "labels": ["negative", "neutral", "positive"]}
TEXT = {"name": "text", "type": "string", "max_length": 100}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_task_is_usable(path: Path) -> None:
    assert read_configuration(path.read_text()).slug == path.stem


@pytest.mark.parametrize("path", [*EXAMPLES, *TEMPLATES], ids=lambda path: path.stem)
def test_what_new_tasks_begin_with_names_a_reading_speed(path: Path) -> None:
    assert read_configuration(path.read_text()).validation.reading_speed >= USUAL_READING_SPEED


def test_a_configuration_that_was_written_before_takes_every_vote() -> None:
    configuration = read_configuration(PLAIN)
    assert configuration.validation.reading_speed == 0
    assert "reading_speed" not in str(configuration.document())


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"ensemble": "all"},
        {"ensemble": {"at_least": 2}},
        {"quotas": {"tries_per_context": 10}},
        {"goal": {"validated_errors": 2000}},
        {
            "validation": {
                "policy": {"fixed": {"votes": 5, "agree": 3}},
                "options": [*LABEL["labels"], "mixed"],
            }
        },
        {"validation": {"validate": {"uncertain": {"margin_below": 0.2}}}},
        {"validation": None, "contexts": None, "conditions": None, "explanations": None, "probes": None},
    ],
)
def test_a_configuration_survives_being_written_and_read(changes: dict[str, Any]) -> None:
    configuration = read_task_configuration(document(**changes))
    assert read_task_configuration(json.loads(json.dumps(configuration.document()))) == configuration


@pytest.mark.parametrize(
    ("changes", "path", "reason"),
    [
        ({"title": None}, "title", "is missing"),
        ({"title": ""}, "title", "is blank"),
        ({"title": 7}, "title", "a whole number"),
        ({"slug": "Sentiment Task"}, "slug", "lower-case"),
        ({"slug": "-x"}, "slug", "lower-case"),
        ({"languages": []}, "languages", "0 entries"),
        ({"languages": [True]}, "languages[0]", "quotes"),
        ({"instrctions": "x"}, "instrctions", "Did you mean `instructions`?"),
        ({"zebra": 1}, "zebra", "Known here"),
        ({"input": [TEXT]}, "output", "shares 0 fields"),
        ({"input": [TEXT, {**LABEL, "labels": ["yes", "no"]}]}, "output[0].labels", "differ"),
        ({"input": [TEXT, {**LABEL, "labels": [True, False]}]}, "input[1].labels[0]", "quotes"),
        ({"input": [TEXT, {**LABEL, "labels": ["a"]}]}, "input[1].labels", "at least two"),
        ({"input": [TEXT, {**LABEL, "labels": ["a", "a"]}]}, "input[1].labels[1]", "repeats"),
        ({"input": [TEXT, TEXT, LABEL]}, "input[1]", "repeats"),
        ({"input": [{**TEXT, "name": "prompt"}, LABEL]}, "input[0].name", "context's"),
        ({"input": [{**TEXT, "name": "my text"}, LABEL]}, "input[0].name", "lower-case"),
        ({"input": [{**TEXT, "type": "strng"}, LABEL]}, "input[0].type", "Did you mean `string`?"),
        ({"input": [{**TEXT, "max_lenght": 5}, LABEL]}, "input[0].max_lenght", "`max_length`"),
        ({"input": [{**TEXT, "max_length": 0}, LABEL]}, "input[0].max_length", "from 1 to"),
        ({"input": [{**TEXT, "max_length": True}, LABEL]}, "input[0].max_length", "true or false"),
        ({"input": ["text"]}, "input[0]", "is text"),
        ({"output": [LABEL, {**LABEL, "name": "other"}]}, "output[1]", "does not stand in the input"),
        ({"output": [{"name": "label", "type": "string"}]}, "output[0].type", "multiclass"),
        ({"context": []}, "context", "0 entries"),
        ({"context": {}}, "context", "a list"),
        ({"wrong_when": {}}, "wrong_when", "names no rule"),
        ({"wrong_when": {"exact_mach": {"fields": ["label"]}}}, "wrong_when.exact_mach", "`exact_match`"),
        (
            {"wrong_when": {"exact_match": {"fields": ["lable"]}}},
            "wrong_when.exact_match.fields[0]",
            "`label`",
        ),
        ({"wrong_when": {"exact_match": {}}}, "wrong_when.exact_match.fields", "is missing"),
        ({"wrong_when": {"exact_match": {}, "token_f1": {}}}, "wrong_when", "exactly one"),
        ({"ensemble": "most"}, "ensemble", "any"),
        ({"ensemble": {"at_least": 9}}, "ensemble.at_least", "from 1 to 8"),
        ({"ensemble": {"atleast": 2}}, "ensemble.at_least", "is missing"),
        ({"ensemble": 2}, "ensemble", "at_least"),
        ({"contexts": {"policy": "least_use"}}, "contexts.policy", "`least_used`"),
        ({"conditions": []}, "conditions", "0 entries"),
        ({"conditions": [{"name": "a"}, {"name": "a"}]}, "conditions[1]", "repeats"),
        ({"conditions": [{"name": "a", "weight": 0}]}, "conditions[0].weight", "from 0.001"),
        ({"conditions": [{"name": "a", "weight": float("nan")}]}, "conditions[0].weight", "a number"),
        ({"quotas": {"try_per_context": 1}}, "quotas.try_per_context", "`tries_per_context`"),
        ({"title": None, "titel": "x"}, "title", "Did you write `titel` for it?"),
        ({"languages": None}, "languages", "is missing"),
        ({"goal": {"validated_errors": 0}}, "goal.validated_errors", "from 1"),
        ({"validation": {"options": ["negative"]}}, "validation.options", "lacks"),
        ({"validation": {"vote": "labels"}}, "validation.vote", "`label`"),
        ({"validation": {"gold": "majorty"}}, "validation.gold", "`majority`"),
        ({"validation": {"vote": "judgement", "gold": "majority"}}, "validation.gold", "author_confirmed"),
        ({"validation": {"sample": 2}}, "validation.sample", "from 0 to 1"),
        (
            {"validation": {"policy": {"adaptive": {"agree": 4, "max_votes": 3}}}},
            "validation.policy.adaptive.agree",
            "from 1 to 3",
        ),
        (
            {"validation": {"policy": {"adaptive": {"agree": 2, "votes": 3}}}},
            "validation.policy.adaptive.max_votes",
            "is missing",
        ),
        ({"validation": {"policy": {"fixed": {}, "adaptive": {}}}}, "validation.policy", "two policies"),
        ({"validation": {"policy": {"adaptve": {}}}}, "validation.policy.adaptve", "`adaptive`"),
        ({"validation": {"validate": 3}}, "validation.validate", "fooling"),
        (
            {"validation": {"validate": {"uncertain": {}}}},
            "validation.validate.uncertain.margin_below",
            "missing",
        ),
        ({"validation": {"lease_seconds": 1}}, "validation.lease_seconds", "from 30"),
        ({"explanations": "required"}, "explanations", "required_when_fooled"),
        ({"public_examples": "afterwards"}, "public_examples", "after_release"),
        ({"access": "nobody"}, "access", "invited"),
        ({"probes": "xyz"}, "probes", "none"),
        ({"title": "bell\x07"}, "title", "U+0007"),
        ({"title": "half \ud83d"}, "title", "U+D83D"),
    ],
)
def test_what_cant_be_used_is_refused_with_place_and_remedy(
    changes: dict[str, Any], path: str, reason: str
) -> None:
    error = error_of(**changes)
    assert error.path == path
    assert reason in f"{error.reason} {error.remedy}"


@pytest.mark.parametrize("given", [None, [], "text", 3, {1: 2}])
def test_a_document_that_is_no_mapping_is_refused(given: object) -> None:
    with pytest.raises(ConfigurationError):
        read_task_configuration(given)


BOMB = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (BOMB, "anchors and aliases"),
        ("slug: *nowhere", "anchors and aliases"),
        ("title: &t x", "anchors and aliases"),
        ("slug: a\nslug: b", "line 2, column 1: the key 'slug' appears twice"),
        ("slug: [", "line 1"),
        ("\tslug: x", "line 1"),
        ("x: !!python/object/apply:os.system [ls]", "line 1"),
        ("[" * 10_000, "deeper"),
        ("x: " + "{a: " * 50 + "1" + "}" * 50, "deeper"),
        ("x: !!int '5'", "tags are not allowed"),
        ("a: 2026-13-45", "unusable value"),
        ("? [a]\n: b", "line 1"),
        ("x: \x00", "not readable"),
        ("a: 1\nb: [", "line 2, column 5"),
        ("a: 1\nb: \ud800", "holds half of a surrogate pair at line 2, column 4"),
        ('a: 1\n"\\ud800": 1', "line 2, column 4: found invalid Unicode character escape code"),
        ("x: [" + "1," * 15_000 + "]", "more than 15000 parts"),
        ("", "missing or empty"),
        ("- 1", "a list"),
        ("--- a\n--- b", "line 2"),
        ("x" * 256_001, "256 kB"),
        ("é" * 128_001, "256 kB"),
    ],
)
def test_yaml_that_cant_be_trusted_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        read_configuration(text)
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    "number",
    [
        ":".join("1" * 85_000),
        ":".join("1" * 85_000) + ".5",
        "9" * 85_000,
        "0x" + "f" * 85_000,
        "0b" + "1" * 85_000,
        "1." + "1" * 85_000 + "e+9",
        "2026-11-26 " + " " * 85_000 + "1:1:1",
    ],
)
def test_what_is_too_long_for_a_number_is_text_that_nothing_is_worked_out_from(number: str) -> None:
    assert parse_yaml(f"slug: {number}").document == {"slug": number}
    with pytest.raises(ConfigurationError) as caught:
        read_configuration(f"slug: {number}")
    (problem,) = (problem for problem in caught.value.problems if problem.path == "slug")
    assert problem.reason == f"has {len(number):,} characters; at most 40 are allowed"


@pytest.mark.parametrize(
    ("instance", "given", "refused"),
    [
        ({"text": "text"}, {}, ""),
        ({"text": "text"}, {"prompt": "P"}, ""),
        ({"text": "text"}, {"prompt": 1}, "context.prompt"),
        ({"text": "text"}, {"tone": "x"}, "context.tone"),
        ({"text": "text", "before": "prompt"}, {}, "context.prompt"),
        ({"text": "text", "before": "prompt"}, {"prompt": "P"}, ""),
    ],
)
def test_a_context_needs_only_the_fields_that_models_read(
    instance: dict[str, str], given: dict[str, Any], refused: str
) -> None:
    configuration = read_task_configuration(document(instance=instance))
    if refused:
        with pytest.raises(InputRefused) as caught:
            configuration.check_read_context(given, "context")
        assert caught.value.field == refused
    else:
        assert configuration.check_read_context(given, "context") == given
