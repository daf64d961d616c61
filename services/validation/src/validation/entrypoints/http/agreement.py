"""Routes about agreement, and about evidence of votes on the people who cast them."""

from dynabench_api.agreement import AgreementAnswer, HumanEstimateAnswer, PairsAnswer, VotesAdviceAnswer
from dynabench_common.auth.permissions import Permission, ensure, requires
from dynabench_common.http.schemas import Parameters
from dynabench_common.http.service import json_response
from flask import Response
from flask_openapi import APIBlueprint
from pydantic import Field

from validation.domain.groups import GroupKind
from validation.domain.identifiers import RoundId
from validation.entrypoints.http.access import dependencies
from validation.entrypoints.http.schemas import RoundPath
from validation.queries import agreement, evidence

BY_ITS_GROUPS = [kind for kind in GroupKind if kind is not GroupKind.ROUND]

blueprint = APIBlueprint("agreement", __name__, url_prefix="/api/validation/v1")


class AgreementQuery(Parameters):
    """The groups to split a round into."""

    by: GroupKind | None = Field(
        default=None,
        description="Give the figures of each group as well: " + ", ".join(BY_ITS_GROUPS),
    )


@blueprint.get("/rounds/<round_id>/agreement", responses={200: AgreementAnswer})
@requires(Permission.READ_PUBLIC)
def get_agreement(path: RoundPath, query: AgreementQuery) -> Response:
    """Read the agreement of validators in a round and in each of its groups."""
    record = agreement.round_agreement(dependencies().engine, RoundId(path.round_id), query.by)
    return json_response(AgreementAnswer.model_validate(record))


@blueprint.get("/rounds/<round_id>/human-estimate", responses={200: HumanEstimateAnswer})
@requires(Permission.READ_PUBLIC)
def get_human_estimate(path: RoundPath) -> Response:
    """Estimate how often one validator agrees with the majority of the others."""
    record = agreement.human_estimate(dependencies().engine, RoundId(path.round_id))
    return json_response(HumanEstimateAnswer.model_validate(record))


@blueprint.get("/rounds/<round_id>/validators/pairs", responses={200: PairsAnswer})
@requires(Permission.READ_VALIDATORS)
def get_pairs(path: RoundPath) -> Response:
    """List pairs of validators with suspicious agreement, and validators who confirm mostly one author."""
    engine, round_id = dependencies().engine, RoundId(path.round_id)
    ensure(Permission.READ_VALIDATORS, task=evidence.task_of_round(engine, round_id))
    return json_response(PairsAnswer.model_validate(evidence.agreeing_pairs(engine, round_id)))


@blueprint.get("/rounds/<round_id>/votes-advice", responses={200: VotesAdviceAnswer})
@requires(Permission.READ_VALIDATORS)
def get_votes_advice(path: RoundPath) -> Response:
    """Suggest the number of votes that keeps the error of resolutions under 5 %. Nothing is changed."""
    engine, round_id = dependencies().engine, RoundId(path.round_id)
    ensure(Permission.READ_VALIDATORS, task=evidence.task_of_round(engine, round_id))
    return json_response(VotesAdviceAnswer.model_validate(evidence.votes_advice(engine, round_id)))
