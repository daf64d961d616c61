"""The model that visitors may ask on the front page, named by the deployment, unless it is a target of a live round.

Visitors' text is judged and answered. Nothing of it is stored or counted as a try or a probe of any round.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from dynabench_tasks.certainty import read_probabilities
from dynabench_tasks.fields import AnswerUnreadable, InputRefused
from dynabench_tasks.text import validate_text

from annotation.domain.errors import GatewayUnavailable, PredictionFailed, TargetUnknown
from annotation.service_layer.dependencies import Dependencies

TASK_TYPE = "text-classification"
LONGEST_TEXT = 300
RETRY_SECONDS = 5


class FrontModelClosed(Exception):
    """No model can be asked now: none is named, it does not answer, or people try to fool it in a round."""


@dataclass(eq=False)
class FrontModelSilent(Exception):
    """The model gave no answer in time."""

    retry_after_seconds: int


@dataclass(frozen=True)
class FrontModel:
    """The model that can be asked now: it reads one text, its `text_field`, and answers with one of `labels`."""

    name: str
    labels: tuple[str, ...]
    text_field: str


@dataclass(frozen=True)
class AskFrontModel:
    """A stranger's text, what they say people would call it, and the address that they are counted by."""

    text: str
    claimed: str
    address: str


@dataclass(frozen=True)
class FrontAnswer:
    """The model's answer, with the probability of each label, and whether it differs from the claim."""

    model: str
    label: str
    probabilities: Mapping[str, float]
    fooled: bool


def find_front_model(app: Dependencies) -> FrontModel | None:
    """Return the model that strangers can ask now, None while there is none."""
    if not app.front_model or _is_in_the_loop(app):
        return None
    try:
        found = app.gateway.describe(app.front_model)
    except (TargetUnknown, GatewayUnavailable):
        return None
    fits = found.task_type == TASK_TYPE and len(found.fields) == 1 and len(found.labels) > 1
    return FrontModel(found.name, found.labels, found.fields[0]) if found.ready and fits else None


def ask_front_model(command: AskFrontModel, app: Dependencies) -> FrontAnswer:
    """Return what the model answers; the address is counted before anything is asked.

    Raises InputRefused, TooManyVisitors, FrontModelClosed, also where a round took the model in meanwhile,
    FrontModelSilent, TargetRefusesInput.
    """
    flaw = validate_text(command.text, LONGEST_TEXT)
    if flaw is not None:
        raise InputRefused("text", flaw.reason, flaw.remedy)
    with app.visitors.question(command.address, app.clock.now()):
        model = find_front_model(app)
        if model is None:
            raise FrontModelClosed
        if command.claimed not in model.labels:
            remedy = f"Choose one of: {', '.join(model.labels)}."
            raise InputRefused("claimed", f"is {command.claimed[:50]!r}, no label of the model", remedy)
        answer = _answer(model, command, app)
        if _is_in_the_loop(app):
            raise FrontModelClosed
        return answer


def _answer(model: FrontModel, command: AskFrontModel, app: Dependencies) -> FrontAnswer:
    try:
        instance = {model.text_field: command.text}
        found = app.gateway.predict(model.name, instance, app.prediction_deadline_seconds).answer
        probabilities = read_probabilities(found)
    except PredictionFailed as failed:
        raise FrontModelSilent(failed.retry_after_seconds or RETRY_SECONDS) from failed
    except AnswerUnreadable as err:
        raise FrontModelSilent(RETRY_SECONDS) from err
    label = found.get("label")
    if label not in model.labels:
        raise FrontModelSilent(RETRY_SECONDS)
    return FrontAnswer(model.name, label, probabilities, label != command.claimed)


def _is_in_the_loop(app: Dependencies) -> bool:
    with app.unit_of_work() as uow:
        return any(app.front_model in round_.targets for round_ in uow.rounds.live())
