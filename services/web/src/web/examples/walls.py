"""Walls of public examples: all of them, and those of one task, with filters in the address."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from dynabench_client.results.annotation import Round
from dynabench_client.results.base import LARGEST_PAGE, Page
from dynabench_client.results.datasets import PublicExample
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.kit.configuration import TaskRules, task_rules
from web.kit.dependencies import platform
from web.kit.language import N_
from web.kit.parallel import Part, page_reads
from web.kit.public_examples import BEST, NEWEST, example_card, rules_of_tasks, wall_address
from web.kit.rendering import page
from web.kit.rounds import current_round

PAGE = 24
ORDERS = {NEWEST: N_("Newest first"), BEST: N_("Most models fooled first")}

blueprint = Blueprint("walls", __name__)


@dataclass(frozen=True)
class Filters:
    """The filters of a wall, as its address has them; an empty one leaves nothing out."""

    task: str
    model: str
    order: str
    round_id: str
    dataset_id: str

    @property
    def are_chosen(self) -> bool:
        """Return whether a filter other than the task leaves examples out."""
        return bool(self.model or self.round_id or self.dataset_id)

    def begin(self, cursor: str) -> Part[Page[PublicExample]]:
        """Start reading the examples."""
        return page_reads().read(
            platform().public_examples.list,
            task=self.task or None,
            round_id=self.round_id or None,
            target=self.model or None,
            dataset_id=self.dataset_id or None,
            order=self.order,
            limit=PAGE,
            cursor=cursor or None,
        )

    def address(self, slug: str, cursor: str = "") -> str:
        """Return the address of the wall with these filters."""
        return wall_address(
            slug,
            task="" if slug else self.task,
            model=self.model,
            order="" if self.order == NEWEST else self.order,
            round=self.round_id,
            dataset=self.dataset_id,
            cursor=cursor,
        )


@blueprint.get("/examples")
@requires(Permission.USE_PAGES)
def get_all() -> Response:
    """Show the examples of all tasks, or of the chosen one."""
    client, reads, filters = platform(), page_reads(), _filters(request.args.get("task", ""))
    named = reads.read(client.annotation.tasks, limit=LARGEST_PAGE)
    found = filters.begin(_cursor()).needed()
    rules, listed = rules_of_tasks(found.items), named.value()
    known = listed.items if listed else ()
    titles = {each.slug: each.title or each.slug for each in known}
    chosen = [each for each in known if filters.task in ("", each.slug)]
    return page(
        "examples/wall.html",
        **_views(filters, found, "", rules),
        titles=titles if not filters.task else {filters.task: filters.task, **titles},
        models=_models((round_ for each in chosen for round_ in each.rounds), filters.model),
        task=None,
        now=None,
    )


@blueprint.get("/tasks/<slug>/examples")
@requires(Permission.USE_PAGES)
def get_of_task(slug: str) -> Response:
    """Show the examples of a task."""
    filters = _filters(slug)
    reading = filters.begin(_cursor())
    task = page_reads().read(platform().annotation.task, slug).needed()
    rules, now = task_rules(task), current_round(task.rounds)
    return page(
        "examples/wall.html",
        **_views(filters, reading.needed(), slug, {slug: rules}),
        titles={},
        models=_models(task.rounds, filters.model),
        task=rules,
        now=now if now and now.state == "open" else None,
    )


def _views(
    filters: Filters, found: Page[PublicExample], slug: str, rules: dict[str, TaskRules]
) -> dict[str, Any]:
    following = found.next_cursor
    return {
        "cards": [example_card(each, rules.get(each.task_slug)) for each in found.items],
        "filters": filters,
        "orders": ORDERS,
        "action": wall_address(slug),
        "first_address": filters.address(slug),
        "next_address": filters.address(slug, following) if following else None,
        "is_first": not _cursor(),
    }


def _filters(task: str) -> Filters:
    asked = request.args
    order = asked.get("order", "")
    return Filters(
        task=task,
        model=asked.get("model", ""),
        order=order if order in ORDERS else NEWEST,
        round_id=asked.get("round", ""),
        dataset_id=asked.get("dataset", ""),
    )


def _cursor() -> str:
    return request.args.get("cursor", "")


def _models(rounds: Iterable[Round], chosen: str) -> Sequence[str]:
    """Return the models that rounds try to fool, by name, and the chosen one."""
    return sorted({target for each in rounds for target in each.targets} | ({chosen} if chosen else set()))
