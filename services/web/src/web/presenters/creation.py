"""The page on which a person writes examples."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dynabench_client.results.annotation import Assignment, MyTries
from dynabench_client.results.leaderboard import MyFigures

from web.presenters import words
from web.presenters.configuration import Field, TaskRules
from web.presenters.examples import TryView
from web.presenters.numbers import MISSING, count
from web.presenters.problems import ProblemView
from web.presenters.words import LabelView

NO_PROMPT = "no_prompt"


@dataclass(frozen=True)
class ContextView:
    """What the person starts from; hidden in the arm that writes without a prompt."""

    context_id: str
    fields: list[tuple[str, str]]
    tags: list[str]
    is_shown: bool


@dataclass(frozen=True)
class ChoiceView:
    """A group of labels to choose from."""

    name: str
    legend: str
    labels: list[LabelView]
    problem: ProblemView | None


@dataclass(frozen=True)
class TextView:
    """A text to write; its length is counted in code points."""

    name: str
    label: str
    value: str
    max_length: int
    problem: ProblemView | None

    @property
    def length(self) -> str:
        """The present length as printed."""
        return count(len(self.value))

    @property
    def limit(self) -> str:
        """The longest length as printed."""
        return count(self.max_length)


@dataclass(frozen=True)
class TallyView:
    """Counts of one's own work in the round."""

    tries: str
    fooled: str
    validated: str


@dataclass(frozen=True)
class CreationView:
    """The form and, after a try, its verdict."""

    context: ContextView
    choices: list[ChoiceView]
    texts: list[TextView]
    key: str
    hint_shown: bool
    tally: TallyView
    problem: ProblemView | None
    verdict: TryView | None
    earlier: list[TryView]

    @property
    def is_problem_in_field(self) -> bool:
        """Tell whether the refusal is told beside a field instead of above the form."""
        return any(choice.problem for choice in self.choices) or any(text.problem for text in self.texts)


def creation_view(
    rules: TaskRules,
    assignment: Assignment,
    *,
    values: Mapping[str, str],
    key: str,
    hint_shown: bool,
    tally: TallyView,
    problem: ProblemView | None = None,
    verdict: TryView | None = None,
    earlier: Sequence[TryView] = (),
) -> CreationView:
    """Return the page; `values` are what the person wrote and chose so far, by field name."""
    return CreationView(
        context=context_view(rules, assignment),
        choices=[
            ChoiceView(
                field.name,
                _legend(field),
                words.labels(field.labels, values.get(field.name), with_keys=True),
                _problem_of(field, problem),
            )
            for field in rules.choices
        ],
        texts=[
            TextView(
                field.name,
                field.label,
                values.get(field.name, ""),
                field.max_length,
                _problem_of(field, problem),
            )
            for field in rules.texts
        ],
        key=key,
        hint_shown=hint_shown,
        tally=tally,
        problem=problem,
        verdict=verdict,
        earlier=list(earlier),
    )


def context_view(rules: TaskRules, assignment: Assignment) -> ContextView:
    """Return the context in the person's hands."""
    context = assignment.context
    return ContextView(
        context_id=context.context_id,
        fields=[(rules.context_label(name), str(text)) for name, text in context.fields.items()],
        tags=list(context.tags),
        is_shown=assignment.condition != NO_PROMPT,
    )


def tally_view(mine: MyTries | None, figures: MyFigures | None) -> TallyView:
    """Return one's own counts; what can't be read just now is a dash."""
    return TallyView(
        tries=count(mine.tries) if mine else MISSING,
        fooled=count(mine.fooled) if mine else MISSING,
        validated=count(figures.validated_errors) if figures else MISSING,
    )


def _legend(field: Field) -> str:
    return field.label if " " in field.label else f"{field.label}: what would people call your text?"


def _problem_of(field: Field, problem: ProblemView | None) -> ProblemView | None:
    return problem if problem is not None and problem.field == field.name else None
