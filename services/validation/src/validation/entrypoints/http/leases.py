"""Routes about leases: getting work, giving it back, and answering."""

from dynabench_common.http import idempotency_key, json_response
from dynabench_common.permissions import Permission, requires
from flask import Response
from flask_openapi import APIBlueprint

from validation.domain.identifiers import LeaseId, RoundId
from validation.entrypoints.http.dependencies import dependencies, signed_in_person
from validation.entrypoints.http.schemas import (
    LeaseAnswer,
    LeasePath,
    NoLeaseAnswer,
    RoundPath,
    VoteAnswer,
    VoteBody,
)
from validation.service_layer.cast_vote import CastVote, cast_vote
from validation.service_layer.lease_next import LeaseNext, NoOffer, lease_next
from validation.service_layer.skip_lease import SkipLease, skip_lease

blueprint = APIBlueprint("leases", __name__, url_prefix="/api/validation/v1")


@blueprint.post("/rounds/<round_id>/leases", responses={201: LeaseAnswer, 200: NoLeaseAnswer})
@requires(Permission.VALIDATE)
def post_lease(path: RoundPath) -> Response:
    """Get the next example to validate: the one on lease already, if there is one."""
    needed = dependencies()
    command = LeaseNext(RoundId(path.round_id), signed_in_person())
    offer = lease_next(command, needed.make_uow, needed.clock)
    if isinstance(offer, NoOffer):
        return json_response(NoLeaseAnswer.of(offer))
    return json_response(LeaseAnswer.of(offer), 201)


@blueprint.delete("/leases/<lease_id>", responses={204: None})
@requires(Permission.VALIDATE)
def delete_lease(path: LeasePath) -> Response:
    """Skip: another person takes the slot, and this one gets other examples for today."""
    needed = dependencies()
    skip_lease(SkipLease(LeaseId(path.lease_id), signed_in_person()), needed.make_uow, needed.clock)
    return Response(status=204)


@blueprint.post("/leases/<lease_id>/votes", responses={201: VoteAnswer, 200: VoteAnswer})
@requires(Permission.VALIDATE)
def post_vote(path: LeasePath, body: VoteBody) -> Response:
    """Answer blind; the reply reveals what the author claims. A repeated Idempotency-Key gets it again."""
    needed = dependencies()
    command = CastVote(LeaseId(path.lease_id), signed_in_person(), body.ballot(), idempotency_key())
    reply = cast_vote(command, needed.make_uow, needed.clock)
    answer = VoteAnswer.model_validate(reply.document)
    if reply.replayed:
        return json_response(answer, headers={"Idempotency-Replayed": "true"})
    return json_response(answer, 201)
