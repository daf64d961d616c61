"""Routes about a round's life: its moves, their preview, its targets, and its collected examples."""

from typing import Literal

from dynabench_api.annotation import RoundAnswer
from dynabench_api.rounds import CollectionAnswer, LostTargetAnswer, LostTargetsAnswer, PreviewAnswer
from dynabench_common.auth.permissions import Permission, ensure, requires
from dynabench_common.http.schemas import Input, Parameters
from dynabench_common.http.service import json_response
from dynabench_tasks.rounds import RoundState
from flask import Response
from flask_openapi import APIBlueprint
from pydantic import Field

from annotation.domain.identifiers import RoundId
from annotation.entrypoints.http.access import dependencies, ensure_owner_of_round, signed_in_person
from annotation.entrypoints.http.schemas import RoundPath, TargetName
from annotation.queries import rounds
from annotation.service_layer.rounds import (
    ChangeRoundState,
    ChangeTargets,
    change_round_state,
    change_targets,
)

blueprint = APIBlueprint("round_life", __name__, url_prefix="/api/annotation/v1")
Settable = Literal["open", "paused", "closed"]


class StateBody(Input):
    """The next state of a round. To reach `released`, release the round's dataset."""

    state: Settable
    reason: str = Field(default="", description="Reason for the audit log")


class TargetsBody(Input):
    """New targets for a round, and the reason."""

    targets: list[TargetName] = Field(description="Names of served models; none for a control arm")
    reason: str = Field(description="Reason for the audit log")
    confirm_no_targets: bool = Field(
        default=False, description="Must be true to remove all targets from a round in progress"
    )


class PreviewQuery(Parameters):
    """The state to preview."""

    to: Settable


@blueprint.put("/rounds/<round_id>/state", responses={200: RoundAnswer})
@requires(Permission.MANAGE_TASK)
def put_state(path: RoundPath, body: StateBody) -> Response:
    """Open, pause, close or reopen a round."""
    ensure_owner_of_round(path.round_id)
    command = ChangeRoundState(
        RoundId(path.round_id), RoundState(body.state), signed_in_person(), body.reason
    )
    change_round_state(command, dependencies())
    return json_response(RoundAnswer.model_validate(rounds.get_round(dependencies().engine, path.round_id)))


@blueprint.get("/rounds/<round_id>/state/preview", responses={200: PreviewAnswer})
@requires(Permission.MANAGE_TASK)
def get_state_preview(path: RoundPath, query: PreviewQuery) -> Response:
    """Preview a state change of a round: its consequences, or the reasons against it."""
    ensure_owner_of_round(path.round_id)
    now = dependencies().clock.now()
    round_, found = rounds.preview_state(dependencies().engine, path.round_id, RoundState(query.to), now)
    answer = PreviewAnswer(
        from_state=round_.state.value,
        to=query.to,
        allowed=not found.blockers,
        consequences=found.consequences,
        blockers=found.blockers,
    )
    return json_response(answer)


@blueprint.put("/rounds/<round_id>/targets", responses={200: RoundAnswer})
@requires(Permission.MANAGE_TASK)
def put_targets(path: RoundPath, body: TargetsBody) -> Response:
    """Replace a round's targets. The next try begins a new segment."""
    ensure_owner_of_round(path.round_id)
    command = ChangeTargets(
        RoundId(path.round_id),
        tuple(body.targets),
        signed_in_person(),
        body.reason,
        may_be_emptied=body.confirm_no_targets,
    )
    change_targets(command, dependencies())
    return json_response(RoundAnswer.model_validate(rounds.get_round(dependencies().engine, path.round_id)))


@blueprint.get("/rounds/<round_id>/collection", responses={200: CollectionAnswer})
@requires(Permission.READ_STANDING)
def get_collection(path: RoundPath) -> Response:
    """Count a round's contexts, people and tries."""
    ensure(Permission.READ_STANDING, task=rounds.get_round(dependencies().engine, path.round_id).task_slug)
    record = rounds.get_collection(dependencies().engine, path.round_id)
    return json_response(CollectionAnswer.model_validate(record))


@blueprint.get("/rounds/<round_id>/lost-targets", responses={200: LostTargetsAnswer})
@requires(Permission.READ_PUBLIC)
def get_lost_targets(path: RoundPath) -> Response:
    """List the targets that stopped answering, so that they left the round or the round was paused."""
    found = rounds.list_lost_targets(dependencies().engine, path.round_id)
    return json_response(LostTargetsAnswer(items=[LostTargetAnswer.model_validate(each) for each in found]))
