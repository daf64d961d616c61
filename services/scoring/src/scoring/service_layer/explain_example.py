"""The explanation of a target's answer on a public example, for any reader."""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from dynabench_tasks.explanations import question_about
from dynabench_tasks.fields import InputRefused

from scoring.domain.errors import InstancesRefused, TargetInTheLoop, TargetNotServed
from scoring.queries import datasets, public_examples
from scoring.service_layer.dependencies import HttpDependencies


def explain_example(example_id: UUID, target: str, app: HttpDependencies) -> Mapping[str, Any]:
    """Return the weight of each part of the texts for the answer that the target gave.

    Raises PublicExampleUnknown, TargetInTheLoop while people try to fool the target in a task without probes,
    TargetNotServed, also where another model has its name now, InstancesRefused, TargetSilent.
    """
    found = public_examples.one(app.engine, example_id)
    answer = next((each for each in found.row.targets if each.name == target), None)
    if answer is None or answer.answer is None or app.targets is None:
        raise TargetNotServed(target)
    if target in datasets.unexplained_targets(app.engine):
        raise TargetInTheLoop(target)
    configuration = found.rules
    instance = configuration.instance(found.row.context, found.row.input)
    try:
        question = question_about(configuration, instance, None, answer.answer)
    except InputRefused as err:
        raise InstancesRefused(target) from err
    chosen = {} if question.label is None else {"label": question.label}
    explanation = app.targets.explain(target, {**question.instance, **chosen})
    if answer.digest and explanation["model_digest"] != answer.digest:
        raise TargetNotServed(target)
    if found.shows_context:
        return explanation
    return {**explanation, "tokens": _without_context(explanation["tokens"], configuration)}


def _without_context(
    tokens: Iterable[Mapping[str, Any]], configuration: TaskConfiguration
) -> list[Mapping[str, Any]]:
    """Return the tokens of the author's own text: the model may have read a context hidden from the author."""
    hidden = {field.name for field in configuration.fields.context}
    sources = configuration.instance_fields
    return [token for token in tokens if sources.get(token["field"], token["field"]) not in hidden]
