"""Preview of a configuration's screens for annotators, with an example.

The example is the first worked example of the configuration, or else placeholder texts.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from dynabench_client.results.annotation import Assignment, Context
from dynabench_client.results.validation import Lease, LeasedExample
from dynabench_tasks.values import Value, Values

from web.kit import fields
from web.kit.configuration import Field, TaskRules, rules_of
from web.kit.fields import FieldView, ShownValue
from web.kit.language import _
from web.kit.questions import before_submit, filled_input, fresh_values, input_questions, metadata_questions
from web.kit.vote_form import VoteForm, vote_form

PREVIEW = "preview"
JUDGEMENT = "judgement"
ANY_ROUND = 1_000


@dataclass(frozen=True)
class CreateScreen:
    """Annotators' screen: the questions before and after the verdict."""

    context: list[ShownValue]
    fields: list[FieldView]
    questions: list[FieldView]


@dataclass(frozen=True)
class ValidateScreen:
    """Validators' screen; `fields` are those of `vote_form` that are in the form."""

    vote_form: VoteForm
    fields: list[FieldView]


@dataclass(frozen=True)
class PreviewView:
    """Preview of the annotators' screens."""

    goal: str
    content_warning: str
    create: CreateScreen
    validate: ValidateScreen


def preview_view(configuration: Mapping[str, Any]) -> PreviewView:
    """Return the screens of a normalised configuration."""
    rules = rules_of(configuration, str(configuration.get("slug") or PREVIEW))
    context, written = _made_up(rules)
    return PreviewView(
        goal=rules.goal,
        content_warning=rules.content_warning,
        create=_create(rules, context),
        validate=_validate(rules, configuration, context, written),
    )


def _create(rules: TaskRules, context: Values) -> CreateScreen:
    assignment = Assignment.blank(
        context=Context.blank(context_id=PREVIEW, fields=dict(context)),
        assigned_label=rules.labels[0] if rules.assigns_label and rules.labels else None,
    )
    entered = filled_input(rules, fresh_values(rules, assignment))
    before = before_submit(rules, ANY_ROUND)
    after = [each for each in rules.create_metadata if each not in before]
    metadata = metadata_questions(before, {}, depends_on={"claimed": PREVIEW})
    return CreateScreen(
        fields.show_all(rules.context, context),
        _apart("create", [*input_questions(rules, assignment, entered), *metadata]),
        _apart("create", metadata_questions(after, {}, depends_on={"verdict": PREVIEW})),
    )


def _validate(
    rules: TaskRules, configuration: Mapping[str, Any], context: Values, written: Values
) -> ValidateScreen:
    validation = configuration.get("validation") or {}
    metadata = configuration.get("metadata") or {}
    claimed, is_judged = rules.claimed, validation.get("vote") == JUDGEMENT
    asked_of_voters = vote_form(
        Lease(
            lease_id=PREVIEW,
            vote=str(validation.get("vote") or "label"),
            answer_type=claimed.type if claimed and not is_judged else JUDGEMENT,
            options=() if is_judged else rules.options,
            span_of=claimed.of or None if claimed and not is_judged else None,
            metadata_fields=tuple(metadata.get("validate") or ()),
            example=LeasedExample(
                example_id=PREVIEW,
                context=dict(context),
                input={each.name: written[each.name] for each in rules.written if each.name in written},
                claim_to_judge=written.get(claimed.name) if claimed and is_judged else None,
            ),
        ),
        rules,
        key=PREVIEW,
        round_number=ANY_ROUND,
    )
    asked = [
        *([asked_of_voters.answer] if asked_of_voters.answer else []),
        *asked_of_voters.metadata,
        *asked_of_voters.flag_metadata,
    ]
    return ValidateScreen(asked_of_voters, _apart("validate", asked))


def _apart(screen: str, questions: Iterable[FieldView]) -> list[FieldView]:
    """Return questions with the screen's name in their controls, because one page shows both screens."""
    return [replace(question, control=f"{screen}.{question.control}") for question in questions]


def _made_up(rules: TaskRules) -> tuple[Values, Values]:
    """Return the values of a context and of an example on it."""
    given = next(iter(rules.worked_examples), None)
    if given is not None:
        return given.context, given.input
    return _values(rules.context), _values(rules.input)


def _values(asked: Iterable[Field]) -> Values:
    return {each.name: _value(each) for each in asked}


def _value(field: Field) -> Value:
    if field.labels:
        return field.labels[0] if field.is_one_label else list(field.labels[:1])
    if field.is_marked:
        return {"start": 0, "end": 1, "text": "…"}
    return _("This is the text of a person.")
