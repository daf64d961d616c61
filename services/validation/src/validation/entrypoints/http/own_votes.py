"""Routes about a person's own votes: reread, take back, change, see the claim, add remarks."""

from dynabench_api.validation import (
    JudgementAnswer,
    NoLeaseAnswer,
    OwnVotesAnswer,
    StoredVoteAnswer,
    TakenBackAnswer,
    VoteCountAnswer,
    WaitingAnswer,
)
from dynabench_common.auth.permissions import Permission, requires
from dynabench_common.auth.private_tasks import hidden_tasks
from dynabench_common.http.service import json_response
from flask import Response
from flask_openapi import APIBlueprint

from validation.domain.identifiers import PersonId, RoundId, VoteId
from validation.entrypoints.http.access import dependencies, ensure_for_round, signed_in_person
from validation.entrypoints.http.lease_schemas import lease_answer
from validation.entrypoints.http.schemas import RoundPath, VoteBody, VotePath
from validation.entrypoints.http.voter_schemas import (
    JudgementBody,
    OwnVotesQuery,
    VoteCountQuery,
    VoterPath,
    own_vote_answer,
)
from validation.queries import own_votes
from validation.service_layer.empty_queue import NoOffer
from validation.service_layer.votes import (
    ChangeVote,
    JudgeVote,
    change_vote,
    judge_vote,
    reveal_claim,
    undo_vote,
)

blueprint = APIBlueprint("own_votes", __name__, url_prefix="/api/validation/v1")


@blueprint.get("/rounds/<round_id>/me/votes", responses={200: OwnVotesAnswer})
@requires(Permission.READ_SELF)
def get_own_votes(path: RoundPath, query: OwnVotesQuery) -> Response:
    """List your own newest votes in a round, with their questions."""
    needed = dependencies()
    records = own_votes.own_votes(
        needed.engine, RoundId(path.round_id), signed_in_person(), needed.clock.now(), query.limit
    )
    return json_response(OwnVotesAnswer(items=[own_vote_answer(record) for record in records]))


@blueprint.get("/rounds/<round_id>/voters/<voter_id>/count", responses={200: VoteCountAnswer})
@requires(Permission.READ_SELF)
def get_vote_count(path: VoterPath, query: VoteCountQuery) -> Response:
    """Count your votes in a round since a moment, or on assigned examples. Owners count those of anybody."""
    round_id = RoundId(path.round_id)
    if path.voter_id != signed_in_person():
        ensure_for_round(Permission.READ_VALIDATORS, round_id)
    engine, voter_id = dependencies().engine, PersonId(path.voter_id)
    if query.order_id is None:
        votes = own_votes.count_votes(engine, round_id, voter_id, query.since)
        return json_response(VoteCountAnswer(votes=votes, left=None))
    found = own_votes.count_assigned(engine, round_id, voter_id, query.order_id)
    if found is None:
        return json_response(VoteCountAnswer(votes=0, left=None))
    return json_response(VoteCountAnswer.model_validate(found))


@blueprint.get("/people/me/waiting", responses={200: WaitingAnswer})
@requires(Permission.READ_SELF)
def get_waiting() -> Response:
    """Count the examples that you can vote on, in each round that accepts votes."""
    found = own_votes.waiting_rounds(dependencies().engine, signed_in_person(), hidden_tasks())
    return json_response(WaitingAnswer.model_validate({"items": found}))


@blueprint.delete("/votes/<vote_id>", responses={200: TakenBackAnswer})
@requires(Permission.VALIDATE)
def delete_vote(path: VotePath) -> Response:
    """Undo your vote, within a minute, before the reveal, and if nobody else has acted on the example since.

    You then vote on the example again. If your vote had resolved it, another person gets it instead.
    """
    offer = undo_vote(VoteId(path.vote_id), signed_in_person(), dependencies())
    if isinstance(offer, NoOffer):
        return json_response(NoLeaseAnswer.model_validate(offer))
    return json_response(lease_answer(offer))


@blueprint.post("/votes/<vote_id>/reveal", responses={200: StoredVoteAnswer})
@requires(Permission.VALIDATE)
def post_reveal(path: VotePath) -> Response:
    """Reveal the author's claim and explanation. This makes your vote final."""
    document = reveal_claim(VoteId(path.vote_id), signed_in_person(), dependencies())
    return json_response(StoredVoteAnswer.model_validate(document))


@blueprint.put("/votes/<vote_id>", responses={200: StoredVoteAnswer})
@requires(Permission.VALIDATE)
def put_vote(path: VotePath, body: VoteBody) -> Response:
    """Change your vote, before the reveal, while the example waits or within a minute. The vote gets a new id."""
    needed = dependencies()
    command = ChangeVote(VoteId(path.vote_id), signed_in_person(), body.ballot())
    return json_response(StoredVoteAnswer.model_validate(change_vote(command, needed)))


@blueprint.put("/votes/<vote_id>/judgement", responses={200: JudgementAnswer})
@requires(Permission.VALIDATE)
def put_judgement(path: VotePath, body: JudgementBody) -> Response:
    """Store your remarks on the revealed claim. They never count as a vote."""
    needed = dependencies()
    command = JudgeVote(VoteId(path.vote_id), signed_in_person(), body.remarks())
    judged = judge_vote(command, needed)
    return json_response(JudgementAnswer.model_validate(judged))
