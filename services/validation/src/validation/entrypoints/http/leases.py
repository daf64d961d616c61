"""Routes about leases: get work, renew the lease, give it back, and answer."""

from dynabench_api.validation import LeaseAnswer, NoLeaseAnswer, RenewalAnswer, StoredVoteAnswer
from dynabench_common.auth.permissions import Permission, requires
from dynabench_common.http.service import idempotency_key, json_response
from flask import Response
from flask_openapi import APIBlueprint

from validation.domain.identifiers import LeaseId, RoundId
from validation.domain.queue import EVERYTHING
from validation.entrypoints.http.access import dependencies, ensure_for_round, signed_in_person
from validation.entrypoints.http.lease_schemas import LeaseBody, lease_answer
from validation.entrypoints.http.schemas import LeasePath, RoundPath, VoteBody
from validation.service_layer.empty_queue import NoOffer
from validation.service_layer.leases import LeaseNext, lease_next, renew_lease, skip_lease
from validation.service_layer.votes import CastVote, cast_vote

blueprint = APIBlueprint("leases", __name__, url_prefix="/api/validation/v1")


@blueprint.post("/rounds/<round_id>/leases", responses={201: LeaseAnswer, 200: NoLeaseAnswer})
@requires(Permission.VALIDATE)
def post_lease(path: RoundPath, body: LeaseBody) -> Response:
    """Get the next example to validate, or the one that you have already leased. Owners may filter.

    No filter reveals the author's claim or the verdict.
    """
    needed = dependencies()
    command = LeaseNext(RoundId(path.round_id), signed_in_person(), body.wanted())
    if command.wanted != EVERYTHING:
        ensure_for_round(Permission.ADJUDICATE, command.round_id)
    offer = lease_next(command, needed)
    if isinstance(offer, NoOffer):
        return json_response(NoLeaseAnswer.model_validate(offer))
    return json_response(lease_answer(offer), 201)


@blueprint.put("/leases/<lease_id>", responses={200: RenewalAnswer})
@requires(Permission.VALIDATE)
def put_lease(path: LeasePath) -> Response:
    """Renew the lease for its full time from now."""
    lease = renew_lease(LeaseId(path.lease_id), signed_in_person(), dependencies())
    return json_response(RenewalAnswer.model_validate(lease))


@blueprint.delete("/leases/<lease_id>", responses={204: None})
@requires(Permission.VALIDATE)
def delete_lease(path: LeasePath) -> Response:
    """Skip the example. Another person gets it, and you do not get it again today."""
    skip_lease(LeaseId(path.lease_id), signed_in_person(), dependencies())
    return Response(status=204)


@blueprint.post("/leases/<lease_id>/votes", responses={201: StoredVoteAnswer, 200: StoredVoteAnswer})
@requires(Permission.VALIDATE)
def post_vote(path: LeasePath, body: VoteBody) -> Response:
    """Vote without seeing the author's claim. A repeated Idempotency-Key returns the first answer."""
    needed = dependencies()
    command = CastVote(LeaseId(path.lease_id), signed_in_person(), body.ballot(), idempotency_key())
    reply = cast_vote(command, needed)
    answer = StoredVoteAnswer.model_validate(reply.document)
    if reply.replayed:
        return json_response(answer, headers={"Idempotency-Replayed": "true"})
    return json_response(answer, 201)
