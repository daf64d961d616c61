"""View of a practice item: the text with its question and, after the answer, the model's answer with its reason."""

from collections.abc import Sequence
from dataclasses import dataclass

from dynabench_client.results.annotation import Task
from dynabench_tasks.configuration.practice import PracticeItem
from dynabench_tasks.configuration.problems import ConfigurationError
from dynabench_tasks.configuration.published import read_published
from dynabench_tasks.configuration.task_configuration import TaskConfiguration
from dynabench_tasks.fields import Field as TaskField
from dynabench_tasks.fields import InputRefused, texts_of
from dynabench_tasks.values import Value, to_text

from web.kit import fields, words
from web.kit.answers import shown_values
from web.kit.configuration import Field, TaskRules
from web.kit.fields import Asking, FieldView, FormValues, ShownValue, Unreadable
from web.kit.fields.span import ShownSpan
from web.kit.language import _
from web.kit.marked_text import MarkedText, marked_text, other_mark, own_mark
from web.kit.problems import ProblemView
from web.kit.questions import refusal
from web.kit.words import LabelView, Word

ANSWER = "practice.value"


@dataclass(frozen=True)
class Outcome:
    """Result of an answer: the person's answer, the right answer, the model's answer, the verdict, and the reason."""

    own: ShownValue
    answer: ShownValue
    model_said: ShownValue
    agrees: bool
    verdict: Word
    fooled: bool | None
    because: str
    marked: list[MarkedText]

    @property
    def in_words(self) -> str:
        """Comparison of both answers with the gold; without the model if only a person can judge its answer."""
        if self.fooled is None:
            return _("You and most people agree.") if self.agrees else _("Most people chose another answer.")
        if self.agrees:
            sentences = {
                True: _("You and most people agree. The model does not."),
                False: _("You, most people and the model agree."),
            }
        else:
            sentences = {
                True: _("Most people chose another answer. The model was wrong too."),
                False: _("Most people chose another answer. The model agrees with them."),
            }
        return sentences[self.fooled]


@dataclass(frozen=True)
class ItemView:
    """One item: `options` for an answer by one button, else `question`; `outcome` once answered."""

    number: int
    of: int
    context: list[ShownValue]
    written: list[ShownValue]
    markable: dict[str, str]
    asked: str
    options: list[LabelView]
    question: FieldView | None
    problem: ProblemView | None
    outcome: Outcome | None

    @property
    def is_last(self) -> bool:
        """Return whether no item follows."""
        return self.number == self.of


def practice_of(task: Task) -> TaskConfiguration | None:
    """Return the task's configuration if it has practice items that these pages understand."""
    try:
        found = read_published(task.configuration)
    except ConfigurationError:
        return None
    return found if found.practice else None


def item_view(
    rules: TaskRules,
    configuration: TaskConfiguration,
    number: int,
    *,
    entered: FormValues | None = None,
) -> ItemView:
    """Return the item of that number, from 1; with `entered`, also the result or the problem of the answer."""
    item, claimed = configuration.practice[number - 1], rules.claimed
    if claimed is None:
        raise ValueError("a task with practice items has a claimed field")
    outcome, problem = None, None
    if entered is not None:
        outcome, problem = _answered(rules, configuration, item, claimed, entered)
    markable = {} if outcome or not claimed.of else {claimed.of: f"passage-{claimed.of}"}
    by_button = claimed.is_one_label
    asking = Asking(control=ANSWER, entered=entered or {}, passages=markable, problem=problem)
    return ItemView(
        number=number,
        of=len(configuration.practice),
        context=shown_values(item.context, rules),
        written=shown_values(item.input, rules),
        markable=markable,
        asked=_("Mark the answer.") if claimed.of else _("What would you call it?"),
        options=_options(claimed) if by_button else [],
        question=None if by_button else fields.ask(claimed, asking),
        problem=problem,
        outcome=outcome,
    )


def _options(claimed: Field) -> list[LabelView]:
    return [
        LabelView(each.name, each.style, each.key, meaning=claimed.meaning_of(each.name))
        for each in words.labels(claimed.labels, with_keys=True)
    ]


def _answered(
    rules: TaskRules,
    configuration: TaskConfiguration,
    item: PracticeItem,
    claimed: Field,
    entered: FormValues,
) -> tuple[Outcome | None, ProblemView | None]:
    texts = {
        **texts_of(configuration.fields.context, item.context),
        **texts_of(configuration.fields.written, item.input),
    }
    try:
        given = fields.read(claimed, Asking(control=ANSWER, entered=entered), texts)
        if given is None or given == "":
            return None, refusal(ANSWER, _("This is not answered yet."), _("Please answer it."))
        own = configuration.claimed_field.check(given, texts, ANSWER)
    except Unreadable as err:
        return None, refusal(ANSWER, err.reason, err.remedy)
    except InputRefused:
        return None, refusal(ANSWER, _("This can't be an answer here."), _("Choose or write another one."))
    fooled = configuration.wrong_when.is_wrong(item.answer, item.model_said)
    return (
        Outcome(
            own=fields.show(claimed, own),
            answer=fields.show(claimed, item.answer),
            model_said=fields.show(claimed, item.model_said),
            agrees=_agrees(configuration.claimed_field, own, item.answer),
            verdict=words.verdict("undecided" if fooled is None else "fooled" if fooled else "not_fooled"),
            fooled=fooled,
            because=item.because,
            marked=_marked(rules, claimed, texts, (own, item.answer, item.model_said)),
        ),
        None,
    )


def _agrees(field: TaskField, own: Value, answer: Value) -> bool:
    return field.agrees_with_any(to_text(own), [to_text(answer)])


def _marked(
    rules: TaskRules, claimed: Field, texts: fields.Texts, values: Sequence[Value]
) -> list[MarkedText]:
    """Return the text with the spans of the person, the right answer and the model; None without spans."""
    own, answer, said = (fields.show(claimed, value) for value in values)
    if not (isinstance(own, ShownSpan) and isinstance(answer, ShownSpan) and isinstance(said, ShownSpan)):
        return []
    marks = [own_mark(_("You"), own), other_mark(_("People"), answer, 0), other_mark(_("The model"), said, 1)]
    return [marked_text(rules.field(claimed.of).label, texts[claimed.of], marks)]
