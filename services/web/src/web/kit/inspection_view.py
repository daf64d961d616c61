"""View of an explanation of a target's answer: coloured texts, and a table of the same numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from dynabench_client.results.annotation import Inspection, Token
from markupsafe import Markup

from web.kit import isolation, words
from web.kit.configuration import TaskRules
from web.kit.fields import Texts
from web.kit.language import N_, _
from web.kit.numbers import percent
from web.kit.problems import ProblemView
from web.kit.whole_words import is_one_word
from web.kit.words import LabelView

STEPS = 4
FAINTEST = 0.05
LARGE_DELTA = 0.15
SMALLEST_DELTA = 0.01
STEP_CHOICES = (10, 20, 50, 100)
ENDS = {"start": N_("the start of the answer"), "end": N_("the end of the answer")}
MOST_NAMED = 4
LEAST_NAMED = 0.25
"""Least weight of a word in the summary, as a share of the heaviest word's weight."""


@dataclass(frozen=True)
class Piece:
    """A piece of a text; `style` is empty without an attribution."""

    text: str
    weight: str = ""
    style: str = ""

    @property
    def has_weight(self) -> bool:
        """Return whether the model read this piece."""
        return bool(self.weight)


@dataclass(frozen=True)
class FieldPieces:
    """A text of the model's input, in pieces."""

    label: str
    pieces: list[Piece]


@dataclass(frozen=True)
class WeightRow:
    """A line of the table: a piece with its text; `size` orders the lines."""

    label: str
    text: str
    weight: str
    size: float


@dataclass(frozen=True)
class InspectionView:
    """An explanation of one answer; `pushed` and `held_back` are the words that did most for it and against it."""

    target: str
    label: LabelView
    probability: str
    towards: str
    pushed: str
    held_back: str
    texts: list[FieldPieces]
    rows: list[WeightRow]
    n_steps: str
    delta: str
    delta_note: str
    method: str
    truncated: bool


@dataclass(frozen=True)
class InspectedTarget:
    """One of several targets: its explanation, or the reason for a missing one."""

    target: str
    inspection: InspectionView | None
    problem: ProblemView | None


@dataclass(frozen=True)
class Choice:
    """An entry of a list to choose from."""

    value: str
    words: str
    is_chosen: bool


@dataclass(frozen=True)
class InspectionChoices:
    """Options of an inspection (label and number of steps), and whether one was requested."""

    labels: list[Choice]
    steps: list[Choice]
    is_made: bool


def inspection_view(inspection: Inspection, texts: Texts, rules: TaskRules) -> InspectionView:
    """Return the view of an explanation of `texts`. Offsets count code points, as Python's slices do.

    Tokens name the fields of the model; those that the task fills are shown under the task's names.
    """
    of_field = {
        name: _whole_words(tokens, texts[name])
        for name, tokens in _by_field(inspection.tokens, texts, rules).items()
    }
    largest = max((abs(word.weight) for found in of_field.values() for word in found), default=0.0)
    words_of_fields = [
        (word, texts[name][word.start : word.end]) for name, found in of_field.items() for word in found
    ]
    shown = {name: _pieces(tokens, texts[name], largest) for name, tokens in of_field.items()}
    rows = [
        WeightRow(rules.field(name).label, texts[name][token.start : token.end], _signed(token.weight), size)
        for name, tokens in of_field.items()
        for token in tokens
        for size in (abs(token.weight),)
    ]
    return InspectionView(
        target=inspection.target,
        label=words.label(inspection.label, tuple(ENDS) if inspection.label in ENDS else rules.labels),
        probability=percent(inspection.probability, 0),
        towards=_(ENDS[inspection.label]) if inspection.label in ENDS else inspection.label,
        pushed=_strongest(words_of_fields, largest, 1),
        held_back=_strongest(words_of_fields, largest, -1),
        texts=[FieldPieces(rules.field(name).label, pieces) for name, pieces in shown.items()],
        rows=sorted(rows, key=lambda row: -row.size),
        n_steps="–" if inspection.n_steps is None else str(inspection.n_steps),
        delta=_signed(inspection.convergence_delta),
        delta_note=_delta_note(inspection.convergence_delta, inspection.difference),
        method=inspection.method.replace("_", " "),
        truncated=bool(inspection.document().get("truncated")),
    )


def inspection_choices(rules: TaskRules, label: str, n_steps: int | None) -> InspectionChoices:
    """Return the options with the current choices; spans have a start and an end."""
    is_span = rules.claimed is not None and rules.claimed.is_marked
    names = {name: _(said) for name, said in ENDS.items()} if is_span else {}
    known: Sequence[str] = tuple(ENDS) if is_span else rules.labels
    return InspectionChoices(
        labels=[Choice(name, names.get(name, name), name == label) for name in known],
        steps=[
            Choice(str(number), _("%(number)s steps", number=number), number == (n_steps or STEP_CHOICES[1]))
            for number in STEP_CHOICES
        ],
        is_made=n_steps is not None,
    )


def weight_style(weight: float, largest: float) -> str:
    """Return the class of a weight: its side, and its intensity in steps of the largest weight."""
    share = abs(weight) / largest if largest else 0.0
    if share < FAINTEST:
        return "weight-none"
    step = min(STEPS, 1 + int(share * STEPS * 0.9999))
    return f"{'for' if weight > 0 else 'against'}-{step}"


def _by_field(tokens: Sequence[Token], texts: Texts, rules: TaskRules) -> Mapping[str, list[Token]]:
    """Return the tokens of each text of the task, in the order in which the model reads the texts.

    A model of one text may leave the field's name out.
    """
    only = next((each.name for each in rules.written if each.name in texts), "")
    found: dict[str, list[Token]] = {}
    for name, group in groupby(tokens, lambda token: token.field):
        source = rules.instance.get(name, name) or only
        if source in texts:
            found.setdefault(source, []).extend(group)
    return found or ({only: []} if only else {})


def _whole_words(tokens: Sequence[Token], text: str) -> list[Token]:
    """Return one token for each word, its weight the sum of those of its pieces, since weights add up."""
    found: list[Token] = []
    for token in sorted(tokens, key=lambda token: token.start):
        last = found[-1] if found else None
        if (
            last
            and 0 < last.end == token.start < len(text)
            and is_one_word(text[last.end - 1], text[token.start])
        ):
            words = text[last.start : token.end]
            whole = {"text": words, "end": token.end, "weight": last.weight + token.weight}
            found[-1] = last.model_copy(update=whole)
        else:
            found.append(token)
    return found


def _strongest(words_of_fields: Sequence[tuple[Token, str]], largest: float, side: int) -> str:
    """Return the words of one side with the largest weights, in quotation marks; empty for none."""
    heavy = [
        (side * word.weight, text.strip())
        for word, text in words_of_fields
        if largest and side * word.weight >= LEAST_NAMED * largest and any(map(str.isalnum, text))
    ]
    words = dict.fromkeys(text for _weight, text in sorted(heavy, key=lambda each: -each[0]))
    return isolation.names(Markup("“{}”").format(isolation.text(word)) for word in list(words)[:MOST_NAMED])


def _pieces(tokens: Sequence[Token], text: str, largest: float) -> list[Piece]:
    pieces, reached = [], 0
    for token in sorted(tokens, key=lambda token: token.start):
        if token.start > reached:
            pieces.append(Piece(text[reached : token.start]))
        style = weight_style(token.weight, largest)
        pieces.append(Piece(text[token.start : token.end], _signed(token.weight), style))
        reached = max(reached, token.end)
    if reached < len(text):
        pieces.append(Piece(text[reached:]))
    return pieces


def _delta_note(delta: float | None, difference: float | None) -> str:
    if delta is None or not difference:
        return ""
    share = abs(delta / difference)
    missed = percent(share, 0) if share >= SMALLEST_DELTA else _("under 1 %")
    if share <= LARGE_DELTA:
        return _(
            "The weights leave %(share)s unexplained. Use more steps for a smaller gap.",
            share=missed,
        )
    return _(
        "The weights leave %(share)s unexplained. Trust the order of the words, not the numbers, or use more steps.",
        share=missed,
    )


def _signed(weight: float | None) -> str:
    return "–" if weight is None else f"{weight:+.3f}".replace("-", "−")
