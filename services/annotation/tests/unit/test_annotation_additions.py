"""A new field type, wrong-when rule, metric or context policy is one module that registers itself."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
import yaml
from dynabench_tasks.configuration.json_schema import configuration_schema
from dynabench_tasks.configuration.reader import read_task_configuration
from dynabench_tasks.context_policies import CONTEXT_POLICIES
from dynabench_tasks.fields import FIELD_TYPES, InputRefused
from dynabench_tasks.metrics import METRICS
from dynabench_tasks.wrong_when import WRONG_RULES
from jsonschema_rs import Draft202012Validator

TESTS = Path(__file__).parents[1]
ADDITIONS = sorted((TESTS / "additions").glob("*.py"))
CONTRIBUTING = (Path(__file__).parents[4] / "CONTRIBUTING.md").read_text()
WHEN = {"name": "when", "type": "date", "label": "When did it happen?"}


@pytest.fixture
def added(monkeypatch):
    """Import the additions, and forget them afterwards."""
    for registry in (FIELD_TYPES, WRONG_RULES, METRICS, CONTEXT_POLICIES):
        monkeypatch.setattr(registry, "_things", dict(registry._things))
    for path in ADDITIONS:
        spec = spec_from_file_location(f"additions.{path.stem}", path)
        spec.loader.exec_module(module_from_spec(spec))


def document():
    plain = yaml.safe_load((TESTS / "sentiment.yaml").read_text())
    return {
        **plain,
        "input": [*plain["input"], WHEN],
        "wrong_when": "never_wrong",
        "contexts": {"policy": "hardest_first"},
        "metrics": {"weights": {"calibration": 2}},
    }


def test_a_task_uses_what_was_added(added):
    configuration = read_task_configuration(document())

    text = {"text": "Fine.", "label": "positive"}
    written, claimed = configuration.check_input({**text, "when": "2026-11-21"}, {})
    assert (written["when"], claimed) == ("2026-11-21", "positive")
    with pytest.raises(InputRefused) as refused:
        configuration.check_input({**text, "when": "yesterday"}, {})
    assert refused.value.field == "input.when"
    assert configuration.wrong_when.is_wrong("positive", "negative") is False
    assert configuration.context_policy.name == "hardest_first"
    assert dict(configuration.metrics.weights)["calibration"] == 2
    assert read_task_configuration(configuration.document()) == configuration


def test_the_schema_knows_what_was_added(added):
    schema = Draft202012Validator(configuration_schema("http://127.0.0.1/schema.json"))
    assert [error.message for error in schema.iter_errors(document())] == []


def test_without_the_additions_the_task_is_refused():
    schema = Draft202012Validator(configuration_schema("http://127.0.0.1/schema.json"))
    assert len(list(schema.iter_errors(document()))) >= 4


@pytest.mark.parametrize("path", ADDITIONS, ids=lambda path: path.stem)
def test_contributing_shows_each_addition_in_full(path):
    assert path.read_text().strip() in CONTRIBUTING
