"""Tasks in a list, and one task with its rounds."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from dynabench_client.results.annotation import Round, Task
from dynabench_client.results.leaderboard import TaskHeadline

from web.kit.numbers import MISSING, RateView, count, rate
from web.kit.rounds import RoundView, fooled, outlook, round_view

PREFERENCE = {"open": 0, "paused": 1, "closed": 2, "released": 3, "draft": 4}


@dataclass(frozen=True)
class TaskCard:
    """A task in the list, with the round that matters now and its headline."""

    slug: str
    title: str
    description: str
    round: RoundView | None
    tries: str
    fooled: str
    vmer: RateView
    outlook: str
    has_figures: bool


def task_cards(tasks: Iterable[Task], headlines: Mapping[str, TaskHeadline]) -> list[TaskCard]:
    """Return the cards; a task whose figures can't be read just now has dashes."""
    return [_card(task, headlines.get(task.slug)) for task in tasks]


def current_round(rounds: Iterable[Round]) -> Round | None:
    """Return the round that people want: the newest open one, else the one nearest to open."""
    return min(rounds, key=lambda found: (PREFERENCE.get(found.state, 9), -found.number), default=None)


def _card(task: Task, headline: TaskHeadline | None) -> TaskCard:
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
