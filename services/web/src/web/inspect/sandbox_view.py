"""The sandbox of a task, with the models that are in no open round."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dynabench_client.results.annotation import Answers, TaskModel

from web.kit import fields, isolation
from web.kit.answers import AnswerView, answer_view
from web.kit.configuration import Field, TaskRules
from web.kit.fields import Asking, FieldView, FormValues
from web.kit.language import _
from web.kit.outcomes import Outcome
from web.kit.problems import ProblemView
from web.kit.questions import INPUT

CONTEXT = "context."


@dataclass(frozen=True)
class Asked:
    """A model that was asked, and its answer or the reason for a missing one."""

    target: str
    outcome: Outcome[Answers]


@dataclass(frozen=True)
class ModelChoice:
    """A model that may be asked; `note` is a warning about it."""

    name: str
    note: str
    is_open: bool
    is_chosen: bool


@dataclass(frozen=True)
class SandboxView:
    """The form of the sandbox; `left_out` are the reasons why requested models are not available."""

    models: list[ModelChoice]
    fields: list[FieldView]
    has_models: bool
    left_out: list[str]


def sandbox_view(
    rules: TaskRules,
    models: Sequence[TaskModel],
    entered: FormValues,
    chosen: Sequence[str],
    *,
    is_owner: bool,
    problem: ProblemView | None,
) -> SandboxView:
    """Return the form: the texts that models read; without a requested model the first one is chosen."""
    choices = [_model(model, chosen, is_owner) for model in models]
    if not chosen and problem is None:
        first = next((at for at, choice in enumerate(choices) if choice.is_open), None)
        choices = [replace(choice, is_chosen=at == first) for at, choice in enumerate(choices)]
    return SandboxView(
        models=choices,
        fields=[
            fields.ask(
                field, Asking(control=prefix + field.name, entered=entered, has_keys=not at, problem=problem)
            )
            for at, (prefix, field) in enumerate(sandbox_fields(rules))
        ],
        has_models=any(choice.is_open for choice in choices),
        left_out=[] if problem else [said for name in chosen if (said := _left_out(choices, name))],
    )


def sandbox_fields(rules: TaskRules) -> list[tuple[str, Field]]:
    """Return the fields of a model's input, each with the prefix of its control.

    A context that no model reads and nobody marks is left out.
    """
    read = {*rules.instance.values(), *(field.of for field in rules.input)}
    return [
        *((CONTEXT, field) for field in rules.context if field.is_free_text and field.name in read),
        *((INPUT, field) for field in rules.written if field.is_free_text),
    ]


def answers_of(asked: Sequence[Asked], rules: TaskRules) -> list[AnswerView]:
    """Return the answers side by side, with reasons for missing ones; none if all are missing for the same reason."""
    problems = {each.outcome.problem.detail for each in asked if each.outcome.problem is not None}
    if len(problems) < 2 and all(each.outcome.value is None for each in asked):
        return []
    found: list[AnswerView] = []
    for each in asked:
        if each.outcome.value is not None:
            found += [answer_view(answer, rules) for answer in each.outcome.value.answers]
        elif (problem := each.outcome.problem) is not None:
            words = f"{problem.detail} {problem.remedy}".strip()
            found.append(AnswerView(each.target, None, None, [], _("no answer"), False, False, "", words))
    return found


def _model(model: TaskModel, chosen: Sequence[str], is_owner: bool) -> ModelChoice:
    notes = []
    if model.in_the_loop:
        notes.append(_("in an open round"))
    if not model.published:
        notes.append(_("not published"))
    if not model.ready:
        notes.append(_("starts on request"))
    is_open = is_owner or not model.in_the_loop
    return ModelChoice(model.name, ", ".join(notes), is_open, is_open and model.name in chosen)


def _left_out(choices: Sequence[ModelChoice], chosen: str) -> str:
    """Return the reason why a requested model is not available; empty if it is, or has no name."""
    known = next((choice for choice in choices if choice.name == chosen), None)
    if not chosen or (known is not None and known.is_open):
        return ""
    if known is not None:
        return _(
            "%(model)s is in an open round, so you can't ask it here.",
            model=isolation.name(chosen),
        )
    return _("This task can't ask %(model)s right now.", model=isolation.name(chosen))
