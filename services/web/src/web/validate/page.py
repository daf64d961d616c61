"""Assembly of the page for validating: the person's own work, then an example, a reveal, or the reason for neither."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from dynabench_client.results.annotation import Round
from dynabench_client.results.validation import MyVotes, Notice, RecentVote
from flask import Response, request

from web.kit import form
from web.kit.answers import worked_examples
from web.kit.assigned_work import begin_orders_in, order_bar
from web.kit.break_reminder import proposes_break
from web.kit.configuration import TaskRules, task_rules
from web.kit.dependencies import dependencies, platform
from web.kit.errors import training_first
from web.kit.outcomes import attempt
from web.kit.paid_work import VALIDATE, begin_own_work, work_bar
from web.kit.parallel import Part, page_reads, round_and_task
from web.kit.problems import ProblemView
from web.kit.rendering import PACE, PACES, STRAIGHT, WAIT, page
from web.kit.rounds import round_view
from web.kit.vote_form import vote_form
from web.validate.ballots import typed_texts
from web.validate.own_votes_view import undo_view
from web.validate.validator_view import own_record_view, queue_view

LAST = 10


@dataclass(frozen=True)
class VotingRound:
    """A round and its task's questions for validators."""

    round: Round
    rules: TaskRules

    @property
    def address(self) -> str:
        """Address of the next example."""
        return f"/rounds/{self.round.round_id}/validate"


def voting_round(round_id: UUID) -> VotingRound:
    """Return a round with its task."""
    found, task = round_and_task(str(round_id))
    return VotingRound(found, task_rules(task))


def begin_record(round_id: str) -> tuple[Part[MyVotes], Part[Sequence[RecentVote]]]:
    """Start reading the person's own work in a round: figures, and the newest vote; also paid work."""
    begin_own_work()
    votes, reads = platform().validation, page_reads()
    return reads.read(votes.my_votes, round_id), reads.read(votes.my_recent_votes, round_id, 1)


def pace() -> str:
    """Return the person's preference for continuing after a vote."""
    chosen = request.cookies.get(PACE, WAIT)
    return chosen if chosen in PACES else WAIT


def goes_straight_on() -> bool:
    """Return whether the person wants the next example without the reveal."""
    return pace() == STRAIGHT


def show_next(voting: VotingRound, problem: ProblemView | None = None) -> Response:
    """Show the next example, or the reason why there is none; with a refused form if it is about the same example."""
    begin_record(voting.round.round_id)
    begin_orders_in(voting.round)
    leased = attempt(lambda: platform().validation.lease(voting.round.round_id))
    if leased.value is None:
        rules, round_id = voting.rules, voting.round.round_id
        training = training_first(leased.problem, rules.slug, VALIDATE, round_id)
        return training or show(voting, problem or leased.problem, unsent=typed_texts(voting.rules))
    if leased.value.lease_id is None or leased.value.example is None:
        return show(voting, problem, queue=queue_view(leased.value), unsent=typed_texts(voting.rules))
    is_same = leased.value.lease_id == request.form.get("lease_id")
    asked = vote_form(
        leased.value,
        voting.rules,
        key=uuid4().hex,
        entered=form.entered() if is_same else {},
        round_number=voting.round.number,
        reason=request.form.get("reason", "") if is_same else "",
        problem=problem,
    )
    return show(voting, problem, vote_form=asked, unsent=[] if is_same else typed_texts(voting.rules))


def show(
    voting: VotingRound, problem: ProblemView | None = None, notice: Notice | None = None, **views: Any
) -> Response:
    """Show the page with one of its parts; `notice` is the service's warning about the last vote.

    Without a part there is nothing to answer. Then paid work may end early, unless a service is away for a moment.
    """
    round_id = voting.round.round_id
    mine, newest = begin_record(round_id)
    empty: dict[str, Any] = {
        "vote_form": None,
        "queue": None,
        "answered": None,
        "reveal": None,
        "correction": None,
        "past": None,
        "unsent": [],
    }
    has_part = any(value for name, value in views.items() if name not in {"queue", "unsent"})
    is_away = problem is not None and problem.is_temporary
    return page(
        "validate/page.html",
        problem.status if problem else 200,
        round=round_view(voting.round),
        task=voting.rules,
        worked_examples=worked_examples(voting.rules),
        order=order_bar(voting.round, VALIDATE),
        break_due=proposes_break(voting.rules),
        bar=work_bar(round_id, VALIDATE, has_run_out=not has_part and not is_away),
        problem=problem,
        record=own_record_view(mine.value(), notice),
        undo=undo_view(newest.value(), voting.rules, dependencies().clock.now()),
        can_go_back=bool(newest.value()),
        pace=pace(),
        paces=PACES,
        **{**empty, **views},
    )
