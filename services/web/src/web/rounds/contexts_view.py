"""View of a round's contexts for its owner."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dynabench_client.results.annotation import OwnersContext

from web.kit import fields
from web.kit.configuration import TaskRules
from web.kit.fields import ShownValue
from web.kit.language import N_, _, running
from web.kit.numbers import count

POLICIES = {
    "least_used": N_("The least used ones come first."),
    "uniform": N_("They come in random order."),
    "least_fooled": N_("Those where the models were fooled least often come first."),
    "validation_failed": N_("Those whose examples people did not confirm come first."),
}


@dataclass(frozen=True)
class ContextRow:
    """A context in the list."""

    context_id: str
    values: list[ShownValue]
    tags: list[str]
    use_count: str
    flags: int
    is_withdrawn: bool


def context_rows(contexts: Sequence[OwnersContext], rules: TaskRules) -> list[ContextRow]:
    """Return the view of the contexts."""
    return [
        ContextRow(
            context.context_id,
            fields.show_all(rules.context, context.fields),
            list(context.tags),
            count(context.use_count),
            context.flags,
            context.is_withdrawn,
        )
        for context in contexts
    ]


def expected_line(rules: TaskRules) -> str:
    """Return an example line of a file of this task's contexts."""
    values = {
        field.name: {"image_id": "…", "alt": _("what the image shows")}
        if field.type == "image"
        else _("the %(field)s", field=running(field.label))
        for field in rules.context
    }
    return json.dumps({"fields": values, "tags": ["any-tag"]}, ensure_ascii=False)


def policy_words(configuration: Mapping[str, Any]) -> str:
    """Return the order in which a task assigns its contexts."""
    policy = str((configuration.get("contexts") or {}).get("policy") or "least_used")
    return _(POLICIES[policy]) if policy in POLICIES else policy.replace("_", " ")
