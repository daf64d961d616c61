"""The models that are served, for the gateway, and the start of workers that run on demand."""

from uuid import UUID

from dynabench_api.declared_models import Explainer, Model, ModelList, Scorer, WorkersStatus
from dynabench_common.auth.permissions import Permission, requires
from dynabench_common.http.schemas import Text
from dynabench_common.http.service import json_response
from dynabench_common.problems import Problem, not_found
from flask import Response
from flask_openapi import APIBlueprint
from pydantic import BaseModel, Field

from registry.domain.declarations import scorer_name
from registry.entrypoints.http.dependencies import dependencies

blueprint = APIBlueprint("models", __name__, url_prefix="/api/registry/v1")


class ModelPath(BaseModel):
    """The name of a model."""

    name: Text = Field(max_length=200, description="Name of a declared model")


class ScorerPath(ModelPath):
    """A model and an evaluation in an address."""

    evaluation_id: UUID


def _seen() -> ModelList:
    """Return the models as they were last seen. Raises StatesUnknown."""
    seen = dependencies().catalogue.models()
    return ModelList(models=[Model.model_validate(record) for record in seen.models], problem=seen.problem)


@blueprint.get("/models", responses={200: ModelList})
@requires(Permission.READ_DECLARED_MODELS)
def list_models() -> Response:
    """List the declared models with their states."""
    return json_response(_seen())


@blueprint.post("/models/<name>/predictor", responses={202: WorkersStatus})
@requires(Permission.START_WORKERS)
def start_predictor(path: ModelPath) -> Response:
    """Start a model's prediction workers, or extend their use."""
    model = _model(path)
    return _noted(model.name, model)


@blueprint.post("/models/<name>/explainer", responses={202: WorkersStatus})
@requires(Permission.START_WORKERS)
def start_explainer(path: ModelPath) -> Response:
    """Start a model's explanation workers, or extend their use."""
    model = _model(path)
    if model.explain is None:
        raise Problem(
            404,
            "explanations-not-served",
            "No explanations",
            "The model {name} is declared without explanations.",
            field="name",
            remedy="Add an explain block to its entry in models.yaml.",
            parameters={"name": model.name},
        )
    return _noted(model.name, model.explain)


@blueprint.post("/models/<name>/scorers/<evaluation_id>", responses={202: WorkersStatus})
@requires(Permission.START_WORKERS)
def start_scorer(path: ScorerPath) -> Response:
    """Start a sandbox that answers only this evaluation, or extend its use."""
    model = _model(path)
    name = scorer_name(model.serving_name, path.evaluation_id)
    if model.scorers is None:
        raise not_found("scorer", "name")
    found = next((each for each in model.scorers if each.serving_name == name), None)
    return _noted(model.name, found or Scorer(serving_name=name, state="starting", reason=None, address=None))


def _model(path: ModelPath) -> Model:
    model = next((model for model in _seen().models if model.name == path.name), None)
    if model is None:
        raise not_found("model", "name")
    return model


def _noted(name: str, workers: Model | Explainer | Scorer) -> Response:
    dependencies().use.note(workers.serving_name)
    return json_response(WorkersStatus(name=name, state=workers.state), status=202)
