"""The list of tasks, each with its current round."""

from collections.abc import Iterable
from dataclasses import dataclass

from dynabench_client.results.annotation import TaskSummary
from dynabench_client.results.leaderboard import TaskHeadline

from web.kit.numbers import MISSING, RateView, count, rate
from web.kit.rounds import RoundView, current_round, fooled, outlook, round_view


@dataclass(frozen=True)
class TaskCard:
    """A task in the list, with its current round and main figures."""

    slug: str
    title: str
    description: str
    round: RoundView | None
    tries: str
    fooled: str
    vmer: RateView
    outlook: str
    has_figures: bool


def task_cards(tasks: Iterable[TaskSummary], headlines: Iterable[TaskHeadline]) -> list[TaskCard]:
    """Return the cards; a task with unreadable figures has dashes."""
    by_task = {headline.task_slug: headline for headline in headlines}
    return [_card(task, by_task.get(task.slug)) for task in tasks]


def _card(task: TaskSummary, headline: TaskHeadline | None) -> TaskCard:
    now = current_round(task.rounds)
    figures = headline.current_round if headline else None
    if figures is None or now is None or figures.round_id != now.round_id:
        figures = None
    return TaskCard(
        slug=task.slug,
        title=task.title or task.slug,
        description=task.description,
        round=round_view(now) if now else None,
        tries=count(figures.tries if figures else None),
        fooled=fooled(figures) if figures else MISSING,
        vmer=rate(figures.vmer) if figures else RateView(),
        outlook=outlook(figures) if figures else "",
        has_figures=figures is not None,
    )
