"""Items of datasets that models are scored on, as pages show them."""

from dataclasses import dataclass
from urllib.parse import urlencode

from dynabench_client.results.models import ShownItem

from web.kit import fields, isolation
from web.kit.configuration import TaskRules
from web.kit.fields import ShownValue


@dataclass(frozen=True)
class ItemView:
    """An item: its fields and right answers."""

    id: str
    address: str
    context: list[ShownValue]
    input: list[ShownValue]
    golds: list[str]
    tags: str


def item_view(found: ShownItem, dataset_id: str, rules: TaskRules) -> ItemView:
    """Return the view of an item, its fields in the task's order."""
    return ItemView(
        id=found.id,
        address=f"/datasets/scored/{dataset_id}/item?{urlencode({'id': found.id})}",
        context=fields.show_all(rules.context, found.context),
        input=fields.show_all(rules.written, found.input),
        golds=[fields.show(rules.claimed, gold).text if rules.claimed else str(gold) for gold in found.golds],
        tags=isolation.names(found.tags),
    )


def answer_words(answer: str | None, rules: TaskRules) -> str:
    """Return a model's answer, a value text, in words; empty if there is none."""
    if answer is None:
        return ""
    claimed = rules.claimed
    return fields.show(claimed, claimed.value_of(answer)).text if claimed else answer
