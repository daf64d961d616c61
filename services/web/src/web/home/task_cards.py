"""The list of tasks, each with its current round."""

from collections.abc import Iterable
from dataclasses import dataclass

from dynabench_client.results.annotation import TaskSummary
from dynabench_client.results.leaderboard import TaskHeadline

from web.kit.rounds import RoundView, current_round, round_view
from web.kit.tries_line import TriesLine, tries_line


@dataclass(frozen=True)
class TaskCard:
    """A task in the list, with its current round and its tries; None if they can't be read."""

    slug: str
    title: str
    description: str
    round: RoundView | None
    tries: TriesLine | None


def task_cards(tasks: Iterable[TaskSummary], headlines: Iterable[TaskHeadline]) -> list[TaskCard]:
    """Return the cards."""
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
        tries=tries_line(figures) if figures else None,
    )
