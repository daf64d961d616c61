"""All served models with their states."""

from dataclasses import dataclass

from dynabench_client.results.models import Model
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response

from web.kit.dependencies import platform
from web.kit.numbers import count
from web.kit.operations import model_state
from web.kit.rendering import page
from web.kit.service_words import service_words
from web.kit.words import Word

blueprint = Blueprint("admin_models", __name__)


@dataclass(frozen=True)
class ModelRow:
    """A served model."""

    name: str
    version: str
    task: str
    state: Word
    note: str
    in_flight: str
    most: str


@blueprint.get("/admin/models")
@requires(Permission.USE_CONSOLE)
def get_models() -> Response:
    """List the served models by name."""
    return page("admin/models.html", models=[model_row(each) for each in platform().gateway.model_statuses()])


def model_row(model: Model) -> ModelRow:
    """Return the list entry of a model."""
    return ModelRow(
        name=model.name,
        version=model.version,
        task=model.task,
        state=model_state(model),
        note="" if model.ready else service_words(model.reason or ""),
        in_flight=count(model.in_flight),
        most=count(model.max_in_flight),
    )
