"""Task rules read from configurations, and pseudonyms of people."""

from typing import Any
from uuid import UUID

import pytest
from dynabench_tasks.configuration.problems import ConfigurationError
from dynabench_tasks.validated_error import GoldPolicy
from scoring.dataset.rows import Field
from scoring.domain.pseudonyms import Pseudonyms, new_key
from scoring.domain.round_facts import RoundFacts
from scoring.domain.task_rules import TaskRules, read_rules

CONTEXT = [{"name": "passage", "type": "string"}]
LABEL = {"name": "label", "type": "multiclass", "labels": ["yes", "no"]}


def test_the_claim_is_the_field_that_stands_in_input_and_output() -> None:
    rules = read_rules(
        {
            "context": CONTEXT,
            "input": [{"name": "text", "type": "string"}, LABEL],
            "output": [LABEL],
            "validation": {"gold": "majority", "validate": "all"},
            "metadata": {"create": [{"name": "topic", "type": "multiclass", "labels": ["sea", "land"]}]},
        }
    )
    assert rules == TaskRules(
        context=(Field("passage", "string"),),
        input=(Field("text", "string"),),
        metadata=(Field("topic", "multiclass"),),
        label=Field("label", "multiclass"),
        labels=("yes", "no"),
        gold=GoldPolicy.MAJORITY,
        validates_all=True,
    )


@pytest.mark.parametrize(
    ("configuration", "key"),
    [
        ({"validation": ["all"]}, "validation"),
        ({"validation": {"gold": "loudest"}}, "validation.gold"),
        ({"input": "text"}, "input"),
        ({"output": [{"type": "string"}]}, "output[0].name"),
        ({"metadata": "none"}, "metadata"),
        ({"metadata": {"create": {"topic": "sea"}}}, "metadata.create"),
    ],
)
def test_an_unusable_configuration_names_its_key(configuration: dict[str, Any], key: str) -> None:
    usable = {"context": [{"name": "prompt", "type": "string"}], "input": [LABEL], "output": [LABEL]}
    with pytest.raises(ConfigurationError) as refused:
        read_rules({**usable, **configuration})
    assert key in [problem.path for problem in refused.value.problems]


def test_fields_of_every_configuration_have_their_newest_type() -> None:
    old = TaskRules(
        context=(Field("place", "string"), Field("text", "string")), input=(Field("said", "string"),)
    )
    new = TaskRules(context=(Field("text", "image"),), input=(Field("said", "string"),))
    nobody = UUID(int=0)
    found = RoundFacts(nobody, nobody, "s", "S", 3, "", (), "", "", "closed", {1: old, 2: new}, {}, {}, {})
    fields = found.fields()
    assert fields.context == (Field("text", "image"), Field("place", "string"))
    assert fields.input == (Field("said", "string"),)
    assert found.dataset_name == "s-round-3"


def test_metadata_of_free_text_is_left_out_unless_asked_for() -> None:
    rules = TaskRules(
        metadata=(Field("topic", "multiclass"), Field("remark", "string"), Field("picture", "image"))
    )
    nobody = UUID(int=0)
    found = RoundFacts(nobody, nobody, "s", "S", 3, "", (), "", "", "closed", {1: rules}, {}, {}, {})
    assert [field.name for field in found.fields().metadata] == ["topic"]
    assert found.fields(with_free_text=True).metadata == rules.metadata


def test_a_pseudonym_is_one_persons_under_one_key() -> None:
    first, second, key = str(UUID(int=1)), str(UUID(int=2)), new_key()
    assert Pseudonyms(key).of(first) == Pseudonyms(key).of(first)
    assert Pseudonyms(key).of(first) != Pseudonyms(key).of(second)
    assert Pseudonyms(key).of(first) != Pseudonyms(new_key()).of(first)
