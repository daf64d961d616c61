"""A stretch of a text: marked in it with a script, copied out of it without one.

The offsets that come with a form are used while they lead to the text that the form shows; otherwise the text is
looked for. Blanks are not compared: browsers turn line breaks in one-line controls into nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dynabench_tasks.values import Value

from web.kit.configuration import Field
from web.kit.fields import Asking, FieldView, ShownValue, Texts, Unreadable, register
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
    """A field for the marked text, with its offsets beside it."""

    def ask(self, field: Field, asking: Asking) -> SpanView:
        """Return the question."""
        return SpanView(
            control=asking.control,
            type=field.type,
            label=field.label,
            is_required=asking.is_required,
            when=asking.when,
            problem=asking.own_problem,
            value=asking.first(),
            start=asking.first(".start"),
            end=asking.first(".end"),
            passage=asking.passages.get(field.of, ""),
            mirrored=asking.mirrored.get(field.of, ""),
        )

    def read(self, field: Field, asking: Asking, texts: Texts) -> Value | None:
        """Return the span. Raises Unreadable for a text that does not stand there."""
        wanted = asking.first().replace("\r\n", "\n")
        if not wanted.strip():
            return None
        marked = texts.get(field.of, "")
        offsets = _offsets(asking.first(".start"), asking.first(".end"))
        if offsets is not None and _without_blanks(marked[slice(*offsets)]) == _without_blanks(wanted):
            start, end = offsets
        else:
            start, end = _find(wanted, marked)
        return {"start": start, "end": end, "text": marked[start:end]}

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
    if not (start.isascii() and end.isascii() and start.isdigit() and end.isdigit()) or len(start + end) > 20:
        return None
    return (int(start), int(end)) if int(start) < int(end) else None


def _find(wanted: str, marked: str) -> tuple[int, int]:
    """Return where the text stands first, without the blanks around it if it does not stand there with them."""
    for candidate in (wanted, wanted.strip()):
        start = marked.find(candidate)
        if start >= 0:
            return start, start + len(candidate)
    raise Unreadable(
        _("These words do not stand in the text."), _("Copy them exactly as they stand there, in one piece.")
    )


def _without_blanks(text: str) -> str:
    return "".join(text.split())
