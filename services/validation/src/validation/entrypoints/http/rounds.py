"""Routes about the progress of a round's validation."""

from dynabench_api.validation import CountsAnswer
from dynabench_api.validators import OwnWorkAnswer
from dynabench_common.auth.permissions import Permission, requires
from dynabench_common.http.service import json_response
from flask import Response
from flask_openapi import APIBlueprint

from validation.domain.identifiers import RoundId
from validation.entrypoints.http.access import dependencies, signed_in_person
from validation.entrypoints.http.schemas import RoundPath
from validation.queries import validators, votes

blueprint = APIBlueprint("rounds", __name__, url_prefix="/api/validation/v1")


@blueprint.get("/rounds/<round_id>/counts", responses={200: CountsAnswer})
@requires(Permission.READ_PUBLIC)
def get_counts(path: RoundPath) -> Response:
    """Count votes and resolutions of a round."""
    needed = dependencies()
    record = votes.round_counts(needed.engine, RoundId(path.round_id), needed.clock.now())
    return json_response(CountsAnswer.model_validate(record))


@blueprint.get("/rounds/<round_id>/me", responses={200: OwnWorkAnswer})
@requires(Permission.READ_SELF)
def get_own_work(path: RoundPath) -> Response:
    """Read your own validation figures in a round."""
    needed = dependencies()
    record = validators.person_in_round(
        needed.engine, RoundId(path.round_id), signed_in_person(), needed.clock.now()
    )
    return json_response(OwnWorkAnswer.model_validate(record))
