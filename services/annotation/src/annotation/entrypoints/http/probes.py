"""Routes used while writing: the targets' answers and near duplicates, before a try is made."""

from dynabench_api.annotation import AnswersAnswer, CountedProbesAnswer, SimilarAnswer
from dynabench_common.auth.permissions import Permission, requires
from dynabench_common.http.service import json_response
from flask import Response
from flask_openapi import APIBlueprint

from annotation.domain.identifiers import ContextId, PersonId, RoundId
from annotation.entrypoints.http.access import dependencies, signed_in_person
from annotation.entrypoints.http.probe_schemas import (
    CountedProbesBody,
    TargetPath,
    WrittenBody,
    answers_document,
)
from annotation.entrypoints.http.schemas import RoundPath
from annotation.service_layer.near_duplicates import FindSimilar, find_similar
from annotation.service_layer.probes import CountProbes, ProbeTargets, count_probes, probe_targets

blueprint = APIBlueprint("probes", __name__, url_prefix="/api/annotation/v1")


@blueprint.post("/rounds/<round_id>/probes", responses={200: AnswersAnswer})
@requires(Permission.PROBE_MODELS)
def post_probe(path: RoundPath, body: WrittenBody) -> Response:
    """Ask the round's targets without a try, if the task allows it. The probe is counted but not stored."""
    command = ProbeTargets(RoundId(path.round_id), ContextId(body.context_id), signed_in_person(), body.input)
    return json_response(answers_document(probe_targets(command, dependencies())))


@blueprint.post("/targets/<target>/probes", responses={200: CountedProbesAnswer})
@requires(Permission.COUNT_PROBES)
def post_target_probes(path: TargetPath, body: CountedProbesBody) -> Response:
    """Count a person's probes of a model through the gateway."""
    command = CountProbes(path.target, PersonId(body.person_id), body.texts, body.also_in_the_loop)
    return json_response(CountedProbesAnswer(rounds=count_probes(command, dependencies())))


@blueprint.post("/rounds/<round_id>/similar", responses={200: SimilarAnswer})
@requires(Permission.CREATE_EXAMPLE)
def post_similar(path: RoundPath, body: WrittenBody) -> Response:
    """Find near duplicates in the round: your own with their texts, and the number of other people's."""
    command = FindSimilar(RoundId(path.round_id), ContextId(body.context_id), signed_in_person(), body.input)
    return json_response(SimilarAnswer.model_validate(find_similar(command, dependencies())))
