"""Changes from the form, applied to the text: values, added, moved and removed entries, and their consequences."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from dynabench_tasks.configuration.yaml_text import parse_yaml

from web.configure.follow import follow
from web.configure.form_kinds import Schema, blank, is_empty, kind_of, properties, steps_of, task_schema
from web.configure.form_reading import Posted, changed_keys
from web.configure.text_edit import NotEditable, aligned, same, with_values
from web.kit.form import whole_number

ADD, REMOVE, UP, DOWN = "add", "remove", "up", "down"


def put_into(text: str, posted: Posted, change: str = "", *, is_new: bool = False) -> str:
    """Return the text with the values changed in the form; the rest stays unchanged to the letter.

    The address of a new task follows its title. `change` is the action of a button: `add`, `remove`, `up` or `down`, a
    colon, and the name of a part. An action without a matching part does nothing. Raises UnusableYaml for an unreadable
    text, NotEditable for a text that is not a mapping.
    """
    document = parse_yaml(text).document
    before: Any = {} if document is None else document
    if not isinstance(before, dict):
        raise NotEditable
    after = dict(before)
    for key, value in changed_keys(posted).items():
        settled = settle(before.get(key), value)
        if settled is None:
            after.pop(key, None)
        else:
            after[key] = settled
    after = restructured(follow(before, after, is_new=is_new), change)
    return text if same(before, after) else with_values(text, after)


def settle(old: Any, new: Any) -> Any:
    """Return the form's values. Redundant defaults of the text, such as `optional: false`, are kept."""
    if new is None:
        return old if is_empty(old) else None
    if isinstance(old, dict) and isinstance(new, dict):
        kept = {key: value for key, value in old.items() if key in new or is_empty(value)}
        found = {key: settle(value, new[key]) if key in new else value for key, value in kept.items()}
        return found | {key: value for key, value in new.items() if key not in old}
    if isinstance(old, list) and isinstance(new, list):
        origins = aligned(old, new)
        return [
            value if origin is None else settle(old[origin], value)
            for value, origin in zip(new, origins, strict=True)
        ]
    return old if same(old, new) else new


def restructured(document: dict[str, Any], change: str) -> dict[str, Any]:
    """Return the document with an entry added, removed or moved."""
    what, _, name = change.partition(":")
    steps = steps_of(name)
    if what not in (ADD, REMOVE, UP, DOWN) or not steps:
        return document
    if what == ADD:
        return dict(_added(task_schema(), document, steps, document))
    return dict(_moved(document, steps, what))


def _added(schema: Schema, value: Any, steps: Sequence[str], whole: Mapping[str, Any]) -> Any:
    """Return a value with an empty entry appended to the list at the steps."""
    kind = kind_of(schema)
    if not steps:
        return _longer(schema, kind, value, whole)
    if kind == "entries" and isinstance(value, list):
        position = _position(value, steps[0])
        if position is None:
            return value
        changed = _added(schema["items"], value[position], steps[1:], value[position])
        return [*value[:position], changed, *value[position + 1 :]]
    inside = value if isinstance(value, dict) else {}
    shape = properties(schema, inside.get("type")).get(steps[0]) if kind in ("group", "typed") else None
    if shape is None:
        return value
    around = inside if kind == "typed" else whole
    return {**inside, steps[0]: _added(shape, inside.get(steps[0]), steps[1:], around)}


def _longer(schema: Schema, kind: str, value: Any, around: Mapping[str, Any]) -> Any:
    if kind == "entries":
        entries = value if isinstance(value, list) else []
        return [*entries, _named(blank(schema["items"]), entries)]
    if kind == "pairs":
        return _with_pair(schema, value if isinstance(value, dict) else {}, around)
    return value


def _named(entry: Any, entries: Sequence[Any]) -> Any:
    """Return a new entry with an unused name."""
    if not isinstance(entry, dict) or "name" not in entry:
        return entry
    taken = {each.get("name") for each in entries if isinstance(each, dict)}
    number = len(entries) + 1
    while f"field_{number}" in taken:
        number += 1
    return {**entry, "name": f"field_{number}"}


def _with_pair(schema: Schema, pairs: Mapping[str, Any], around: Mapping[str, Any]) -> dict[str, Any]:
    labels = around.get("labels")
    words = [str(each) for each in labels] if isinstance(labels, list) else []
    number = len(pairs) + 1
    while f"name_{number}" in pairs:
        number += 1
    key = next((each for each in words if each not in pairs), f"name_{number}")
    inner = schema["additionalProperties"]
    return {**pairs, key: blank(inner)}


def _moved(value: Any, steps: Sequence[str], what: str) -> Any:
    """Return a value with the entry at the steps removed, or moved by one."""
    if isinstance(value, dict):
        return _moved_in_mapping(value, steps, what)
    position = _position(value, steps[0]) if isinstance(value, list) else None
    if position is None:
        return value
    entries = list(value)
    if len(steps) > 1:
        entries[position] = _moved(entries[position], steps[1:], what)
        return entries
    entry = entries.pop(position)
    if what != REMOVE:
        entries.insert(max(0, position + (1 if what == DOWN else -1)), entry)
    return entries


def _moved_in_mapping(value: dict[str, Any], steps: Sequence[str], what: str) -> dict[str, Any]:
    """Return a mapping with an entry removed or moved; a part that is then empty is removed too."""
    key = _key(value, steps[0])
    if key is None:
        return value
    if len(steps) > 1:
        inner = _moved(value[key], steps[1:], what)
        if inner or not value[key]:
            return {name: inner if name == key else each for name, each in value.items()}
    elif what != REMOVE:
        return value
    return {name: each for name, each in value.items() if name != key}


def _key(value: Mapping[str, Any], step: str) -> str | None:
    """Return the key of a step: its name, or its position among names chosen by people."""
    if step in value:
        return step
    place = _position(value, step[1:]) if step.startswith("@") else None
    return None if place is None else list(value)[place]


def _position(entries: Collection[Any], step: str) -> int | None:
    place = whole_number(step)
    return place if place is not None and place < len(entries) else None
