"""Page of measurements: properties of the texts and labels of a dataset or a round, with warnings.

During the computation the page refreshes itself. Without scripts it offers a link to refresh.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from dynabench_client.results.datasets import Measurements
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, make_response, render_template, request

from web.datasets.charts import measured_charts
from web.datasets.loading import export_lines
from web.datasets.measurements_view import PartView, measurements_view
from web.datasets.release_findings import release_parts
from web.datasets.view import input_name
from web.kit.dependencies import platform
from web.kit.owned_round import owned_round
from web.kit.released import dataset_row
from web.kit.rendering import is_htmx, page

PROGRESS_SECONDS = 3

blueprint = Blueprint("measurements", __name__)


@blueprint.get("/datasets/<uuid:dataset_id>/measurements")
@requires(Permission.READ_DATASET)
def get_dataset_measurements(dataset_id: UUID) -> Response:
    """Show the measurements of a dataset."""
    area = platform().datasets
    dataset = area.dataset(str(dataset_id))
    return page(
        "datasets/measurements.html",
        dataset=dataset_row(dataset),
        **_views(area.measurements(str(dataset_id)), input_name(dataset), release_parts(dataset)),
    )


@blueprint.get("/datasets/<uuid:dataset_id>/measurements/progress")
@requires(Permission.READ_DATASET)
def get_dataset_progress(dataset_id: UUID) -> Response:
    """Send the measurements of a dataset to its waiting page."""
    return _progress(platform().datasets.measurements(str(dataset_id)))


@blueprint.get("/tasks/<slug>/rounds/<int:number>/measurements")
@requires(Permission.READ_STANDING)
def get_round_measurements(slug: str, number: int) -> Response:
    """Show the current measurements of a round."""
    owned = owned_round(Permission.READ_STANDING, slug, number)
    found = platform().datasets.round_measurements(owned.round_id)
    return page(
        "datasets/round_measurements.html",
        **owned.views(),
        **_views(found, owned.rules.input_name),
        load_lines=export_lines(f"{slug}-round-{number}.parquet"),
    )


@blueprint.get("/tasks/<slug>/rounds/<int:number>/measurements/progress")
@requires(Permission.READ_STANDING)
def get_round_progress(slug: str, number: int) -> Response:
    """Send the measurements of a round to its waiting page."""
    owned = owned_round(Permission.READ_STANDING, slug, number)
    return _progress(platform().datasets.round_measurements(owned.round_id))


def _views(found: Measurements, inputs: str, parts: Sequence[PartView] = ()) -> dict[str, Any]:
    return {
        "measured": measurements_view(found, inputs, parts),
        "charts": measured_charts(found),
        "progress_seconds": PROGRESS_SECONDS,
    }


def _progress(found: Measurements) -> Response:
    """Answer a waiting page: 304 without a change, the whole page once there is a result."""
    if is_htmx() and not found.is_computing:
        return make_response("", 200, {"HX-Refresh": "true"})
    response = make_response(render_template("datasets/measuring.html", measured=measurements_view(found)))
    response.add_etag()
    response.make_conditional(request)
    return response
