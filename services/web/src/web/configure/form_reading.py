"""Values of a configuration read from the form: the inverse of `form_view`."""

import json
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from math import isfinite
from typing import Any

from web.configure.form_kinds import (
    ROOT,
    Schema,
    control_name,
    is_empty,
    kind_of,
    properties,
    steps_of,
    task_schema,
    variants,
)
from web.configure.form_view import Control
from web.kit.form import hidden_json, whole_number

Posted = Mapping[str, Sequence[str]]
WAS = "was/"
"""Prefix of hidden controls with a key's value at the time of rendering."""
MOST_ENTRIES = 1_000


def changed_keys(posted: Posted) -> dict[str, Any]:
    """Return the keys that were changed in the form, with their new values; None for an emptied key.

    So the form changes only the values that somebody changed in it.
    """
    found = {}
    for key, schema in task_schema()["properties"].items():
        was = posted.get(WAS + key, ("",))[0]
        if was:
            value = read(schema, posted, control_name(ROOT, key))
            if digest(value) != was:
                found[key] = value
    return found


def digests(controls: Mapping[str, Control]) -> dict[str, str]:
    """Return a fingerprint of each key's value by its control name, to detect changes in the form."""
    posted = {name: [value] for control in controls.values() for name, value in _sent(control)}
    for control in controls.values():
        for name, value in _ticked(control):
            posted.setdefault(name, []).append(value)
    properties_of = task_schema()["properties"]
    return {
        WAS + key: digest(read(properties_of[key], posted, control.name)) for key, control in controls.items()
    }


def digest(value: object) -> str:
    """Return a short fingerprint of a value, ignoring redundant defaults."""
    words = json.dumps(_settled(value), ensure_ascii=False, sort_keys=True, default=str)
    return sha256(words.encode("utf-8", "replace")).hexdigest()[:16]


def read(schema: Schema, posted: Posted, name: str) -> Any:
    """Return the form's value of a part; None if it has none."""
    if f"{name}~" in posted:
        return hidden_json(posted[f"{name}~"][0])
    kind = kind_of(schema)
    reader = _READERS.get(kind)
    return reader(schema, posted, name) if reader else _read_plain(kind, posted, name)


def _read_entries(schema: Schema, posted: Posted, name: str) -> Any:
    return [_read_entry(schema["items"], posted, name, each) for each in range(_count(posted, name))] or None


def _read_plain(kind: str, posted: Posted, name: str) -> Any:
    words = _words(posted, name)
    if kind == "flag":
        return True if words else None
    if kind == "lines":
        return [line for line in words.splitlines() if line.strip()] or None
    if kind == "ticks":
        return [word for word in posted.get(name, ()) if word] or None
    if kind == "number":
        return _number(words.strip())
    return words or None


def _read_entry(schema: Schema, posted: Posted, name: str, number: int) -> Any:
    value = read(schema, posted, control_name(name, number))
    return {} if value is None else value


def _read_keys(schema: Schema, posted: Posted, name: str) -> Any:
    found: dict[str, Any] = {}
    chosen = None
    if kind_of(schema) == "typed":
        chosen = _words(posted, control_name(name, "type")) or None
    for position, (key, shape) in enumerate(properties(schema, chosen).items()):
        if (value := read(shape, posted, control_name(name, key))) is not None:
            found[key] = value
        if position == 0 and chosen is not None:
            found["type"] = chosen
    found |= _rest(posted, name, found)
    return found or None


def _read_variant(schema: Schema, posted: Posted, name: str) -> Any:
    chosen, known = _words(posted, name), variants(schema)
    shape = known.get(chosen)
    if shape is None:
        return chosen or None
    inner = control_name(name, chosen)
    value = read(shape, posted, inner)
    return {chosen: value if value is not None else _first(shape)}


def _first(shape: Schema) -> Any:
    """Return the value for a newly chosen type."""
    if kind_of(shape) != "group":
        return shape.get("default", shape.get("minimum"))
    required = shape.get("required", ())
    return {
        key: each.get("default", each.get("minimum"))
        for key, each in shape["properties"].items()
        if key in required and kind_of(each) == "number"
    }


def _read_pairs(schema: Schema, posted: Posted, name: str) -> Any:
    found: dict[str, Any] = {}
    shape = schema["additionalProperties"]
    for position in range(_count(posted, name)):
        inner = control_name(name, f"@{position}")
        if f"{inner}~key" not in posted:
            break
        key = _words(posted, f"{inner}~key").strip()
        value = read(shape, posted, inner)
        if key:
            found[key] = value if value is not None else ({} if kind_of(shape) == "group" else "")
    return found or None


def _read_values(_: Schema, posted: Posted, name: str) -> Any:
    found: dict[str, Any] = {}
    prefix = f"{name}/"
    inner = dict.fromkeys(
        each.partition("~")[0]
        for each in posted
        if each.startswith(prefix) and "/" not in each[len(prefix) :]
    )
    for each in inner:
        if (value := _read_value({}, posted, each)) is not None:
            found[steps_of(each)[-1]] = value
    found |= _rest(posted, name, found)
    return found or None


def _read_value(_: Schema, posted: Posted, name: str) -> Any:
    """Return the form's value of a task's field."""
    if f"{name}~" in posted:
        return hidden_json(posted[f"{name}~"][0])
    form = _words(posted, f"{name}~as")
    if form == "ticks":
        return [word for word in posted.get(name, ()) if word] or None
    words = _words(posted, name)
    if not words:
        return None
    return _span(posted, name, form.removeprefix("span:"), words) if form.startswith("span:") else words


def _span(posted: Posted, name: str, of: str, words: str) -> dict[str, Any]:
    """Return the span of words copied from a text; an empty span if they are not found."""
    was = hidden_json(_words(posted, f"{name}~was"))
    if isinstance(was, dict) and was.get("text") == words:
        return was
    above = name.rpartition("/")[0]
    around = (above, above.rpartition("/")[0])
    places = (control_name(control_name(start, key), of) for start in around for key in ("context", "input"))
    text = next((found for place in places if (found := _words(posted, place))), "")
    start = max(text.find(words), 0)
    return {"start": start, "end": start + len(words), "text": words}


def _rest(posted: Posted, name: str, found: Mapping[str, Any]) -> dict[str, Any]:
    rest = hidden_json(_words(posted, f"{name}+"))
    return {key: value for key, value in rest.items() if key not in found} if isinstance(rest, dict) else {}


def _words(posted: Posted, name: str) -> str:
    given = posted.get(name, ())
    return given[0].replace("\r\n", "\n").replace("\r", "\n") if given else ""


def _count(posted: Posted, name: str) -> int:
    return min(whole_number(_words(posted, f"{name}#")) or 0, MOST_ENTRIES)


def _number(words: str) -> Any:
    """Return the number in a text, or the text if it is not a number; the service then reports the problem."""
    if not words:
        return None
    try:
        number = float(words.replace(",", ".")) if len(words) < 30 else None
    except ValueError:
        return words
    if number is None or not isfinite(number):
        return words
    return int(number) if number == int(number) else number


def _settled(value: object) -> Any:
    if isinstance(value, dict):
        inner = {str(key): _settled(each) for key, each in value.items()}
        return {key: each for key, each in inner.items() if not is_empty(each)}
    if isinstance(value, list):
        return [_settled(each) for each in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _sent(control: Control) -> list[tuple[str, str]]:
    """Return the values that a form sends for a control and those within it."""
    found = list(control.hidden.items())
    if control.kind in ("text", "long", "number", "lines") or (control.kind == "flag" and control.value):
        found.append((control.name, control.value))
    if control.kind in ("choice", "variant"):
        found += [(control.name, each.value) for each in control.choices if each.is_chosen][-1:]
    return found + [each for child in control.children for each in _sent(child)]


def _ticked(control: Control) -> list[tuple[str, str]]:
    own = [(control.name, each.value) for each in control.choices if each.is_chosen]
    return (own if control.kind == "ticks" else []) + [
        each for child in control.children for each in _ticked(child)
    ]


_READERS: Mapping[str, Callable[[Schema, Posted, str], Any]] = {
    "variant": _read_variant,
    "group": _read_keys,
    "typed": _read_keys,
    "entries": _read_entries,
    "pairs": _read_pairs,
    "values": _read_values,
    "value": _read_value,
}
