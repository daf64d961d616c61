"""The models that fit a task, and whether they answer at once."""

from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response
from web.kit.configuration import task_rules
from web.kit.dependencies import platform
from web.kit.parallel import page_reads
from web.kit.rendering import page

blueprint = Blueprint("models", __name__)


@blueprint.get("/tasks/<slug>/models")
@requires(Permission.USE_OWN_PAGES)
def get_models(slug: str) -> Response:
    """List the models, those that answer at once first."""
    annotation, reads = platform().annotation, page_reads()
    task, models = reads.read(annotation.task, slug), reads.read(annotation.models, slug)
    return page(
        "models/page.html",
        task=task_rules(task.needed()),
        models=sorted(models.needed(), key=lambda model: (not model.ready, model.name)),
    )
