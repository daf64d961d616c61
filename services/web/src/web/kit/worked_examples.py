"""The examples that a task's owner made to show what is wanted."""

from collections.abc import Sequence
from dataclasses import dataclass

from web.kit import fields
from web.kit.configuration import TaskRules
from web.kit.fields import ShownValue


@dataclass(frozen=True)
class WorkedExampleView:
    """A worked example in print."""

    context: Sequence[ShownValue]
    input: Sequence[ShownValue]
    why: str


def worked_examples(rules: TaskRules) -> list[WorkedExampleView]:
    """Return a task's worked examples."""
    return [
        WorkedExampleView(
            fields.show_all(rules.context, each.context), fields.show_all(rules.input, each.input), each.why
        )
        for each in rules.worked_examples
    ]
