"""All problems of a configuration are reported at once, each with its place, without consequences of others."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from dynabench_tasks.configuration.problems import MOST_PROBLEMS, ConfigurationError
from dynabench_tasks.configuration.reader import read_task_configuration
from dynabench_tasks.configuration.yaml_text import find_problems

PLAIN = (Path(__file__).parents[1] / "sentiment.yaml").read_text()
DOCUMENT = yaml.safe_load(PLAIN)
TEXT, LABEL = DOCUMENT["input"]


def paths_of(**changes: Any) -> list[str]:
    with pytest.raises(ConfigurationError) as caught:
        read_task_configuration(
            {key: value for key, value in {**DOCUMENT, **changes}.items() if value is not None}
        )
    assert caught.value.path == caught.value.problems[0].path
    assert all(problem.reason and problem.remedy for problem in caught.value.problems)
    return [problem.path for problem in caught.value.problems]


def test_every_problem_is_reported_in_the_order_of_the_text_with_its_line() -> None:
    text = PLAIN
    for old, new in [
        ("languages: [en]", "languages: [no, en]"),
        ("max_length: 500", "max_lenght: 500"),
        ("labels: [negative, neutral, positive]\noutput", "labels: [negative, negative]\noutput"),
        ("ensemble: any", "ensemble: most"),
        ("policy: least_used", "policy: least_use"),
        ("agree: 2", "agree: 4"),
        ("sample: 0.1", "sample: 10"),
        ("probes: counted", "probe: counted"),
    ]:
        assert old in text
        text = text.replace(old, new, 1)

    configuration, problems = find_problems(text)

    assert configuration is None
    lines = text.splitlines()
    numbers = [problem.line or 0 for problem in problems]
    assert [
        (each.path, lines[number - 1].strip()) for each, number in zip(problems, numbers, strict=True)
    ] == [
        ("languages[0]", "languages: [no, en]"),
        ("context[0].max_lenght", "max_lenght: 500"),
        ("input[1].labels[1]", "labels: [negative, negative]"),
        ("ensemble", "ensemble: most"),
        ("contexts.policy", "policy: least_use"),
        ("validation.policy.adaptive.agree", "agree: 4"),
        ("validation.sample", "sample: 10"),
        ("probe", "probe: counted"),
    ]
    assert numbers[0] > 0
    assert numbers == sorted(numbers)
    assert all(problem.column and problem.reason and problem.remedy for problem in problems)


@pytest.mark.parametrize(
    ("changes", "paths"),
    [
        # Each part is checked despite problems of others.
        (
            {"title": 7, "goal": {"message": 3}, "quotas": {"tries_per_person": 0}},
            ["title", "goal.message", "quotas.tries_per_person"],
        ),
        (
            {"context": [{"name": "a b", "type": "string"}, {"name": "c", "type": "strng"}]},
            ["context[0].name", "context[1].type"],
        ),
        ({"input": [{"name": "Text", "typ": "string"}, LABEL]}, ["input[0].type", "input[0].name"]),
        (
            {"metrics": {"primary": "squad_f1"}, "goal": {"label": "assign"}},
            ["goal.label", "metrics.primary"],
        ),
        (
            {
                "metadata": {
                    "create": [{"name": "a", "type": "image"}, {"name": "b"}],
                    "validate": [{"name": "c", "type": "span", "of": "x"}],
                }
            },
            ["metadata.create[0].type", "metadata.create[1].type", "metadata.validate[0].of"],
        ),
        (
            {
                "worked_examples": [
                    {"context": {"prompt": 3}, "input": {"text": "", "lable": "neutral"}, "why": ""}
                ]
            },
            [
                "worked_examples[0].context.prompt",
                "worked_examples[0].input.text",
                "worked_examples[0].input.lable",
                "worked_examples[0].why",
            ],
        ),
    ],
)
def test_parts_are_checked_independently(changes: dict[str, Any], paths: list[str]) -> None:
    assert sorted(paths_of(**changes)) == sorted(paths)


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        # A misspelt key is not missing, and what it meant is not judged by its default.
        ({"title": None, "titel": "x"}, "title"),
        (
            {
                "validation": None,
                "validaton": {"options": [*LABEL["labels"], "mixed"]},
                "metadata": {"validate": [{**TEXT, "when": {"vote": ["mixed"]}}]},
            },
            "validaton",
        ),
        # A field that can't be used may be referred to all the same.
        (
            {"context": [{**DOCUMENT["context"][0], "max_length": 0}], "instance": {"a": "prompt"}},
            "context[0].max_length",
        ),
        ({"input": [TEXT, {**LABEL, "labels": "neutral"}], "goal": {"label": "assigned"}}, "input[1].labels"),
        ({"input": [{**TEXT, "name": "a b"}, LABEL], "instance": {"text": "a b"}}, "input[0].name"),
        # Without a readable claim, dependent parts are not checked.
        ({"output": []}, "output"),
        ({"output": [LABEL, LABEL]}, "output[1]"),
        ({"input": [TEXT]}, "output"),
        ({"input": [TEXT, {**LABEL, "labels": ["a", "b"]}]}, "output[0].labels"),
        ({"output": [{"name": "label", "type": "strng"}]}, "output[0].type"),
        # A block of the wrong kind is one problem.
        ({"validation": []}, "validation"),
        ({"wrong_when": {"exact_mach": {"fields": ["lable"]}}}, "wrong_when.exact_mach"),
        # Tips and meanings are texts for people: they say something, once, and of labels that are there.
        ({"tips": "Be ironic."}, "tips"),
        ({"tips": ["Be ironic.", " "]}, "tips[1]"),
        ({"tips": ["Be ironic.", "Be ironic."]}, "tips[1]"),
        (
            {"input": [TEXT, {**LABEL, "meanings": {"neutrall": {"words": "a fact"}}}]},
            "input[1].meanings.neutrall",
        ),
        ({"input": [TEXT, {**LABEL, "meanings": {"neutral": "a fact"}}]}, "input[1].meanings.neutral"),
        (
            {"input": [TEXT, {**LABEL, "meanings": {"neutral": {"example": "Rain."}}}]},
            "input[1].meanings.neutral.words",
        ),
    ],
)
def test_consequences_of_a_problem_are_not_reported(changes: dict[str, Any], path: str) -> None:
    assert paths_of(**changes) == [path]


def test_nobody_reads_thousands_of_problems() -> None:
    assert len(paths_of(**{f"key{number}": 1 for number in range(5_000)})) == MOST_PROBLEMS


@pytest.mark.parametrize("bits", [70, 20_000])
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("place", ["lease_seconds", "sample"])
def test_a_number_that_is_too_long_to_be_printed_is_a_problem(place: str, sign: int, bits: int) -> None:
    assert paths_of(validation={place: sign << bits}) == [f"validation.{place}"]


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
def test_a_problem_comes_with_its_place(old: str, new: str, path: str, line_of: str | None) -> None:
    text = PLAIN.replace(old, new, 1)
    configuration, [problem] = find_problems(text)

    assert configuration is None
    assert problem.path == path
    if line_of is not None:
        assert problem.line is not None
        line = text.splitlines()[problem.line - 1]
        assert line == line_of
        assert problem.column == len(line) - len(line.lstrip()) + 1 or line.lstrip().startswith(("-", "ens"))


def test_a_usable_text_has_no_problem() -> None:
    configuration, problems = find_problems(PLAIN)
    assert configuration is not None
    assert (configuration.slug, problems) == ("sentiment", ())
