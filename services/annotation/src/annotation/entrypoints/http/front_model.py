"""Routes of the model that visitors may ask on the front page, without signing in."""

from dynabench_api.annotation import FrontAnswerAnswer, FrontModelAnswer
from dynabench_common.auth.permissions import Permission, requires
from dynabench_common.http import addresses
from dynabench_common.http.schemas import Input
from dynabench_common.http.service import json_response
from flask import Response
from flask_openapi import APIBlueprint
from pydantic import Field

from annotation.entrypoints.http.access import dependencies
from annotation.service_layer.front_model import (
    LONGEST_TEXT,
    AskFrontModel,
    ask_front_model,
    find_front_model,
)

blueprint = APIBlueprint("front_model", __name__, url_prefix="/api/annotation/v1")


class FrontQuestionBody(Input):
    """A text of at most 300 characters, and its right label."""

    text: str
    claimed: str = Field(max_length=200)


@blueprint.get("/front-model", responses={200: FrontModelAnswer})
@requires(Permission.READ_PUBLIC)
def get_front_model() -> Response:
    """Return the model that anyone may ask without signing in."""
    found = find_front_model(dependencies())
    labels = list(found.labels) if found else []
    return json_response(
        FrontModelAnswer(model=found.name if found else None, labels=labels, longest_text=LONGEST_TEXT)
    )


@blueprint.post("/front-model/answers", responses={200: FrontAnswerAnswer})
@requires(Permission.ASK_FRONT_MODEL)
def post_front_answer(body: FrontQuestionBody) -> Response:
    """Ask that model. Nothing is stored or counted in any round."""
    command = AskFrontModel(body.text, body.claimed, addresses.sender())
    answer = ask_front_model(command, dependencies())
    return json_response(
        FrontAnswerAnswer(
            model=answer.model,
            label=answer.label,
            probabilities=dict(answer.probabilities),
            fooled=answer.fooled,
        )
    )
