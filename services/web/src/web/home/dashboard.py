"""The signed-in home: what to do next, and the person's week."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dynabench_client.results.annotation import Round, TaskSummary, WorkOrder
from dynabench_client.results.leaderboard import MyRound, OwnWeek
from dynabench_client.results.validation import WaitingRound
from markupsafe import Markup

from web.kit import isolation
from web.kit.assigned_work import OrderView
from web.kit.language import N_, _, ngettext
from web.kit.numbers import count
from web.kit.paid_work import CREATE
from web.kit.rounds import TAKES_VOTES, current_round


@dataclass(frozen=True)
class NextView:
    """One thing to do next: a sentence, and the button to it."""

    words: str
    address: str
    action: str


@dataclass(frozen=True)
class WeekView:
    """The person's tries since Monday; `rank` is empty without a confirmed error."""

    tries: str
    fooled: str
    confirmed: str
    in_a_row: str
    rank: str


def next_things(
    tasks: Sequence[TaskSummary], own: Iterable[MyRound], waiting: Iterable[WaitingRound]
) -> list[NextView]:
    """Return a round to play, the person's newest open one before others, then a round to check.

    `tasks` come in the order in which they are offered.
    """
    current = {now.round_id: (task, now) for task in tasks if (now := current_round(task.rounds)) is not None}
    titles = {round_id: isolation.name(task.title or task.slug) for round_id, (task, _now) in current.items()}
    played = [each.round_id for each in own]
    to_play = next(
        (each for each in (*played, *current) if each in current and current[each][1].is_open), None
    )
    found = []
    if to_play is not None:
        sentence = N_("Continue with %(task)s.") if to_play in played else N_("Fool the models of %(task)s.")
        found.append(NextView(_(sentence, task=titles[to_play]), f"/rounds/{to_play}/create", _("Play")))
    most = max(
        (each for each in waiting if each.round_id in titles), key=lambda each: each.waiting, default=None
    )
    if most is not None and most.waiting:
        said = ngettext(
            "%(number)s text of %(task)s waits for your check.",
            "%(number)s texts of %(task)s wait for your check.",
            most.waiting,
            number=count(most.waiting),
            task=titles[most.round_id],
        )
        found.append(NextView(said, f"/rounds/{most.round_id}/validate", _("Check texts")))
    return found


def assigned_things(
    tasks: Iterable[TaskSummary], orders: Iterable[tuple[WorkOrder, OrderView]]
) -> list[NextView]:
    """Return the unfinished work that owners assigned to the person."""
    rounds = {found.round_id: (task, found) for task in tasks for found in task.rounds}
    return [
        _assigned(*rounds[order.round_id], order.activity, view)
        for order, view in orders
        if order.round_id in rounds and not view.is_done
    ]


def _assigned(task: TaskSummary, found: Round, activity: str, view: OrderView) -> NextView:
    words = _(
        "Assigned to you in %(task)s: %(progress)s.",
        task=isolation.name(task.title or task.slug),
        progress=view.progress,
    )
    topic = _("Topic: %(topic)s.", topic=isolation.name(view.topic)) if view.topic else ""
    is_writing = activity == CREATE
    if not (found.is_open if is_writing else found.state in TAKES_VOTES):
        closed = _("The round is not open now.")
        return NextView(
            Markup(" ").join(filter(None, (words, topic, closed))),
            f"/rounds/{found.round_id}",
            _("See the round"),
        )
    action = _("Write texts") if is_writing else _("Check texts")
    words = Markup(" ").join(filter(None, (words, topic, view.due, view.note)))
    return NextView(words, f"/rounds/{found.round_id}/{activity}", action)


def week_view(week: OwnWeek) -> WeekView:
    """Return the person's week in words."""
    rank = ""
    if week.rank is not None:
        rank = _("%(rank)s of %(people)s", rank=count(week.rank), people=count(week.people))
    return WeekView(
        count(week.tries), count(week.fooled), count(week.validated_errors), count(week.in_a_row), rank
    )
