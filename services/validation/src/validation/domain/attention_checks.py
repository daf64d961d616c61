"""Attention checks: items that a task's owner writes, checked against the task's fields as examples are."""

from collections.abc import Mapping
from typing import Any

from dynabench_tasks.fields import check_values, texts_of
from dynabench_tasks.values import to_text
from dynabench_tasks.vote_question import VoteMode

from validation.domain.gold import GoldContent
from validation.domain.rules import read_rules

Given = Mapping[str, Any]


def read_attention_check(
    configuration: Mapping[str, Any], context: Given, inputs: Given, answer: object
) -> GoldContent:
    """Return an attention check that looks like an example of the task. Raises InputRefused.

    `inputs` are the fields of the input without the claimed one, which is then the answer. Where people judge claims
    it is one of them, and the answer says whether it is right.
    """
    rules = read_rules(configuration)
    fields = rules.configuration.fields
    is_judged = rules.mode is VoteMode.JUDGEMENT
    started = check_values(fields.context, context, "context")
    context_texts = texts_of(fields.context, started)
    written = check_values(fields.input if is_judged else fields.written, inputs, "input", context_texts)
    texts = {**context_texts, **texts_of(fields.input, written)}
    right = rules.question.read(answer, texts, "answer")
    claimed = to_text(written.pop(rules.claimed.name)) if is_judged else right
    content = [
        {name: to_text(value) for name, value in each.items() if value != ""} for each in (started, written)
    ]
    return GoldContent(content[0], content[1], claimed, "", (right,))
