"""Items on which two models differ: the reader's choice, and a page of them with their texts."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Self
from urllib.parse import urlencode

from dynabench_client.results.models import ComparedItem, ComparedItems

from web.kit.configuration import TaskRules
from web.kit.dependencies import platform
from web.kit.form import whole_number
from web.kit.items import ItemView, answer_words, item_view
from web.kit.language import N_, _
from web.kit.numbers import count
from web.kit.outcomes import Outcome, attempt
from web.kit.problems import ProblemView

PAGE, MOST_PAGES = 10, 1000
LONGEST = 200
RIGHT = {
    "first": N_("only %(first)s"),
    "second": N_("only %(second)s"),
    "neither": N_("neither"),
}
"""Values of the filter by the model that is right, in words."""


@dataclass(frozen=True)
class Choice:
    """The models, the dataset and the filters in the address; all are empty at first."""

    first: str = ""
    second: str = ""
    dataset: str = ""
    right: str = ""
    label: str = ""
    page: int = 1

    @classmethod
    def of(cls, given: Mapping[str, str]) -> Self:
        """Return the choice of an address; what can't be is left out."""
        first, second, dataset = (
            given.get(name, "").strip()[:LONGEST] for name in ("first", "second", "dataset")
        )
        return cls(
            first,
            second,
            dataset,
            right=given.get("right", "") if given.get("right") in RIGHT else "",
            label=given.get("label", "")[:LONGEST],
            page=min(max(whole_number(given.get("page", ""), most_digits=4) or 1, 1), MOST_PAGES),
        )

    @property
    def is_whole(self) -> bool:
        """Return whether two models and a dataset are chosen."""
        return bool(self.first and self.second and self.dataset)

    def address(self, slug: str, page: int) -> str:
        """Return the address of a page with this choice."""
        chosen = {name: value for name, value in asdict(replace(self, page=page)).items() if value}
        return f"/tasks/{slug}/board/compare?{urlencode(chosen)}#items"


@dataclass(frozen=True)
class ComparedItemView:
    """An item with both answers; an answer is empty if there is none."""

    item: ItemView
    answers: Sequence[tuple[str, str, bool]]


@dataclass(frozen=True)
class ComparedItemsView:
    """A page of items; `problem` says why their texts are not shown."""

    items: Sequence[ComparedItemView]
    summary: str
    first_address: str
    next_address: str
    problem: ProblemView | None = None


def read_items(choice: Choice) -> Outcome[ComparedItems]:
    """Return the chosen page of items, or the reason why they are not shown."""
    return attempt(
        lambda: platform().evaluations.compared_items(
            choice.dataset,
            choice.first,
            choice.second,
            right=choice.right or None,
            label=choice.label or None,
            limit=PAGE,
            offset=(choice.page - 1) * PAGE,
        )
    )


def items_view(outcome: Outcome[ComparedItems], choice: Choice, rules: TaskRules) -> ComparedItemsView:
    """Return the view of a page of items."""
    found = outcome.value
    if found is None:
        return ComparedItemsView((), "", "", "", outcome.problem)
    first = (choice.page - 1) * PAGE
    last = first + len(found.items)
    has_next = bool(found.items) and last < found.number and choice.page < MOST_PAGES
    places = {"first": count(first + 1), "last": count(last), "number": count(found.number)}
    summary = (
        _("Items %(first)s to %(last)s of %(number)s.", **places)
        if found.items
        else _("No items match. Choose other filters.")
    )
    return ComparedItemsView(
        [_item(each, found, rules) for each in found.items],
        summary,
        choice.address(rules.slug, 1) if first else "",
        choice.address(rules.slug, choice.page + 1) if has_next else "",
    )


def _item(each: ComparedItem, found: ComparedItems, rules: TaskRules) -> ComparedItemView:
    return ComparedItemView(
        item_view(each, found.dataset_id, rules),
        (
            (found.first, answer_words(each.first, rules), each.first_is_right),
            (found.second, answer_words(each.second, rules), each.second_is_right),
        ),
    )
