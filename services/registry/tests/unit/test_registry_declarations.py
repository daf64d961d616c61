"""`models.yaml`: what is accepted, and that each refusal names the field."""

from typing import Any

import pytest
from registry.domain.declarations import DeclarationError, read_declarations

GOOD: dict[str, Any] = {
    "name": "mini",
    "version": "1",
    "archive": "mini.mar",
    "task": "sentiment",
    "task_type": "text-classification",
    "labels": ["negative", "neutral", "positive"],
    "workers": 2,
    "explain": {"workers": 1, "start": "on_demand", "idle_seconds": 900},
}


def test_defaults_fill_what_is_left_out() -> None:
    (model,) = read_declarations({"models": [GOOD]})
    assert (model.name, model.workers, model.batch_size, model.max_in_flight) == ("mini", 2, 1, 32)
    assert model.explain is not None
    assert (model.explain_name, model.explain.on_demand) == ("mini-explain", True)
    assert model.explain.response_timeout_seconds == 60


def test_a_number_is_fine_as_a_version() -> None:
    (model,) = read_declarations({"models": [{**GOOD, "version": 2}]})
    assert model.version == "2"


def test_explanations_may_be_left_out() -> None:
    (model,) = read_declarations({"models": [{**GOOD, "explain": None}]})
    assert model.explain is None


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"name": "Bad Name"}, "models[0].name"),
        ({"name": None}, "models[0].name"),
        ({"archive": "../elsewhere.mar"}, "models[0].archive"),
        ({"archive": "mini.zip"}, "models[0].archive"),
        ({"task_type": "divination"}, "models[0].task_type"),
        ({"labels": "negative"}, "models[0].labels"),
        ({"labels": []}, "models[0].labels"),
        ({"workers": 0}, "models[0].workers"),
        ({"workers": True}, "models[0].workers"),
        ({"batch_size": "8"}, "models[0].batch_size"),
        ({"wokers": 2}, "models[0].wokers"),
        ({"explain": "yes"}, "models[0].explain"),
        ({"explain": {"start": "sometimes"}}, "models[0].explain.start"),
        ({"explain": {"idle_seconds": 0}}, "models[0].explain.idle_seconds"),
    ],
)
def test_refusals_name_the_field(change: dict[str, Any], named: str) -> None:
    with pytest.raises(DeclarationError) as caught:
        read_declarations({"models": [{**GOOD, **change}]})
    assert str(caught.value).startswith(named + ":")


@pytest.mark.parametrize("content", [None, [], "models", {"models": {}}, {"model": []}])
def test_a_file_without_a_list_is_refused(content: object) -> None:
    with pytest.raises(DeclarationError, match="models"):
        read_declarations(content)


@pytest.mark.parametrize("second", ["mini", "mini-explain"])
def test_names_are_used_once(second: str) -> None:
    with pytest.raises(DeclarationError, match=r"name: .* is used twice"):
        read_declarations({"models": [{**GOOD, "name": second}, GOOD]})
