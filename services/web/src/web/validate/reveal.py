"""What a validator is shown after a blind answer: the author's claim, and what would be right instead."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from dynabench_client.results.validation import RecentVote, Reveal, Vote
from dynabench_tasks.values import Value

from web.kit import fields, words
from web.kit.answers import shown_values
from web.kit.configuration import TaskRules
from web.kit.fields import Asking, FieldView, FormValues, ShownValue
from web.kit.fields.span import ShownSpan
from web.kit.marked_text import MarkedText, marked_text, other_mark, own_mark
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

SAID = {"flag": "You flagged it.", "unsure": "You were unsure."}


@dataclass(frozen=True)
class RevealView:
    """What the author said, after the answer."""

    vote_id: str
    own: ShownValue | None
    own_words: str
    claimed: ShownValue | None
    marked: list[MarkedText]
    context: list[ShownValue]
    written: list[ShownValue]
    explanation: str
    agrees: bool
    aside: str
    resolution: Word | None


@dataclass(frozen=True)
class CorrectionView:
    """What would be right instead of the author's claim: labels of which one press suffices, or a question.

    `own` is the label that one gave blind, where it can stand in the claim's place; `why` is what one has said of it.
    """

    reveal: RevealView
    options: list[LabelView]
    own: LabelView | None
    answer: FieldView | None
    markable: Mapping[str, str]
    why: str


@dataclass(frozen=True)
class Shown:
    """The example that an answer was given on, as the form carries it to the page of the reveal."""

    context: Mapping[str, Value]
    input: Mapping[str, Value]


def reveal_view(vote: Vote, rules: TaskRules, kind: str, value: Value | None, shown: Shown) -> RevealView:
    """Return what is shown after an answer."""
    is_kept_apart = not vote.counted and kind != "unsure"
    view = _revealed(vote.vote_id, vote.reveal, rules, kind, value, shown)
    return replace(
        view,
        aside="Kept as evidence; it decides nothing." if is_kept_apart else "",
        resolution=words.resolution(vote.resolution),
    )


def past_reveal(vote: RecentVote, rules: TaskRules) -> RevealView:
    """Return what was shown after an earlier answer."""
    view = _revealed(vote.vote_id, vote.reveal, rules, vote.kind, vote.value, shown_of(vote))
    return replace(view, resolution=words.resolution(vote.resolution))


def correction_view(
    vote: RecentVote, rules: TaskRules, entered: FormValues | None = None, problem: ProblemView | None = None
) -> CorrectionView:
    """Return the question for what is right; one's own blind label is offered first, the author's not at all."""
    claimed = rules.claimed
    options, own, answer, markable = list[LabelView](), None, None, dict[str, str]()
    if claimed is not None and claimed.is_one_label:
        labels = option_views(rules.labels, rules)
        options = [each for each in labels if each.name != vote.reveal.claimed]
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
    return CorrectionView(past_reveal(vote, rules), options, own, answer, markable, vote.explanation)


def shown_of(vote: RecentVote) -> Shown:
    """Return the example of an earlier answer."""
    return Shown(vote.example.context, vote.example.input) if vote.example else Shown({}, {})


def shown_example(carried: str) -> Shown:
    """Return the example that a form carries; nothing for what none of our forms holds."""
    try:
        document = json.loads(carried)
    except ValueError:
        return Shown({}, {})
    if not isinstance(document, dict):
        return Shown({}, {})
    parts = [document.get(name) for name in ("context", "input")]
    return Shown(*(part if isinstance(part, dict) else {} for part in parts))


def _revealed(
    vote_id: str, reveal: Reveal, rules: TaskRules, kind: str, value: Value | None, shown: Shown
) -> RevealView:
    claimed, own = shown_claim(reveal.claimed, rules), own_answer(kind, value, rules)
    return RevealView(
        vote_id=vote_id,
        own=own,
        own_words=SAID.get(kind, ""),
        claimed=claimed,
        marked=_marked(own, claimed, rules, shown),
        context=shown_values(shown.context, rules),
        written=shown_values(shown.input, rules),
        explanation=reveal.explanation or "",
        agrees=claimed is not None and own is not None and claimed.text == own.text,
        aside="",
        resolution=None,
    )


def _held(vote: RecentVote, rules: TaskRules) -> FormValues:
    """Return the form of a correction with one's own blind answer in it."""
    if vote.value is None or vote.kind == JUDGEMENT or rules.claimed is None:
        return {}
    return fields.fill(answer_field(rules, rules.claimed.type, rules.labels), ANSWER, vote.value)


def _marked(
    own: ShownValue | None, claimed: ShownValue | None, rules: TaskRules, shown: Shown
) -> list[MarkedText]:
    """Return the text with one's own mark and the author's, where answers are marks."""
    if not isinstance(claimed, ShownSpan):
        return []
    marks = [own_mark("You", own)] if isinstance(own, ShownSpan) else []
    text = texts_of(rules, shown.context, shown.input).get(claimed.of, "")
    both = [*marks, other_mark("The author", claimed, 0)]
    return [marked_text(rules.field(claimed.of).label, text, both)] if text else []
