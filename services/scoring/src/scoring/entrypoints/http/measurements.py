"""Routes: measurements of datasets and of rounds in progress."""

from typing import Any

from dynabench_api.measurements import MeasurementsAnswer, PendingAnswer
from dynabench_common.auth.permissions import Permission, requires
from dynabench_common.http.service import json_response
from flask import Response
from flask_openapi import APIBlueprint

from scoring.entrypoints.http.dependencies import dependencies, ensure_in_round
from scoring.entrypoints.http.schemas import DatasetPath, RoundPath
from scoring.queries import datasets
from scoring.service_layer.measurements import request_measurement

blueprint = APIBlueprint("measurements", __name__, url_prefix="/api/scoring/v1")


@blueprint.get(
    "/datasets/<uuid:dataset_id>/measurements", responses={200: MeasurementsAnswer, 202: PendingAnswer}
)
@requires(Permission.READ_DATASET)
def get_dataset_measurements(path: DatasetPath) -> Response:
    """Read measurements of a dataset's texts and labels."""
    engine = dependencies().engine
    datasets.one_dataset(engine, path.dataset_id)
    return _answer(datasets.measured(engine, path.dataset_id))


@blueprint.get(
    "/rounds/<uuid:round_id>/measurements", responses={200: MeasurementsAnswer, 202: PendingAnswer}
)
@requires(Permission.READ_STANDING)
def get_round_measurements(path: RoundPath) -> Response:
    """Read measurements of a round's current texts and labels. The first request starts the measurement."""
    ensure_in_round(Permission.READ_STANDING, path.round_id)
    needed = dependencies()
    known = datasets.measured(needed.engine, path.round_id)
    requested_at = None if known is None else known.requested_at
    request_measurement(path.round_id, requested_at, needed)
    return _answer(known)


def _answer(known: datasets.Measured | None) -> Response:
    if known is None:
        return json_response({"state": "computing"}, 202)
    body: dict[str, Any] = {"state": known.state, **(known.result or {})}
    if known.measured_at is not None:
        body["measured_at"] = known.measured_at.isoformat()
    if known.error is not None:
        body["error"] = known.error
    return json_response(body, 202 if known.state == "computing" and known.result is None else 200)
