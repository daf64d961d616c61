"""Reveal after a blind answer: the author's claim on request, and what would be right."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from dynabench_client.results.validation import RecentVote, Vote
from dynabench_tasks.values import Value

from web.kit import fields, words
from web.kit.answers import shown_values
from web.kit.configuration import TaskRules
from web.kit.fields import Asking, FieldView, FormValues, ShownValue
from web.kit.fields.span import ShownSpan
from web.kit.form import hidden_json
from web.kit.language import N_, _
from web.kit.marked_text import MarkedText, marked_text, other_mark, own_mark
from web.kit.numbers import percent
from web.kit.problems import ProblemView
from web.kit.questions import texts_of
from web.kit.votes import (
    ANSWER,
    JUDGEMENT,
    answer_field,
    option_views,
    own_answer,
    shown_claim,
)
from web.kit.words import LabelView, Word

TOO_FAST = "too_fast"
SAID = {"flag": N_("You flagged it."), "unsure": N_("You were unsure.")}


@dataclass(frozen=True)
class AnsweredView:
    """A new vote before the reveal; it may still be undone or changed."""

    vote_id: str
    own: ShownValue | None
    own_words: str
    context: list[ShownValue]
    written: list[ShownValue]
    is_too_fast: bool


@dataclass(frozen=True)
class ModelSaid:
    """A model's answer; `share` is its own probability of it, empty if it gave none."""

    value: ShownValue
    share: str


@dataclass(frozen=True)
class RevealView:
    """The claim and the models' answers, shown after the vote; `models` is empty for half of the examples."""

    vote_id: str
    own: ShownValue | None
    own_words: str
    claimed: ShownValue | None
    marked: list[MarkedText]
    context: list[ShownValue]
    written: list[ShownValue]
    explanation: str
    models: list[ModelSaid]
    agrees: bool
    aside: str
    resolution: Word | None


@dataclass(frozen=True)
class CorrectionView:
    """Form for the right answer instead of the author's claim: buttons for labels, or a question.

    `own` is the label of the person's own blind vote, if it can replace the claim; `why` is the person's explanation.
    """

    reveal: RevealView
    options: list[LabelView]
    own: LabelView | None
    answer: FieldView | None
    markable: Mapping[str, str]
    why: str


@dataclass(frozen=True)
class Shown:
    """The example of a vote, in the form's hidden fields for the page of the reveal."""

    context: Mapping[str, Value]
    input: Mapping[str, Value]


def answered_view(vote: Vote, rules: TaskRules, kind: str, value: Value | None, shown: Shown) -> AnsweredView:
    """Return the view directly after a vote."""
    return AnsweredView(
        vote_id=vote.vote_id,
        own=own_answer(kind, value, rules),
        own_words=said_words(kind),
        context=shown_values(shown.context, rules),
        written=shown_values(shown.input, rules),
        is_too_fast=was_too_fast(vote),
    )


def was_too_fast(vote: Vote) -> bool:
    """Return whether a vote does not count because it was too fast."""
    return vote.notice is not None and vote.notice.kind == TOO_FAST


def reveal_view(vote: RecentVote, rules: TaskRules) -> RevealView:
    """Return the view of the reveal."""
    is_kept_apart = not vote.counted and vote.kind != "unsure"
    aside = _("Your answer is recorded, but does not change the result.") if is_kept_apart else ""
    return replace(past_reveal(vote, rules), aside=aside)


def past_reveal(vote: RecentVote, rules: TaskRules) -> RevealView:
    """Return an earlier vote with its reveal, if its voter has seen it."""
    claimed, own = shown_claim(claim_of(vote), rules), own_answer(vote.kind, vote.value, rules)
    shown = shown_of(vote)
    return RevealView(
        vote_id=vote.vote_id,
        own=own,
        own_words=said_words(vote.kind),
        claimed=claimed,
        marked=_marked(own, claimed, rules, shown),
        context=shown_values(shown.context, rules),
        written=shown_values(shown.input, rules),
        explanation=(vote.reveal.explanation if vote.reveal else None) or "",
        models=_models(vote, rules),
        agrees=claimed is not None and own is not None and claimed.text == own.text,
        aside="",
        resolution=words.resolution(vote.resolution),
    )


def _models(vote: RecentVote, rules: TaskRules) -> list[ModelSaid]:
    answers = vote.reveal.models if vote.reveal else ()
    shown = [(shown_claim(each.value, rules), each.confidence) for each in answers]
    return [
        ModelSaid(value, "" if confidence is None else percent(confidence, 0))
        for value, confidence in shown
        if value is not None
    ]


def claim_of(vote: RecentVote) -> Value | None:
    """Return the author's claim if the voter knows it: revealed, or judged from the start."""
    if vote.reveal is not None:
        return vote.reveal.claimed
    return vote.example.claim_to_judge if vote.example else None


def correction_view(
    vote: RecentVote, rules: TaskRules, entered: FormValues | None = None, problem: ProblemView | None = None
) -> CorrectionView:
    """Return the question for the right answer; the person's own label is offered first, the author's not at all."""
    claimed = rules.claimed
    options, own, answer, markable = list[LabelView](), None, None, dict[str, str]()
    if claimed is not None and claimed.is_one_label:
        labels = option_views(rules.labels, rules)
        options = [each for each in labels if each.name != claim_of(vote)]
        own = next((each for each in options if each.name == vote.value), None)
        options = [each for each in options if each != own]
    elif claimed is not None:
        markable = {claimed.of: f"passage-{claimed.of}"} if claimed.of else {}
        asked = answer_field(rules, claimed.type, rules.labels)
        given = entered if entered is not None else _held(vote, rules)
        asking = Asking(
            control=ANSWER,
            entered=given,
            has_keys=True,
            is_required=False,
            passages=markable,
            problem=problem,
        )
        answer = fields.ask(asked, asking)
    return CorrectionView(past_reveal(vote, rules), options, own, answer, markable, vote.explanation or "")


def said_words(kind: str) -> str:
    """Return the label of a vote without a value; empty for others."""
    return _(SAID[kind]) if kind in SAID else ""


def shown_of(vote: RecentVote) -> Shown:
    """Return the example of an earlier vote."""
    return Shown(vote.example.context, vote.example.input) if vote.example else Shown({}, {})


def shown_example(carried: str) -> Shown:
    """Return the example in a form's hidden field; an empty one if the field is invalid."""
    document = hidden_json(carried)
    if not isinstance(document, dict):
        return Shown({}, {})
    parts = [document.get(name) for name in ("context", "input")]
    return Shown(*(part if isinstance(part, dict) else {} for part in parts))


def _held(vote: RecentVote, rules: TaskRules) -> FormValues:
    """Return the form of a correction, filled with the person's own blind vote."""
    if vote.value is None or vote.kind == JUDGEMENT or rules.claimed is None:
        return {}
    return fields.fill(answer_field(rules, rules.claimed.type, rules.labels), ANSWER, vote.value)


def _marked(
    own: ShownValue | None, claimed: ShownValue | None, rules: TaskRules, shown: Shown
) -> list[MarkedText]:
    """Return the text with the spans of the person and the author, if answers are spans."""
    if not isinstance(claimed, ShownSpan):
        return []
    marks = [own_mark(_("You"), own)] if isinstance(own, ShownSpan) else []
    text = texts_of(rules, shown.context, shown.input).get(claimed.of, "")
    both = [*marks, other_mark(_("The author"), claimed, 0)]
    return [marked_text(rules.field(claimed.of).label, text, both)] if text else []
