"""A stretch of a text: marked in it with a script, copied out of it without one.

Offsets count the code points of the stored text, which pages show unchanged. A form that names a place is read by the
place, whose words must be those that the form shows; words without a place are looked for, and the first whole ones are
taken. Blanks are not compared: browsers turn line breaks in one-line controls into nothing.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dynabench_tasks.text import character_edges
from dynabench_tasks.values import Value

from web.kit.configuration import Field
from web.kit.fields import Asking, FieldView, ShownValue, Texts, Unreadable, register
from web.kit.form import whole_number
from web.kit.language import _


@dataclass(frozen=True, kw_only=True)
class SpanView(FieldView):
    """A stretch to mark: `passage` is the id of the element that shows the text, `mirrored` of the control it is in."""

    value: str
    start: str
    end: str
    passage: str
    mirrored: str


@dataclass(frozen=True, kw_only=True)
class ShownSpan(ShownValue):
    """A stretch in print, with where it lies in the field `of`: code points `[start, end)`."""

    of: str
    start: int
    end: int


@register("span")
class SpanType:
    """A field for the marked text, with its offsets."""

    def ask(self, field: Field, asking: Asking) -> SpanView:
        """Return the question; a place that was refused is not named again."""
        start, end = ("", "") if asking.own_problem else (asking.first(".start"), asking.first(".end"))
        return SpanView(
            control=asking.control,
            type=field.type,
            label=field.label,
            is_required=asking.is_required,
            when=asking.when,
            problem=asking.own_problem,
            value=asking.first(),
            start=start,
            end=end,
            passage=asking.passages.get(field.of, ""),
            mirrored=asking.mirrored.get(field.of, ""),
        )

    def read(self, field: Field, asking: Asking, texts: Texts) -> Value | None:
        """Return the span. Raises Unreadable for words that do not stand there."""
        words, text = asking.first(), texts.get(field.of, "")
        if not words.strip():
            return None
        place = _offsets(asking.first(".start"), asking.first(".end"))
        if place is None:
            place = _first_place(words, text)
        elif _without_blanks(text[slice(*place)]) != _without_blanks(words):
            raise Unreadable(
                _("These words differ from the marked ones."),
                _("Mark them again, or send the words without the mark."),
            )
        start, end = place
        return {"start": start, "end": end, "text": text[start:end]}

    def fill(self, control: str, value: Value) -> dict[str, Sequence[str]]:
        """Return the controls that hold the span."""
        span = _span(value)
        return {
            control: (str(span["text"]),),
            f"{control}.start": (str(span["start"]),),
            f"{control}.end": (str(span["end"]),),
        }

    def show(self, field: Field, value: Value) -> ShownSpan:
        """Return the marked words with their place."""
        span = _span(value)
        return ShownSpan(
            name=field.name,
            type=field.type,
            label=field.label,
            text=str(span["text"]),
            of=field.of,
            start=int(span["start"]),
            end=int(span["end"]),
        )


def _span(value: Value) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise TypeError("no span")
    return value


def _offsets(start: str, end: str) -> tuple[int, int] | None:
    """Return the offsets that a form holds, if they are some."""
    first, last = (whole_number(each, most_digits=10) for each in (start, end))
    return (first, last) if first is not None and last is not None and first < last else None


def _first_place(words: str, text: str) -> tuple[int, int]:
    """Return where words stand first as whole characters: with their blanks if possible, else with any."""
    kept = [at for at, character in enumerate(text) if not character.isspace()]
    wanted, edges = _without_blanks(words), set(character_edges(text))
    found = re.finditer(f"(?={re.escape(wanted)})", "".join(text[at] for at in kept))
    stretches = [(kept[each.start()], kept[each.start() + len(wanted) - 1] + 1) for each in found]
    whole = [(start, end) for start, end in stretches if start in edges and end in edges]
    same = [(start, end) for start, end in whole if text[start:end].split() == words.split()]
    for place in (*same, *whole):
        return place
    raise Unreadable(
        _("These words are not in the text."), _("Copy them exactly from the text, in one piece.")
    )


def _without_blanks(text: str) -> str:
    return "".join(text.split())
