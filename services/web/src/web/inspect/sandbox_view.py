"""The sandbox of a task, with the models that are in no open round."""

from collections.abc import Sequence
from dataclasses import dataclass

from dynabench_client.results.annotation import TaskModel

from web.kit import fields, isolation
from web.kit.configuration import Field, TaskRules
from web.kit.fields import Asking, FieldView, FormValues
from web.kit.language import _
from web.kit.problems import ProblemView
from web.kit.questions import INPUT

CONTEXT = "context."


@dataclass(frozen=True)
class ModelChoice:
    """A model that may be asked; `note` is a warning about it."""

    name: str
    note: str
    is_open: bool
    is_chosen: bool


@dataclass(frozen=True)
class SandboxView:
    """The form of the sandbox; `left_out` is the reason why the requested model is not available."""

    models: list[ModelChoice]
    fields: list[FieldView]
    has_models: bool
    left_out: str


def sandbox_view(
    rules: TaskRules,
    models: Sequence[TaskModel],
    entered: FormValues,
    chosen: str,
    *,
    is_owner: bool,
    problem: ProblemView | None,
) -> SandboxView:
    """Return the form: all texts of the task except the claim, which models never get."""
    choices = [_model(model, chosen, is_owner) for model in models]
    return SandboxView(
        models=choices,
        fields=[
            fields.ask(
                field, Asking(control=prefix + field.name, entered=entered, has_keys=not at, problem=problem)
            )
            for at, (prefix, field) in enumerate(sandbox_fields(rules))
        ],
        has_models=any(choice.is_open for choice in choices),
        left_out="" if problem else _left_out(choices, chosen),
    )


def sandbox_fields(rules: TaskRules) -> list[tuple[str, Field]]:
    """Return the fields of a model's input, each with the prefix of its control."""
    return [
        *((CONTEXT, field) for field in rules.context if field.is_free_text),
        *((INPUT, field) for field in rules.written if field.is_free_text),
    ]


def _model(model: TaskModel, chosen: str, is_owner: bool) -> ModelChoice:
    notes = []
    if model.in_the_loop:
        notes.append(_("in the loop of a round"))
    if not model.published:
        notes.append(_("not published"))
    if not model.ready:
        notes.append(_("starts when it is asked"))
    is_open = is_owner or not model.in_the_loop
    return ModelChoice(model.name, ", ".join(notes), is_open, is_open and model.name == chosen)


def _left_out(choices: Sequence[ModelChoice], chosen: str) -> str:
    """Return the reason why the requested model is not available; empty if it is, or none was requested."""
    if not chosen or any(choice.is_chosen for choice in choices):
        return ""
    if any(choice.name == chosen for choice in choices):
        return _(
            "People are trying to fool %(model)s in a round, so it can't be asked here.",
            model=isolation.name(chosen),
        )
    return _("%(model)s is none of the models that this task can ask just now.", model=isolation.name(chosen))
