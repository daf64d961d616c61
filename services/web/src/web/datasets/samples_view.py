"""View of items of datasets: with their variants and changes, with their answers, and as suspects."""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from dynabench_client.results.models import (
    AnsweredItem,
    AnswerToItem,
    ItemSample,
    ItemVariant,
    SuspectItem,
)

from web.datasets.scored_view import kind_words, rule_words
from web.kit.configuration import TaskRules
from web.kit.items import ItemView, answer_words, item_view
from web.kit.language import _
from web.kit.numbers import count, decimal
from web.kit.service_words import service_words
from web.kit.word_diff import DiffPiece, word_diff

LIKENESS = 0.5
"""Minimum share of equal characters for comparing a changed word by characters."""
LATIN = "LATIN"
ASCII = 128


@dataclass(frozen=True)
class ChangedText:
    """A field of a variant: the original's text and its own as one, in pieces."""

    label: str
    pieces: list[DiffPiece]


@dataclass(frozen=True)
class VariantView:
    """A variant: its rule, and the fields that the rule changed."""

    kind: str
    rule: str
    summary: str
    texts: list[ChangedText]


@dataclass(frozen=True)
class SampleView:
    """An item with its variants."""

    item: ItemView
    variants: list[VariantView]


@dataclass(frozen=True)
class ItemAnswerView:
    """Answer of a model to an item."""

    model: str
    model_address: str
    evaluation: str
    answer: str
    failed: str
    is_right: bool
    prediction_only: bool


@dataclass(frozen=True)
class SuspectView:
    """An item with a suspect label."""

    item: ItemView
    correlation: str
    right: str


def sample_view(found: ItemSample, dataset_id: str, rules: TaskRules) -> SampleView:
    """Return an item with its variants, formatted."""
    variants = [_variant(found, variant, rules) for variant in found.variants]
    return SampleView(item_view(found, dataset_id, rules), variants)


def answer_views(found: AnsweredItem, rules: TaskRules) -> list[ItemAnswerView]:
    """Return the view of the answers to an item, the wrong ones first."""
    ordered = sorted(found.answers, key=lambda each: (each.right, each.model))
    return [_answer(each, rules) for each in ordered]


def suspect_view(found: SuspectItem, models: int, dataset_id: str, rules: TaskRules) -> SuspectView:
    """Return the view of a suspect."""
    right = _("%(right)s of %(models)s", right=count(found.right), models=count(models))
    return SuspectView(item_view(found, dataset_id, rules), decimal(found.correlation, 2), right)


def changed_characters(before: str, after: str) -> list[DiffPiece]:
    """Return both texts as one: whole words if one word replaced another, else the changed characters.

    An invisible character, or one that looks like another, is followed by its code point.
    """
    return [
        DiffPiece(piece.kind, _plain(piece.text)) if piece.kind == "added" else piece
        for piece in _closer(word_diff(before, after))
    ]


def _closer(pieces: Sequence[DiffPiece]) -> Iterator[DiffPiece]:
    """Yield the pieces; similar changed words are split into smaller pieces."""
    place = 0
    while place < len(pieces):
        piece, following = pieces[place], pieces[place + 1] if place + 1 < len(pieces) else None
        if piece.kind == "removed" and following and following.kind == "added":
            matcher = SequenceMatcher(None, piece.text, following.text, autojunk=False)
            if matcher.ratio() >= LIKENESS:
                yield from _characters(matcher, piece.text, following.text)
                place += 2
                continue
        yield piece
        place += 1


def _characters(matcher: SequenceMatcher[str], before: str, after: str) -> Iterator[DiffPiece]:
    for name, i1, i2, j1, j2 in matcher.get_opcodes():
        if name == "equal":
            yield DiffPiece("same", before[i1:i2])
            continue
        if i1 < i2:
            yield DiffPiece("removed", before[i1:i2])
        if j1 < j2:
            yield DiffPiece("added", after[j1:j2])


def _plain(text: str) -> str:
    return "".join(_numbered(character) for character in text)


def _numbered(character: str) -> str:
    if ord(character) < ASCII:
        return character
    number = f"‹U+{ord(character):04X}›"
    if unicodedata.category(character) in ("Cf", "Mn", "Zs"):
        return number
    is_alike = character.isalpha() and LATIN not in unicodedata.name(character, "")
    return f"{character}{number}" if is_alike else character


def _variant(found: ItemSample, variant: ItemVariant, rules: TaskRules) -> VariantView:
    texts = [
        ChangedText(each.label, changed_characters(str(before[each.name]), str(after[each.name])))
        for asked, before, after in (
            (rules.context, found.context, variant.context),
            (rules.written, found.input, variant.input),
        )
        for each in asked
        if _is_changed(before, after, each.name)
    ]
    return VariantView(
        kind_words(variant.kind), rule_words(variant.rule), service_words(variant.summary), texts
    )


def _is_changed(before: Mapping[str, Any], after: Mapping[str, Any], name: str) -> bool:
    return name in before and name in after and before[name] != after[name]


def _answer(found: AnswerToItem, rules: TaskRules) -> ItemAnswerView:
    return ItemAnswerView(
        model=found.model,
        model_address=f"/models/{found.model}",
        evaluation=f"/evaluations/{found.evaluation_id}",
        answer=answer_words(found.answer, rules),
        failed=service_words(found.failed or ""),
        is_right=found.right,
        prediction_only=found.prediction_only,
    )
