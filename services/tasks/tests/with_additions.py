"""Reads the task on standard input with the additions on the path, and prints the result."""

import json
import sys
from typing import Any

from dynabench_tasks.configuration.problems import ConfigurationError
from dynabench_tasks.configuration.published import read_published
from dynabench_tasks.configuration.reader import configuration_schema, read_task_configuration
from dynabench_tasks.fields import InputRefused
from jsonschema_rs import Draft202012Validator


def main() -> dict[str, Any]:
    document = json.load(sys.stdin)
    schema = Draft202012Validator(configuration_schema("http://127.0.0.1/schema.json"))
    result: dict[str, Any] = {"schema": [error.message for error in schema.iter_errors(document)]}
    try:
        configuration = read_task_configuration(document)
    except ConfigurationError as err:
        return {**result, "problems": [problem.path for problem in err.problems]}
    text = {"text": "Fine.", "label": "positive"}
    written, claimed = configuration.check_input({**text, "when": "2026-11-21"}, {})
    try:
        configuration.check_input({**text, "when": "yesterday"}, {})
    except InputRefused as err:
        result["refused"] = err.field
    filled = configuration.document()
    return {
        **result,
        "written": written["when"],
        "claimed": claimed,
        "is_wrong": configuration.wrong_when.is_wrong("positive", "negative"),
        "order": list(configuration.context_policy.order),
        "weights": dict(configuration.metrics.weights),
        "survives": read_published(filled) == configuration,
    }


json.dump(main(), sys.stdout)
