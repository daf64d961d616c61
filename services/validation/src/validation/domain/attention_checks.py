"""Attention checks: items that a task's owner writes, checked against the task's fields."""

from collections.abc import Mapping, Sequence
from typing import Any

from dynabench_tasks.values import to_text

from validation.domain.errors import ValueRefused
from validation.domain.field_values import nearest, read_string, shown
from validation.domain.gold import GoldContent
from validation.domain.rules import VoteMode, read_rules

LONGEST_TEXT = 20_000
PLAIN_TYPES = ("string", "multiclass")

Fields = Sequence[Mapping[str, Any]]
Given = Mapping[str, Any]


def read_attention_check(
    configuration: Mapping[str, Any], context: Given, inputs: Given, answer: object
) -> GoldContent:
    """Return an attention check that looks like an example of the task. Raises ValueRefused.

    `inputs` are the fields of the input without the claimed one, which is then the answer. Where people judge claims
    it is one of them, and the answer says whether it is right.
    """
    rules = read_rules(configuration)
    is_judged = rules.mode is VoteMode.JUDGEMENT
    wanted = [field for field in configuration["input"] if is_judged or field["name"] != rules.claim_name]
    context_texts = _read_fields(context, configuration.get("context") or (), "context")
    input_texts = _read_fields(inputs, wanted, "input")
    try:
        right = rules.answer_type.read(answer, {**context_texts, **input_texts})
    except ValueRefused as err:
        raise ValueRefused("answer", err.reason, err.remedy) from err
    claimed = input_texts.pop(rules.claim_name) if is_judged else right
    return GoldContent(context_texts, input_texts, claimed, "", (right,))


def _read_fields(given: Given, fields: Fields, where: str) -> dict[str, str]:
    names = [str(field["name"]) for field in fields]
    for name in given:
        if name not in names:
            raise ValueRefused(f"{where}.{name}", "The task has no such field here.", nearest(name, names))
    asked = [field for field in fields if field["name"] in given or not field.get("optional")]
    return {
        str(field["name"]): _read(given.get(field["name"]), str(field["type"]), f"{where}.{field['name']}")
        for field in asked
    }


def _read(value: object, type_name: str, path: str) -> str:
    if type_name in PLAIN_TYPES:
        return read_string(value, LONGEST_TEXT, path)
    if isinstance(value, dict | list) and value:
        return to_text(value)
    remedy = f"Send a {type_name} as examples of the task have it."
    raise ValueRefused(path, f"{shown(value)} is no {type_name}.", remedy)
