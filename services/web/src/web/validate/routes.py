"""The page for validating other people's examples: first a blind vote, then, on request, the author's claim."""

from uuid import UUID

from dynabench_client.results.validation import Vote
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, request

from web.kit import form
from web.kit.content_notice import notice_before
from web.kit.dependencies import platform
from web.kit.outcomes import Outcome, attempt, optional
from web.kit.rendering import go_to
from web.kit.votes import INCORRECT, JUDGEMENT
from web.validate.ballots import Ballot, read_ballot
from web.validate.page import VotingRound, begin_record, goes_straight_on, show, show_next, voting_round
from web.validate.reveal import answered_view, shown_example, was_too_fast

blueprint = Blueprint("validate", __name__)


@blueprint.get("/rounds/<uuid:round_id>/validate")
@requires(Permission.VALIDATE)
def get_validate(round_id: UUID) -> Response:
    """Show the next example, or the reason why there is none."""
    begin_record(str(round_id))
    voting = voting_round(round_id)
    return notice_before(voting.rules) or show_next(voting)


@blueprint.post("/rounds/<uuid:round_id>/validate")
@requires(Permission.VALIDATE)
def post_vote(round_id: UUID) -> Response:
    """Store a blind vote; a repeated form gets the same reply."""
    voting = voting_round(round_id)
    ballot = read_ballot(voting.round, voting.rules)
    if ballot.problem is not None:
        return show_next(voting, ballot.problem)
    outcome = _vote(ballot)
    if outcome.value is None:
        return show_next(voting, outcome.problem)
    return _after(voting, ballot, outcome.value)


@blueprint.post("/rounds/<uuid:round_id>/validate/skip")
@requires(Permission.VALIDATE)
def post_skip(round_id: UUID) -> Response:
    """Skip the example and continue."""
    lease_id = request.form.get("lease_id", "")
    optional(lambda: platform().validation.skip(lease_id))
    return go_to(f"/rounds/{round_id}/validate", "skipped")


@blueprint.post("/rounds/<uuid:round_id>/validate/renewal")
@requires(Permission.VALIDATE)
def post_renewal(round_id: UUID) -> Response:  # noqa: ARG001
    """Renew the lease, for the script that notices the person's activity."""
    platform().validation.renew(request.form.get("lease_id", ""))
    return Response(status=204)


@blueprint.post("/rounds/<uuid:round_id>/validate/pause-appeal")
@requires(Permission.APPEAL)
def post_pause_appeal(round_id: UUID) -> Response:
    """Appeal against the person's pause."""
    outcome = attempt(lambda: platform().validation.appeal_pause(str(round_id), form.text("reason")))
    if outcome.problem is not None:
        return show_next(voting_round(round_id), outcome.problem)
    return go_to(f"/rounds/{round_id}/validate", "pause-appealed")


def _after(voting: VotingRound, ballot: Ballot, vote: Vote) -> Response:
    """Show the vote with a link to the reveal, or continue.

    With votes by judgement, the voter has seen the claim; after `incorrect` the page asks for the right answer.
    """
    done = "too-fast" if was_too_fast(vote) else "voted"
    if goes_straight_on():
        return go_to(voting.address, done)
    if request.form.get("kind") == JUDGEMENT:
        if ballot.value == INCORRECT:
            return go_to(f"{voting.address}/correction", vote=vote.vote_id)
        return go_to(voting.address, done)
    shown = shown_example(request.form.get("shown", ""))
    answered = answered_view(vote, voting.rules, ballot.kind, ballot.value, shown)
    return show(voting, notice=vote.notice, answered=answered)


def _vote(ballot: Ballot) -> Outcome[Vote]:
    return attempt(
        lambda: platform().validation.vote(
            request.form.get("lease_id", ""),
            ballot.kind,
            value=ballot.value,
            reason=ballot.reason,
            metadata=ballot.metadata or None,
            idempotency_key=form.key(),
        )
    )
