"""Routes about votes that were cast."""

from dynabench_common.http import json_response
from dynabench_common.permissions import Permission, current_principal, ensure, requires
from flask import Response
from flask_openapi import APIBlueprint

from validation import views
from validation.domain.identifiers import ExampleId, VoteId
from validation.entrypoints.http.dependencies import dependencies, signed_in_person
from validation.entrypoints.http.schemas import (
    ExamplePath,
    ExampleStateAnswer,
    JudgementAnswer,
    JudgementBody,
    VotePath,
    VotesAnswer,
)
from validation.service_layer.judge_vote import JudgeVote, judge_vote

blueprint = APIBlueprint("votes", __name__, url_prefix="/api/validation/v1")


@blueprint.put("/votes/<vote_id>/judgement", responses={200: JudgementAnswer})
@requires(Permission.VALIDATE)
def put_judgement(path: VotePath, body: JudgementBody) -> Response:
    """Say whether the revealed claim is right; stored, and never counted."""
    needed = dependencies()
    command = JudgeVote(VoteId(path.vote_id), signed_in_person(), body.agrees)
    vote = judge_vote(command, needed.make_uow, needed.clock)
    return json_response(JudgementAnswer.model_validate(vote, from_attributes=True))


@blueprint.get("/examples/<example_id>", responses={200: ExampleStateAnswer})
@requires(Permission.READ_RESOLUTION)
def get_example(path: ExamplePath) -> Response:
    """Tell what the votes made of an example."""
    record = views.example_state(dependencies().engine, ExampleId(path.example_id))
    return json_response(ExampleStateAnswer.model_validate(record))


@blueprint.get("/examples/<example_id>/votes", responses={200: VotesAnswer})
@requires(Permission.READ_RESOLUTION)
def get_votes(path: ExamplePath) -> Response:
    """List the answers on an example for its task's owner; its author gets the resolution alone."""
    engine, example_id = dependencies().engine, ExampleId(path.example_id)
    record = views.example_state(engine, example_id)
    if record["author_id"] == current_principal().person_id:
        return json_response(VotesAnswer.model_validate({**record, "items": [], "withheld": True}))
    ensure(Permission.READ_VOTES, task=record["task_slug"])
    items = views.example_votes(engine, example_id, record["rules"])
    return json_response(VotesAnswer.model_validate({**record, "items": items, "withheld": False}))
