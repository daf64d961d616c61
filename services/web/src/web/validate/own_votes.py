"""Actions of a validator after a vote: judge or correct the author's claim, undo the vote, change it."""

from uuid import UUID, uuid4

from dynabench_client.results.validation import RecentVote
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.kit import form
from web.kit.content_notice import notice_before
from web.kit.dependencies import platform
from web.kit.outcomes import attempt, optional
from web.kit.problems import ProblemView
from web.kit.rendering import go_to
from web.kit.votes import JUDGEMENT
from web.validate.ballots import read_ballot, read_correction
from web.validate.own_votes_view import Again, past_vote_view
from web.validate.page import LAST, VotingRound, show, show_next, voting_round
from web.validate.reveal import claim_of, correction_view, reveal_view, shown_of

AGREES = {"yes": True, "no": False}

blueprint = Blueprint("own_votes", __name__)


@blueprint.post("/rounds/<uuid:round_id>/validate/judgement")
@requires(Permission.VALIDATE)
def post_judgement(round_id: UUID) -> Response:
    """Store the person's judgement of the claim and continue; after a no, ask for the right answer."""
    vote_id, why = request.form.get("vote_id", ""), form.text("explanation")
    agrees = AGREES.get(request.form.get("agrees", ""))
    address = f"/rounds/{round_id}/validate"
    if agrees is None and not why:
        return go_to(address)
    outcome = attempt(lambda: platform().validation.judge(vote_id, agrees, explanation=why or None))
    if outcome.problem is not None:
        return show_next(voting_round(round_id), outcome.problem)
    return go_to(f"{address}/correction", vote=vote_id) if agrees is False else go_to(address, "judged")


@blueprint.post("/rounds/<uuid:round_id>/validate/reveal")
@requires(Permission.VALIDATE)
def post_reveal(round_id: UUID) -> Response:
    """Reveal the author's claim, which makes the vote final; continue if there is nothing to show."""
    voting, vote_id = voting_round(round_id), request.form.get("vote_id", "")
    outcome = attempt(lambda: platform().validation.reveal(vote_id))
    if outcome.problem is not None:
        return show_next(voting, outcome.problem)
    vote = _own_vote(voting, vote_id)
    if vote is None or claim_of(vote) is None:
        return go_to(voting.address)
    return show(voting, reveal=reveal_view(vote, voting.rules))


@blueprint.get("/rounds/<uuid:round_id>/validate/correction")
@requires(Permission.VALIDATE)
def get_correction(round_id: UUID) -> Response:
    """Ask for the right answer, after the person rejected the author's claim."""
    voting = voting_round(round_id)
    vote = _own_vote(voting, request.args.get("vote", ""))
    if vote is None or claim_of(vote) is None:
        return go_to(voting.address)
    return notice_before(voting.rules) or show(voting, correction=correction_view(vote, voting.rules))


@blueprint.post("/rounds/<uuid:round_id>/validate/correction")
@requires(Permission.VALIDATE)
def post_correction(round_id: UUID) -> Response:
    """Store the right answer with its reason, and continue."""
    voting = voting_round(round_id)
    vote = _own_vote(voting, request.form.get("vote_id", ""))
    if vote is None:
        return go_to(voting.address)
    correction, why = read_correction(voting.rules, shown_of(vote)), form.text("explanation")
    if correction.problem is not None:
        return _correct_again(voting, vote, correction.problem)
    if correction.value is None and not why:
        return go_to(voting.address)
    agrees = None if vote.kind == JUDGEMENT else False
    outcome = attempt(
        lambda: platform().validation.judge(vote.vote_id, agrees, correction.value, why or None)
    )
    if outcome.problem is not None:
        return _correct_again(voting, vote, outcome.problem)
    return go_to(voting.address, "judged")


@blueprint.post("/rounds/<uuid:round_id>/validate/undo")
@requires(Permission.VALIDATE)
def post_undo(round_id: UUID) -> Response:
    """Undo the newest vote, and show its example again."""
    outcome = attempt(lambda: platform().validation.undo(request.form.get("vote_id", "")))
    if outcome.problem is not None:
        return show_next(voting_round(round_id), outcome.problem)
    is_asked_again = outcome.value is None or outcome.value.lease_id is not None
    return go_to(f"/rounds/{round_id}/validate", "undone" if is_asked_again else "undone-for-good")


@blueprint.get("/rounds/<uuid:round_id>/validate/back")
@requires(Permission.VALIDATE)
def get_back(round_id: UUID) -> Response:
    """Show one of the last votes: the newest, or the one in the address."""
    voting = voting_round(round_id)
    return notice_before(voting.rules) or _show_past(voting, request.args.get("vote", ""))


@blueprint.post("/rounds/<uuid:round_id>/validate/back")
@requires(Permission.VALIDATE)
def post_change(round_id: UUID) -> Response:
    """Replace the answer of an earlier vote."""
    voting, vote_id = voting_round(round_id), request.form.get("vote_id", "")
    ballot = read_ballot(voting.round, voting.rules)
    if ballot.problem is not None:
        return _show_past(voting, vote_id, ballot.problem)
    outcome = attempt(
        lambda: platform().validation.change_vote(
            vote_id, ballot.kind, value=ballot.value, reason=ballot.reason, metadata=ballot.metadata or None
        )
    )
    if outcome.problem is not None:
        return _show_past(voting, vote_id, outcome.problem)
    return go_to(voting.address, "changed")


def _show_past(voting: VotingRound, vote_id: str, problem: ProblemView | None = None) -> Response:
    """Show one of the last votes, with the problem of the form that should change it."""
    recent = platform().validation.my_recent_votes(voting.round.round_id, LAST)
    past = past_vote_view(
        recent,
        vote_id,
        voting.rules,
        key=uuid4().hex,
        round_number=voting.round.number,
        again=Again(form.entered(), request.form.get("reason", ""), problem) if problem else None,
    )
    if past is None:
        return show_next(voting, problem) if problem or not recent else go_to(f"{voting.address}/back")
    return show(voting, problem, past=past)


def _correct_again(voting: VotingRound, vote: RecentVote, problem: ProblemView) -> Response:
    why = form.text("explanation")
    again = vote.model_copy(update={"explanation": why})
    return show(voting, problem, correction=correction_view(again, voting.rules, form.entered(), problem))


def _own_vote(voting: VotingRound, vote_id: str) -> RecentVote | None:
    recent = optional(lambda: platform().validation.my_recent_votes(voting.round.round_id, LAST))
    return next((vote for vote in recent or () if vote.vote_id == vote_id), None)
