"""A context's text may be optional: then it may be left out or blank, and is empty wherever it is read."""

import json
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import yaml
from annotation.domain.context import read_context_line
from annotation.domain.identifiers import ContextId
from dynabench_tasks.configuration.problems import ConfigurationError
from dynabench_tasks.configuration.reader import configuration_schema, read_task_configuration
from dynabench_tasks.fields import InputRefused
from jsonschema_rs import Draft202012Validator

PLAIN = yaml.safe_load((Path(__file__).parents[1] / "sentiment.yaml").read_text())
SCHEMA = Draft202012Validator(configuration_schema("http://127.0.0.1/schema.json"))
PROMPT = {"name": "prompt", "type": "string", "max_length": 20, "optional": True}
TEXT, LABEL = PLAIN["input"]
CONTEXT_ID = ContextId(UUID(int=1))


def optional(**changes: Any) -> dict[str, Any]:
    return {**PLAIN, "context": [PROMPT], **changes}


def test_an_optional_text_survives_being_written_and_read() -> None:
    configuration = read_task_configuration(optional())
    written = json.loads(json.dumps(configuration.document()))
    assert written["context"][0]["optional"] is True
    assert read_task_configuration(written) == configuration
    assert SCHEMA.is_valid(written)
    plain = json.loads(json.dumps(read_task_configuration(PLAIN).document()))
    assert "optional" not in plain["context"][0]


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"context": [{**PROMPT, "optional": "yes"}]}, "context[0].optional"),
        ({"context": [{"name": "picture", "type": "image", "optional": True}]}, "context[0].optional"),
        ({"input": [{**TEXT, "optional": True}, LABEL]}, "input[0].optional"),
        # Models refuse empty texts.
        ({"instance": {"text": "text", "prompt": "prompt"}}, "instance.prompt"),
    ],
)
def test_only_texts_of_the_context_that_no_model_reads_are_optional(
    changes: dict[str, Any], path: str
) -> None:
    with pytest.raises(ConfigurationError) as caught:
        read_task_configuration(optional(**changes))
    assert caught.value.path == path
    assert caught.value.remedy


@pytest.mark.parametrize(
    "change",
    [
        {"context": [{**PROMPT, "optional": "yes"}]},
        {"context": [{"name": "picture", "type": "image", "optional": True}]},
        {"input": [{**TEXT, "optional": True}, LABEL]},
    ],
)
def test_the_schema_refuses_it_elsewhere_too(change: dict[str, Any]) -> None:
    assert not SCHEMA.is_valid(optional(**change))


@pytest.mark.parametrize("fields", [{}, {"prompt": None}, {"prompt": ""}, {"prompt": " \u200b\n"}])
def test_a_text_that_is_left_out_or_blank_is_empty(fields: dict[str, Any]) -> None:
    configuration = read_task_configuration(optional())
    context = read_context_line(configuration, CONTEXT_ID, {"fields": fields})
    assert context.fields == {"prompt": ""}
    assert configuration.texts(context.fields, {"text": "So."}) == {"prompt": "", "text": "So."}
    assert configuration.instance(context.fields, {"text": "So."}) == {"text": "So."}


def test_contexts_without_the_text_are_one_context() -> None:
    configuration = read_task_configuration(optional())
    left_out, blank = (
        read_context_line(configuration, CONTEXT_ID, {"fields": fields}) for fields in ({}, {"prompt": " "})
    )
    assert left_out.fingerprint == blank.fingerprint


def test_a_context_older_than_an_optional_field_reads_as_empty() -> None:
    assert read_task_configuration(optional()).texts({}, {"text": "So."})["prompt"] == ""


@pytest.mark.parametrize("prompt", ["x" * 21, " " * 21, "\x00", 3])
def test_what_can_not_be_kept_is_refused_all_the_same(prompt: int | str) -> None:
    with pytest.raises(InputRefused):
        read_context_line(read_task_configuration(optional()), CONTEXT_ID, {"fields": {"prompt": prompt}})


@pytest.mark.parametrize("fields", [{}, {"prompt": ""}])
def test_a_required_text_must_be_there(fields: dict[str, str]) -> None:
    with pytest.raises(InputRefused):
        read_context_line(read_task_configuration(PLAIN), CONTEXT_ID, {"fields": fields})
