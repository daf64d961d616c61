"""Routes of a task's sandbox: models asked outside of any round."""

from dynabench_api.annotation import AnswersAnswer, ExplanationAnswer, ModelsAnswer
from dynabench_common.auth.permissions import Permission, current_principal, is_allowed, requires
from dynabench_common.auth.private_tasks import hidden_tasks
from dynabench_common.http.service import json_response
from flask import Response
from flask_openapi import APIBlueprint

from annotation.entrypoints.http.access import dependencies, signed_in_person
from annotation.entrypoints.http.probe_schemas import (
    SandboxBody,
    SandboxInspectionBody,
    answers_document,
    model_answer,
)
from annotation.entrypoints.http.schemas import TaskPath
from annotation.service_layer.sandbox import AskModel, InspectModel, ask_model, fitting_models, inspect_model

blueprint = APIBlueprint("sandbox", __name__, url_prefix="/api/annotation/v1")


@blueprint.get("/tasks/<slug>/models", responses={200: ModelsAnswer})
@requires(Permission.PROBE_MODELS)
def get_models(path: TaskPath) -> Response:
    """List the served models that fit the task. Unpublished models are listed only for their submitters and owners."""
    person_id, is_owner = signed_in_person(), _owns(path.slug)
    models = fitting_models(path.slug, person_id, hidden_tasks(), dependencies(), is_owner=is_owner)
    return json_response(ModelsAnswer(items=[model_answer(model) for model in models]))


@blueprint.post("/tasks/<slug>/sandbox", responses={200: AnswersAnswer})
@requires(Permission.PROBE_MODELS)
def post_sandbox(path: TaskPath, body: SandboxBody) -> Response:
    """Ask one model about any context and input. Nothing is stored."""
    command = AskModel(
        path.slug, body.target, signed_in_person(), _owns, hidden_tasks(), body.context, body.input
    )
    return json_response(answers_document(ask_model(command, dependencies())))


@blueprint.post("/tasks/<slug>/sandbox/inspections", responses={200: ExplanationAnswer})
@requires(Permission.PROBE_MODELS)
def post_sandbox_inspection(path: TaskPath, body: SandboxInspectionBody) -> Response:
    """Explain a model's answer by token weights. Nothing is stored."""
    command = InspectModel(
        path.slug,
        body.target,
        signed_in_person(),
        _owns,
        hidden_tasks(),
        body.context,
        body.input,
        body.label,
        body.n_steps,
    )
    return json_response(inspect_model(command, dependencies()))


def _owns(task_slug: str) -> bool:
    return is_allowed(Permission.MANAGE_TASK, current_principal(), task_slug)
