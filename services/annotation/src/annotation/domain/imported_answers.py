"""Target answers in an imported record: the models that ran are unknown, so digests and times are empty."""

from collections.abc import Mapping

from dynabench_tasks.certainty import read_confidence, read_probabilities
from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from dynabench_tasks.fields import AnswerUnreadable, InputRefused
from dynabench_tasks.values import Value

from annotation.domain.record_values import read_mapping, read_object
from annotation.domain.verdict import Answers, MissingAnswer, TargetAnswer

ANSWER_KEYS = ("value", "probabilities")
NOT_GIVEN = "not in the record"


def read_answers(
    configuration: TaskConfiguration,
    targets: tuple[str, ...],
    claimed: Value | None,
    given: object,
    texts: Mapping[str, str],
) -> Answers:
    """Return each target's answer, judged against the claim; none if the record has none.

    Raises InputRefused, also for a target that the round does not have.
    """
    answers = {name: answer for name, answer in read_mapping(given, "targets").items() if answer is not None}
    for name in answers:
        if name not in targets:
            known = f"This round's targets are: {', '.join(targets)}." if targets else "This round has none."
            raise InputRefused(f"targets.{name[:100]}", "is no target of this round", known)
    if not answers:
        return ()
    return tuple(
        _answer(configuration, target, claimed, answers[target], texts)
        if target in answers
        else MissingAnswer(target, NOT_GIVEN)
        for target in targets
    )


def _answer(
    configuration: TaskConfiguration,
    target: str,
    claimed: Value | None,
    given: object,
    texts: Mapping[str, str],
) -> TargetAnswer:
    path, probabilities = f"targets.{target}", {}
    if isinstance(given, dict) and "value" in given:
        fields = read_object(given, path, ANSWER_KEYS)
        probabilities = _read_probabilities(configuration, fields, f"{path}.probabilities")
        given, path = fields.get("value"), f"{path}.value"
    value = configuration.claimed_field.check_answer(given, texts, path)
    return TargetAnswer(
        target=target,
        value=value,
        confidence=read_confidence({}, value, probabilities),
        probabilities=probabilities,
        wrong=None if claimed is None else configuration.wrong_when.is_wrong(claimed, value),
        model_digest="",
        handler_digest="",
        milliseconds=0.0,
    )


def _read_probabilities(
    configuration: TaskConfiguration, fields: Mapping[str, object], path: str
) -> dict[str, float]:
    try:
        probabilities = read_probabilities(fields)
    except AnswerUnreadable as err:
        raise InputRefused(
            path, "is no mapping of labels to shares", 'Write {"label": 0.7, ...}, each from 0 to 1.'
        ) from err
    for label in probabilities:
        if label not in configuration.labels:
            known = f"The task's labels are: {', '.join(configuration.labels) or 'none'}."
            raise InputRefused(f"{path}.{label[:60]}", "is no label of this task", known)
    return probabilities
