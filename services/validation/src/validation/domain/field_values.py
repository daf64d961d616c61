"""Values that come in from outside, checked against the field they are for and turned into value texts."""

from collections.abc import Sequence
from difflib import get_close_matches

from dynabench_tasks.values import to_text

from validation.domain.errors import ValueRefused

SPAN_KEYS = frozenset({"start", "end", "text"})
MOST_SHOWN = 60


def read_label(given: object, labels: Sequence[str], field: str) -> str:
    """Return one of the labels. Raises ValueRefused."""
    if isinstance(given, str) and given in labels:
        return given
    reason = f"{shown(given)} is none of the options" if given else "No option was chosen"
    raise ValueRefused(field, f"{reason}.", f"Choose one of: {', '.join(labels)}.")


def read_labels(given: object, labels: Sequence[str], field: str) -> str:
    """Return a set of labels as text, the same in whichever order they came. Raises ValueRefused."""
    if not isinstance(given, list):
        raise ValueRefused(
            field, f"{shown(given)} is no list of options.", 'Send a list, such as ["a", "b"].'
        )
    if not given:
        raise ValueRefused(field, "No option was chosen.", f"Choose at least one of: {', '.join(labels)}.")
    chosen = [read_label(each, labels, field) for each in given]
    for label in chosen:
        if chosen.count(label) > 1:
            raise ValueRefused(field, f"{label!r} was chosen twice.", "Name each option once.")
    return to_text(sorted(chosen))


def read_span(given: object, text: str, of: str, field: str) -> str:
    """Return a span of `text`, the field `of`, as value text. Raises ValueRefused.

    Offsets count Unicode code points, `[start, end)`, and the covered text must come with them.
    """
    remedy = f"Mark a part of {of}: start and end count its Unicode code points, text is what they cover."
    if not isinstance(given, dict) or set(given) != SPAN_KEYS:
        reason = f"{shown(given)} is no span with start, end and text." if given else "Nothing was marked."
        raise ValueRefused(field, reason, remedy)
    start, end, covered = given["start"], given["end"], given["text"]
    if type(start) is not int or type(end) is not int or not isinstance(covered, str):
        raise ValueRefused(field, "start and end must be whole numbers, and text a text.", remedy)
    if not 0 <= start < end <= len(text):
        reason = f"{start} to {end} is no part of {of}, which has {len(text)} code points."
        raise ValueRefused(field, reason, remedy)
    if text[start:end] != covered:
        reason = f"Offsets and text disagree: {of} has {shown(text[start:end])} there, not {shown(covered)}."
        raise ValueRefused(field, reason, remedy)
    if not covered.strip():
        raise ValueRefused(field, "Only white space is marked.", remedy)
    return to_text({"start": start, "end": end, "text": covered})


def read_string(given: object, most: int, field: str) -> str:
    """Return a text that says something in at most so many characters. Raises ValueRefused."""
    if not isinstance(given, str) or not given.strip():
        raise ValueRefused(field, "It is no text, or an empty one.", f"Write 1 to {most} characters.")
    if len(given) > most:
        raise ValueRefused(field, f"It has {len(given)} characters.", f"Write at most {most} characters.")
    return given


def nearest(name: str, known: Sequence[str]) -> str:
    """Return a remedy for a name that is none of the known ones."""
    close = get_close_matches(name, known, n=1)
    return f"Did you mean {close[0]!r}? Else leave it out." if close else "Leave it out."


def shown(value: object) -> str:
    """Return a value as a refusal may quote it, cut to a readable length."""
    text = repr(value)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"
