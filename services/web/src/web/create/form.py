"""The form for writing an example, with the parts of the page around it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dynabench_client.results.annotation import Assignment, Example, MyTries, Similar
from dynabench_tasks.values import Value

from web.create.changed_targets import ChangedTargets
from web.create.try_view import EditView, TryView
from web.kit import fields, isolation, words
from web.kit.answers import AnswerView, shown_values
from web.kit.configuration import TaskRules
from web.kit.fields import FieldView, FormValues, ShownValue
from web.kit.language import ngettext
from web.kit.numbers import MISSING, conjunction, count, percent
from web.kit.problems import ProblemView
from web.kit.questions import (
    before_submit,
    claim_control,
    controls_of,
    fresh_values,
    input_questions,
    metadata_questions,
    passages_of,
)
from web.kit.word_diff import word_diff
from web.kit.words import LabelView

LONGEST_PINNED = 400
HELP, MARGIN = "1", "margin"


@dataclass(frozen=True)
class ContextView:
    """Starting context; hidden in arms that write without it.

    `markable` maps fields in which people mark spans to the elements that show them. A short text stays visible
    during writing.
    """

    context_id: str
    values: list[ShownValue]
    tags: list[str]
    is_shown: bool
    is_pinned: bool
    markable: Mapping[str, str]


@dataclass(frozen=True)
class TallyView:
    """Counts of the person's own work in the round."""

    tries: str
    fooled: str
    confirmed: str


@dataclass(frozen=True)
class PerturbationView:
    """The example to edit minimally."""

    example_id: str
    claimed: LabelView
    written: list[ShownValue]


@dataclass(frozen=True)
class SimilarView:
    """A near duplicate among the person's own examples."""

    example_id: str
    text: str
    similarity: str


@dataclass(frozen=True)
class CutView:
    """A claim that begins or ends within a word: the marked text, its position, and the text with whole words."""

    marked: str
    place: str
    whole: str


@dataclass(frozen=True)
class NotesView:
    """Notes during writing: changes against the context, and near duplicates."""

    edits: list[EditView]
    own: list[SimilarView]
    summary: str


@dataclass(frozen=True)
class FormState:
    """State of a form: its controls, and the result of the last action.

    `is_carried` if it was kept, unsaved, from another context.
    """

    entered: FormValues = field(default_factory=dict)
    key: str = ""
    hint: str = ""
    problem: ProblemView | None = None
    probed: Sequence[AnswerView] = ()
    perturbed: Example | None = None
    is_fresh: bool = False
    is_carried: bool = False
    cut: CutView | None = None


@dataclass(frozen=True)
class StoppedView:
    """A try with its verdict, on a page without a context to write on."""

    verdict: TryView | None
    questions: Sequence[FieldView] = ()
    problem: ProblemView | None = None
    is_verdict_new: bool = False
    is_verdict_here: bool = False
    streak: str = ""
    context: None = None


@dataclass(frozen=True)
class CreateView:
    """The form and, after a try, its verdict."""

    context: ContextView
    fields: list[FieldView]
    metadata: list[FieldView]
    questions: list[FieldView]
    perturbation: PerturbationView | None
    key: str
    hint: str
    draft: str
    is_fresh: bool
    is_carried: bool
    cut: CutView | None
    has_targets: bool
    waits_for: str
    tally: TallyView
    problem: ProblemView | None
    probed: list[AnswerView]
    notes: NotesView | None
    verdict: TryView | None
    earlier: list[TryView]
    changed: ChangedTargets | None
    owed: str
    is_verdict_new: bool
    streak: str

    @property
    def awaits_reason(self) -> bool:
        """Return whether the shown try needs a reason before the next context."""
        return self.verdict is not None and self.verdict.example_id == self.owed

    @property
    def shows_hints(self) -> bool:
        """Return whether the hints are open."""
        return self.hint == HELP

    @property
    def is_verdict_here(self) -> bool:
        """Return whether the verdict is of a try on the shown context."""
        return self.verdict is not None and self.verdict.context_id == self.context.context_id

    @property
    def is_problem_in_field(self) -> bool:
        """Return whether the refusal is shown at a field instead of above the form."""
        return any(each.problem for each in (*self.fields, *self.metadata, *self.questions))


def create_view(
    rules: TaskRules,
    assignment: Assignment,
    state: FormState,
    *,
    round_id: str = "",
    round_number: int = 1,
    targets: Sequence[str] = (),
    tally: TallyView,
    notes: NotesView | None = None,
    verdict: TryView | None = None,
    questions: Sequence[FieldView] = (),
    earlier: Sequence[TryView] = (),
    changed: ChangedTargets | None = None,
    owed: str = "",
    is_verdict_new: bool = False,
    streak: str = "",
) -> CreateView:
    """Return the page; `owed` is the try that needs a reason before the next context, or empty.

    `is_verdict_new` is true for the verdict of a try that was just made; `streak` is its run of fooling tries in words.
    """
    context_id = assignment.context.context_id
    edited = f":edit:{state.perturbed.example_id}" if state.perturbed else ""
    return CreateView(
        context=context_view(rules, assignment),
        fields=input_questions(
            rules, assignment, state.entered, is_edit=state.perturbed is not None, problem=state.problem
        ),
        metadata=metadata_questions(
            before_submit(rules, round_number),
            state.entered,
            depends_on=claim_control(rules),
            passages=passages_of(rules, assignment),
            mirrored=controls_of(rules),
            problem=state.problem,
        ),
        questions=list(questions),
        perturbation=_perturbation(state.perturbed, rules),
        key=state.key,
        hint=_hint(rules, state, verdict),
        draft=f"{round_id}:{context_id}{edited}",
        is_fresh=state.is_fresh,
        is_carried=state.is_carried,
        cut=state.cut,
        has_targets=assignment.has_targets,
        waits_for=conjunction(map(isolation.name, targets)) if targets and assignment.has_targets else "",
        tally=tally,
        problem=state.problem,
        probed=list(state.probed),
        notes=notes,
        verdict=verdict,
        earlier=list(earlier),
        changed=changed,
        owed=owed,
        is_verdict_new=is_verdict_new,
        streak=streak,
    )


def _hint(rules: TaskRules, state: FormState, verdict: TryView | None) -> str:
    """Return the hint that the person has seen; none in a task without tips."""
    if state.hint and (state.hint != HELP or rules.tips):
        return state.hint
    return MARGIN if verdict and verdict.has_margin else ""


def context_view(rules: TaskRules, assignment: Assignment) -> ContextView:
    """Return the view of the person's context."""
    context = assignment.context
    values = shown_values(context.fields, rules)
    length = sum(len(value.text) for value in values)
    return ContextView(
        context_id=context.context_id,
        values=values,
        tags=list(context.tags),
        is_shown=assignment.context_shown,
        is_pinned=0 < length <= LONGEST_PINNED and all(value.type == "string" for value in values),
        markable=passages_of(rules, assignment),
    )


def notes_view(
    rules: TaskRules, assignment: Assignment | None, written: Mapping[str, Value], similar: Similar | None
) -> NotesView:
    """Return the notes that the author sees while writing: edits and similar texts."""
    own = similar.own if similar else ()
    fresh = fresh_values(rules, assignment) if assignment else {}
    edits = [
        EditView(rules.field(name).label, word_diff(str(before), str(written[name])))
        for name, before in fresh.items()
        if name in written and written[name] != before
    ]
    return NotesView(
        edits=edits,
        own=[SimilarView(each.example_id, each.text, percent(each.similarity, 0)) for each in own],
        summary=_summary(len(own), similar.others if similar else 0),
    )


def _summary(own: int, others: int) -> str:
    """Return a sentence on the numbers of the person's own and other people's near duplicates; empty for none."""
    if own and others:
        return ngettext(
            "Similar to %(own)s of yours and to %(shown)s\u00a0text of other people",
            "Similar to %(own)s of yours and to %(shown)s\u00a0texts of other people",
            others,
            own=count(own),
            shown=count(others),
        )
    if others:
        return ngettext(
            "Similar to %(shown)s\u00a0text of other people",
            "Similar to %(shown)s\u00a0texts of other people",
            others,
            shown=count(others),
        )
    return (
        ngettext("Similar to %(num)s of your texts", "Similar to %(num)s of your texts", own) if own else ""
    )


def tally_view(mine: MyTries | None, confirmed: int | None) -> TallyView:
    """Return the person's own counts; an unreadable one is a dash."""
    return TallyView(
        tries=count(mine.tries) if mine else MISSING,
        fooled=count(mine.fooled) if mine else MISSING,
        confirmed=MISSING if confirmed is None else count(confirmed),
    )


def _perturbation(original: Example | None, rules: TaskRules) -> PerturbationView | None:
    if original is None:
        return None
    claimed = fields.show(rules.claimed, original.claimed).text if rules.claimed and original.claimed else ""
    return PerturbationView(
        original.example_id,
        words.label(claimed, rules.labels),
        fields.show_all(rules.written, original.input),
    )
