"""The sandbox of a task: models asked outside of any round, nothing stored.

If rounds try to fool a model, only a person who owns all of their tasks may ask it here. Each request then counts as a
probe in each of those rounds.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from dynabench_tasks.explanations import question_about

from annotation.domain.errors import TargetUnknown
from annotation.domain.identifiers import PersonId
from annotation.domain.target import TargetDescription
from annotation.domain.verdict import Answers, TargetAnswer
from annotation.service_layer.dependencies import Dependencies
from annotation.service_layer.predictions import Written, ask
from annotation.service_layer.probes import CountProbes, TargetInTheLoop, count_probes
from annotation.service_layer.rounds import find_misfit


@dataclass(frozen=True)
class AskModel:
    """Ask one model about a context and an input; `owns` returns, for a task's slug, whether the person owns it.

    Models of tasks that are `hidden` are unknown.
    """

    slug: str
    target: str
    person_id: PersonId
    owns: Callable[[str], bool]
    hidden: frozenset[str]
    context: Mapping[str, object]
    input: Mapping[str, object]


@dataclass(frozen=True)
class InspectModel(AskModel):
    """Ask why a model answers as it does, for its own label or another; of a span, for its start or its end."""

    label: str | None
    n_steps: int | None


@dataclass(frozen=True)
class FittingModel:
    """A served model that a task can ask; `in_the_loop` while people try to fool it in any round."""

    description: TargetDescription
    in_the_loop: bool


@dataclass(frozen=True)
class _Ready:
    configuration: TaskConfiguration
    written: Written


def ask_model(command: AskModel, app: Dependencies) -> Answers:
    """Return the model's answer.

    Raises NotFound, TargetInTheLoop, TargetUnknown, TargetUnfit, GatewayUnavailable, InputRefused,
    TargetRefusesInput.
    """
    ready = _prepare(command, app)
    answers = ask((command.target,), ready.configuration, ready.written, app, [])
    if isinstance(answers[0], TargetAnswer):
        _count(command, app)
    return answers


def inspect_model(command: InspectModel, app: Dependencies) -> Mapping[str, Any]:
    """Return the model's attributions. Raises the errors of `ask_model`, and InspectionUnavailable."""
    ready = _prepare(command, app)
    instance = ready.configuration.instance(ready.written.context, ready.written.input)
    question = question_about(ready.configuration, instance, command.label, None)
    explanation = app.gateway.explain(command.target, question.instance, question.label, command.n_steps)
    _count(command, app)
    return explanation


def fitting_models(
    slug: str, person_id: PersonId, hidden: frozenset[str], app: Dependencies, *, is_owner: bool
) -> list[FittingModel]:
    """Return the served models that the task can ask and the person may, by name; none of tasks that are `hidden`.

    Raises NotFound, GatewayUnavailable.
    """
    with app.unit_of_work() as uow:
        configuration = uow.tasks.get(slug).configuration
        in_the_loop = {target for round_ in uow.rounds.live() for target in round_.targets}
    return [
        FittingModel(description, description.name in in_the_loop)
        for description in app.gateway.describe_all()
        if find_misfit(description, configuration) is None
        and description.task not in hidden
        and _is_for(description, person_id, is_owner=is_owner)
    ]


def _prepare(command: AskModel, app: Dependencies) -> _Ready:
    with app.unit_of_work() as uow:
        configuration = uow.tasks.get(command.slug).configuration
        live = [round_ for round_ in uow.rounds.live() if command.target in round_.targets]
    if not all(command.owns(round_.task_slug) for round_ in live):
        raise TargetInTheLoop(command.target)
    context = configuration.check_read_context(command.context, "context")
    written = configuration.check_written(command.input, context)
    description = app.gateway.describe(command.target)
    is_for = _is_for(description, command.person_id, is_owner=command.owns(command.slug))
    if description.task in command.hidden or not is_for:
        raise TargetUnknown(command.target, "No such model is served.")
    unfit = find_misfit(description, configuration)
    if unfit is not None:
        raise unfit
    return _Ready(configuration, Written(context, written, None))


def _is_for(description: TargetDescription, person_id: PersonId, *, is_owner: bool) -> bool:
    """Return whether a person may ask a model: it is published, theirs, or of a task that they look after."""
    return description.published or is_owner or description.submitted_by == str(person_id)


def _count(command: AskModel, app: Dependencies) -> None:
    count_probes(CountProbes(command.target, command.person_id, 1), app)
