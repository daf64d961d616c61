"""Tries with their verdicts."""

from collections.abc import Sequence
from dataclasses import dataclass

from dynabench_client.results.annotation import Example
from dynabench_client.results.validation import ExampleResolution

from web.create.outcome import checks, headline
from web.kit import fields, words
from web.kit.answers import AnswerView, answer_view, shown_values
from web.kit.configuration import TaskRules
from web.kit.fields import ShownValue
from web.kit.fields.span import ShownSpan
from web.kit.language import _, ngettext
from web.kit.marked_text import MarkedText, marked_text, other_mark, own_mark
from web.kit.numbers import TimeView, count, milliseconds, moment
from web.kit.questions import texts_of
from web.kit.word_diff import DiffPiece, word_diff
from web.kit.words import Word


@dataclass(frozen=True)
class EditView:
    """The author's changes to a starting text: the context's, or that of the edited example."""

    label: str
    pieces: list[DiffPiece]


@dataclass(frozen=True)
class TryView:
    """The author's view of a try."""

    example_id: str
    round_id: str
    context_id: str
    context: list[ShownValue]
    written: list[ShownValue]
    claimed: ShownValue | None
    metadata: list[ShownValue]
    marked: list[MarkedText]
    edits: list[EditView]
    verdict: Word
    headline: str
    fooled: bool
    answers: list[AnswerView]
    rule: str
    checks: str
    took: str
    attempt: int
    created: TimeView | None
    is_retracted: bool
    is_perturbation: bool
    is_duplicate: bool
    resolution: Word | None
    votes_so_far: str
    why_label: str
    why_model: str

    @property
    def asked_targets(self) -> list[str]:
        """The targets with an answer, for inspection."""
        return [answer.target for answer in self.answers if not answer.missing]

    @property
    def open_answers(self) -> list[AnswerView]:
        """The answers that the author still has to judge."""
        return [answer for answer in self.answers if answer.is_open and not self.is_retracted]

    @property
    def nearest_miss(self) -> str:
        """The target that was right and least sure; empty if none was right."""
        right = [each for each in self.answers if each.top and not each.is_wrong and not each.is_open]
        return min(right, key=lambda each: float(each.top.meter) if each.top else 1.0).target if right else ""

    @property
    def has_margin(self) -> bool:
        """Return whether any target's margin is shown to the author."""
        return any(answer.margin for answer in self.answers)


def try_view(
    example: Example,
    rules: TaskRules,
    resolution: ExampleResolution | None = None,
    original: Example | None = None,
) -> TryView:
    """Return the view of a try; without `resolution` it omits votes, without `original` edits."""
    answers = [answer_view(answer, rules, example.verdict) for answer in example.answers]
    claimed = None
    if rules.claimed is not None and example.claimed is not None:
        claimed = fields.show(rules.claimed, example.claimed)
    asked = [each.field for each in rules.create_metadata]
    return TryView(
        example_id=example.example_id,
        round_id=example.round_id,
        context_id=example.context_id,
        context=shown_values(example.context, rules),
        written=shown_values(example.input, rules),
        claimed=claimed,
        metadata=fields.show_all(asked, example.metadata),
        marked=_marked(example, rules, claimed, answers),
        edits=_edits(example, rules, original),
        verdict=words.verdict(example.verdict) if example.answers else words.nobody_asked(),
        headline="" if example.is_duplicate else headline(example.verdict, answers),
        fooled=example.fooled,
        answers=answers,
        rule=rules.rule(len(example.answers)),
        checks=checks(rules),
        took=milliseconds(example.milliseconds),
        attempt=example.attempt,
        created=moment(example.created_at),
        is_retracted=example.retracted_at is not None,
        is_perturbation=example.perturbation_of is not None,
        is_duplicate=example.is_duplicate,
        resolution=words.resolution(resolution.resolution, words.OWN_RESOLUTIONS) if resolution else None,
        votes_so_far=_votes_so_far(example, resolution),
        why_label=example.explanations.label or "",
        why_model=example.explanations.model or "",
    )


def _marked(
    example: Example, rules: TaskRules, claimed: ShownValue | None, answers: Sequence[AnswerView]
) -> list[MarkedText]:
    """Return the text with the spans of author and targets, if the claim is a span."""
    if not isinstance(claimed, ShownSpan):
        return []
    text = texts_of(rules, example.context, example.input).get(claimed.of, "")
    models = [
        other_mark(answer.target, answer.value, position)
        for position, answer in enumerate(answers)
        if isinstance(answer.value, ShownSpan)
    ]
    return [marked_text(rules.field(claimed.of).label, text, [own_mark(_("You"), claimed), *models])]


def _edits(example: Example, rules: TaskRules, original: Example | None) -> list[EditView]:
    edits = []
    for field in rules.written:
        after = example.input.get(field.name)
        before = original.input.get(field.name) if original else None
        if original is None and field.starts_from and example.condition not in rules.hidden_arms:
            before = example.context.get(field.starts_from)
        if isinstance(before, str) and before.strip() and isinstance(after, str) and before != after:
            edits.append(EditView(field.label, word_diff(before, after)))
    return edits


def _votes_so_far(example: Example, resolution: ExampleResolution | None) -> str:
    """Return the progress of voting in words; a retracted example gets no more votes."""
    if resolution is None or example.retracted_at is not None:
        return ""
    votes, shown = resolution.votes_counted, count(resolution.votes_counted)
    if resolution.resolution:
        return ngettext("%(shown)s\u00a0vote", "%(shown)s\u00a0votes", votes, shown=shown)
    if not resolution.pending:
        return _("not sent for checking")
    return ngettext(
        "being checked, %(shown)s\u00a0vote so far",
        "being checked, %(shown)s\u00a0votes so far",
        votes,
        shown=shown,
    )
