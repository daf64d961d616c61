"""A span of another field's text."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from dynabench_tasks.configuration.nested_shapes import Key
from dynabench_tasks.configuration.shapes import Text
from dynabench_tasks.fields import FIELD_TYPES, AnswerUnreadable, Field, InputRefused, Texts
from dynabench_tasks.span_agreement import agrees_with_any, largest_agreeing_set
from dynabench_tasks.text import is_blank, whole_characters
from dynabench_tasks.text_f1 import Likeness
from dynabench_tasks.token_f1 import token_f1

ENDS = ("start", "end")
KEYS = {*ENDS, "text"}


@FIELD_TYPES.register("span")
@dataclass(frozen=True)
class SpanField(Field):
    """Code points `[start, end)` of the string field `of`, stored with the text they cover; votes agree by likeness."""

    type_name = "span"
    can_be_claimed = True
    answered_by = ("extractive-qa",)
    agrees_if_equal = False
    keys: ClassVar[Mapping[str, Key]] = {
        "of": Key(Text(40), description="The string field of context or input that is marked")
    }

    of: str = ""
    likeness: Likeness = token_f1

    @property
    def refers_to(self) -> str:
        """Return the name of the field that is marked."""
        return self.of

    def check(self, value: object, texts: Texts, path: str) -> dict[str, Any]:
        """Return the span, if its text matches and it covers whole characters. Raises InputRefused."""
        span = self.check_answer(value, texts, path)
        start, end = whole_characters(texts[self.of], span["start"], span["end"])
        if (start, end) != (span["start"], span["end"]):
            reason = (
                f"cuts a character that is made of several code points ({texts[self.of][start:end][:50]!r})"
            )
            raise InputRefused(path, reason, f"Mark the whole character: from {start} to {end}.")
        return span

    def check_answer(self, value: object, texts: Texts, path: str) -> dict[str, Any]:
        """Return the span, if it lies in its text and its text matches. Raises InputRefused.

        A target may cut a character: its answer stays unchanged.
        """
        mark_again = f"Mark the answer in {self.of} again."
        if not isinstance(value, dict) or set(value) != KEYS:
            raise InputRefused(path, "is not a span", "Send an object with start, end and text.")
        start, end, text = value["start"], value["end"], value["text"]
        if not _is_offset(start) or not _is_offset(end) or not isinstance(text, str):
            raise InputRefused(path, "is not a span", "Send whole numbers for start and end, and a text.")
        marked = texts.get(self.of, "")
        if not 0 <= start < end <= len(marked):
            reason = f"goes from {start} to {end}; {self.of} has {len(marked)} characters"
            raise InputRefused(path, reason, mark_again)
        if marked[start:end] != text:
            reason = f"says {text[:50]!r} where {self.of} has {marked[start:end][:50]!r}"
            raise InputRefused(path, reason, f"{mark_again} Offsets count Unicode code points.")
        if is_blank(text):
            raise InputRefused(path, "marks nothing that can be seen", mark_again)
        return {"start": start, "end": end, "text": text}

    @property
    def inspected_parts(self) -> tuple[str, ...]:
        """Return the two ends of the answer, each of which is explained by itself."""
        return ENDS

    def agreeing(self, values: Sequence[str]) -> list[tuple[str, ...]]:
        """Return the largest set of mutually agreeing spans; agreement of spans is not transitive."""
        found = largest_agreeing_set(values, self.likeness)
        return [found] if found else []

    def agrees_with_any(self, value: str, others: Iterable[str]) -> bool:
        """Return whether a span covers nearly the same words as another one."""
        return agrees_with_any(value, others, self.likeness)

    def compared_by(self, likeness: Likeness) -> Self:
        """Return the field with this comparison of votes."""
        return replace(self, likeness=likeness)

    def value_schema(self) -> dict[str, object]:
        """Return the JSON Schema of a value."""
        offset = {"type": "integer", "minimum": 0}
        return {
            "type": "object",
            "properties": {"start": offset, "end": offset, "text": {"type": "string", "minLength": 1}},
            "required": ["start", "end", "text"],
            "additionalProperties": False,
        }

    def read_answer(self, prediction: Mapping[str, Any], texts: Texts) -> dict[str, Any]:
        """Return the answered span. Raises AnswerUnreadable."""
        try:
            answered = {key: prediction[key] for key in KEYS}
            return self.check_answer(answered, texts, "span")
        except KeyError as err:
            raise AnswerUnreadable("without a span") from err
        except InputRefused as err:
            raise AnswerUnreadable(f"with a span that {err.reason}") from err

    def settings(self) -> Mapping[str, object]:
        """Return the keys that only this type has."""
        return {"of": self.of}


def _is_offset(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
