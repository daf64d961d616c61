"""A configuration as a form: one control for each part, made from the schema of the task language."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from web.configure.form_kinds import (
    ROOT,
    Schema,
    control_name,
    fits,
    is_empty,
    kind_of,
    properties,
    task_schema,
    types,
    variants,
)
from web.configure.form_words import MORE, SECTIONS, adding_to, choice_of, help_of, label_of
from web.configure.yaml_words import flow_words
from web.kit.language import _

MOST_CONTROLS = 1_500
NAMING = {"of", "starts_from", "field"}
"""Keys with short names of fields as values."""
PLACES = {"starts_from": "input", "probabilities": "output"}
"""For a setting or type, the only list of fields that permits it."""
Place = tuple[str | int, ...]


class TooLong(Exception):
    """A refusal of configurations with too many parts for a form."""


@dataclass(frozen=True)
class Choice:
    """One option of a control."""

    value: str
    words: str
    is_chosen: bool


@dataclass(frozen=True)
class Control:
    """A part of the form. `path` is its name in problems, `name` its name in the sent form.

    `names_field` is true if its value is a short name of a field. `hidden` has the values without a control, by name,
    so that they are not lost.
    """

    kind: str
    name: str
    path: str
    label: str = ""
    help: str = ""
    value: str = ""
    usual: str = ""
    is_required: bool = False
    names_field: bool = False
    adds: str = ""
    choices: Sequence[Choice] = ()
    children: Sequence["Control"] = ()
    hidden: Mapping[str, str] = field(default_factory=dict)

    @property
    def element(self) -> str:
        """Return the id of its element."""
        return self.name.replace("/", "-").replace("%", "_")

    @property
    def chosen(self) -> str:
        """Return the chosen option in words."""
        return next((each.words for each in self.choices if each.is_chosen and each.value), "")

    @property
    def is_list(self) -> bool:
        """True if it has entries that can be added and removed."""
        return self.kind in ("entries", "pairs")

    @property
    def is_block(self) -> bool:
        """True if it contains other controls."""
        return self.kind in ("group", "typed", "values", "entries", "pairs")


@dataclass(frozen=True)
class _Part:
    """Input for a control: the shape, the value, the path to it, and the keys on that path for its words."""

    schema: Schema
    value: Any
    name: str
    place: Place
    keys: tuple[str, ...]
    is_required: bool = False

    def child(self, key: str, schema: Schema, value: Any, is_required: bool = False) -> "_Part":
        """Return the part under a key."""
        return _Part(
            schema, value, control_name(self.name, key), (*self.place, key), (*self.keys, key), is_required
        )

    def entry(self, position: int, value: Any) -> "_Part":
        """Return an entry of the list."""
        name = control_name(self.name, position)
        return _Part(self.schema["items"], value, name, (*self.place, position), self.keys)


def path_of(place: Place) -> str:
    """Return a path in the notation of problems, such as `input[1].labels`."""
    steps = [f"[{step}]" if isinstance(step, int) else f".{step}" for step in place]
    return "".join(steps).removeprefix(".")


def controls_of(document: Mapping[str, Any]) -> dict[str, Control]:
    """Return a control for each key that a configuration can have. Raises TooLong."""
    schema, maker = task_schema(), _Maker(document)
    whole = _Part(schema, document, ROOT, (), ())
    required = schema["required"]
    return {
        key: maker.control(whole.child(key, each, document.get(key), key in required))
        for key, each in schema["properties"].items()
    }


def sections_of(controls: Mapping[str, Control]) -> list[tuple[str, str, list[Control]]]:
    """Return the sections of the form: name, heading and controls. Keys without a section come last."""
    named = {key for section in SECTIONS for key in section.keys}
    left = [key for key in controls if key not in named]
    found = [(each, [key for key in each.keys if key in controls]) for each in SECTIONS]
    return [
        (section.name, _(section.heading), [controls[key] for key in keys])
        for section, keys in [*found, (MORE, left)]
        if keys
    ]


class _Maker:
    """Builder of controls. Values of worked examples follow the task's own fields."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._fields = {key: _fields_of(document.get(key)) for key in ("context", "input", "output")}
        self._made = 0

    def control(self, part: _Part) -> Control:
        """Return the control of a part, with those within it."""
        self._made += 1
        if self._made > MOST_CONTROLS:
            raise TooLong
        kind = kind_of(part.schema)
        if kind == "value":
            return self._of_claim(part)
        if not fits(part.schema, part.value):
            return self._raw(part)
        makers = {
            "flag": self._flag,
            "lines": self._lines,
            "ticks": self._ticks,
            "choice": self._choice,
            "variant": self._variant,
            "group": self._group,
            "typed": self._typed,
            "entries": self._entries,
            "pairs": self._pairs,
            "values": self._values,
        }
        return makers.get(kind, self._plain)(part)

    def _base(self, part: _Part, kind: str, **more: Any) -> Control:
        schema, keys = part.schema, part.keys
        return Control(
            kind,
            part.name,
            path_of(part.place),
            label_of(keys),
            help_of(keys, schema.get("description", "")),
            is_required=part.is_required,
            **more,
        )

    def _plain(self, part: _Part) -> Control:
        schema, value = part.schema, part.value
        kind = kind_of(schema)
        words = "" if value is None else str(value)
        if kind == "text" and "\n" in words:
            kind = "long"
        return self._base(
            part,
            kind,
            value=words,
            usual=f"{schema['default']:g}" if kind == "number" and "default" in schema else "",
            names_field=part.keys[-1] in NAMING or part.keys[0] == "instance",
        )

    def _raw(self, part: _Part) -> Control:
        value = part.value
        return self._base(part, "raw", value=flow_words(value), hidden={f"{part.name}~": _json(value)})

    def _flag(self, part: _Part) -> Control:
        return self._base(part, "flag", value="yes" if part.value else "")

    def _lines(self, part: _Part) -> Control:
        return self._base(part, "lines", value="\n".join(part.value or ()))

    def _ticks(self, part: _Part) -> Control:
        chosen = part.value or []
        words = [
            *part.schema["items"]["enum"],
            *(each for each in chosen if each not in part.schema["items"]["enum"]),
        ]
        choices = [Choice(each, choice_of(part.keys, each), each in chosen) for each in words]
        return self._base(part, "ticks", choices=choices)

    def _choice(self, part: _Part) -> Control:
        return self._base(part, "choice", choices=self._choices(part, part.schema["enum"], part.value))

    def _choices(self, part: _Part, words: Sequence[str], chosen: object) -> list[Choice]:
        known = [Choice(each, choice_of(part.keys, each), each == chosen) for each in words]
        usual = part.schema.get("default")
        if not part.is_required:
            as_usual = (
                _("default: %(words)s", words=choice_of(part.keys, str(usual))) if usual else _("default")
            )
            known.insert(0, Choice("", as_usual, chosen is None))
        elif chosen is None:
            known.insert(0, Choice("", _("choose one"), True))
        if isinstance(chosen, str) and chosen not in words:
            known.append(Choice(chosen, _("“%(word)s” (unknown)", word=chosen), True))
        return known

    def _variant(self, part: _Part) -> Control:
        known, value = variants(part.schema), part.value
        chosen = next(iter(value)) if isinstance(value, dict) else value
        choices = self._choices(part, list(known), chosen)
        shape = known.get(chosen) if isinstance(value, dict) else None
        children = []
        if shape is not None:
            children.append(self.control(part.child(str(chosen), shape, value[chosen], True)))
        return self._base(part, "variant", choices=choices, children=children)

    def _group(self, part: _Part) -> Control:
        return self._with_keys(part, "group", part.schema["properties"], ())

    def _typed(self, part: _Part) -> Control:
        value = part.value or {}
        chosen = value.get("type")
        known = [each for each in types(part.schema) if PLACES.get(each) in (None, part.keys[0])]
        given = part.child("type", {"enum": known}, chosen, True)
        if not isinstance(chosen, str | None):
            return self._raw(part)
        return self._with_keys(part, "typed", properties(part.schema, chosen), (self._choice(given),))

    def _with_keys(
        self, part: _Part, kind: str, shapes: Mapping[str, Schema], before: Sequence[Control]
    ) -> Control:
        value = part.value or {}
        required = _required_of(part.schema, value)
        children = [
            self.control(part.child(key, shape, value.get(key), key in required))
            for key, shape in shapes.items()
            if key in value or PLACES.get(key) in (None, part.keys[0])
        ]
        asked = {*shapes, *(["type"] if before else [])}
        rest = {key: each for key, each in value.items() if key not in asked}
        title = value.get("label") or value.get("name")
        return self._base(
            part,
            kind,
            value=title if isinstance(title, str) else "",
            children=[*children[:1], *before, *children[1:]],
            hidden={f"{part.name}+": _json(rest)} if rest else {},
        )

    def _entries(self, part: _Part) -> Control:
        entries = part.value or []
        children = [self.control(part.entry(position, each)) for position, each in enumerate(entries)]
        return self._list(part, children)

    def _pairs(self, part: _Part) -> Control:
        shape, children = part.schema["additionalProperties"], []
        for position, (key, value) in enumerate((part.value or {}).items()):
            place, name = (*part.place, key), control_name(part.name, f"@{position}")
            inner = self.control(_Part(shape, value, name, place, (*part.keys, "*"), True))
            keyed = Control("text", f"{name}~key", "", self._key_label(part), value=key, is_required=True)
            children.append(
                Control(
                    "pair",
                    name,
                    path_of(place),
                    label_of((*part.keys, "*")),
                    value=key,
                    children=(keyed, inner),
                )
            )
        return self._list(part, children)

    def _key_label(self, part: _Part) -> str:
        return _("Model's name for it") if part.keys[-1] == "instance" else _("Label")

    def _list(self, part: _Part, children: Sequence[Control]) -> Control:
        hidden = {f"{part.name}#": str(len(children))}
        kind = kind_of(part.schema)
        return self._base(part, kind, children=children, hidden=hidden, adds=adding_to(part.keys[-1]))

    def _values(self, part: _Part) -> Control:
        given, fields = part.value or {}, self._fields.get(part.keys[-1], [])
        if part.keys[0] == "practice":
            fields = [each for each in fields if each is not self._claimed()]
        children = [
            self._of_field(part.child(str(each["name"]), {}, given.get(each["name"])), each)
            for each in fields
        ]
        names = {each["name"] for each in fields}
        rest = {key: value for key, value in given.items() if key not in names}
        return self._base(
            part, "values", children=children, hidden={f"{part.name}+": _json(rest)} if rest else {}
        )

    def _claimed(self) -> dict[str, Any] | None:
        answered = [each["name"] for each in self._fields["output"]]
        return next((each for each in self._fields["input"] if each["name"] in answered), None)

    def _of_claim(self, part: _Part) -> Control:
        """Return the control of a value of the claimed field."""
        claimed = self._claimed() or {"name": part.keys[-1], "type": "string"}
        made = self._of_field(part, claimed)
        changes = {"label": label_of(part.keys), "help": help_of(part.keys, "")}
        return Control(**{**vars(made), **changes})

    def _of_field(self, part: _Part, given: Mapping[str, Any]) -> Control:
        """Return the control of a value of a task's field."""
        value, labels = None if is_empty(part.value) else part.value, given.get("labels")
        label = str(given.get("label") or given["name"])
        common: dict[str, Any] = {"name": part.name, "path": path_of(part.place), "label": label}
        if (
            isinstance(labels, list)
            and (value is None or isinstance(value, str))
            and given["type"] == "multiclass"
        ):
            words = [str(each) for each in labels]
            words += [value] if value and value not in words else []
            chosen = [Choice(each, each, each == value) for each in words]
            return Control("choice", choices=[Choice("", "–", not value), *chosen], **common)
        if isinstance(labels, list) and (
            value is None or fits({"type": "array", "items": {"enum": []}}, value)
        ):
            ticked = [Choice(str(each), str(each), each in (value or [])) for each in labels]
            return Control("ticks", choices=ticked, hidden={f"{part.name}~as": "ticks"}, **common)
        if given["type"] == "span" and (value is None or _is_span(value)):
            hidden = {f"{part.name}~as": f"span:{given.get('of', '')}"}
            if value:
                hidden[f"{part.name}~was"] = _json(value)
            words_marked = value["text"] if value else ""
            help_words = _("Copy the words from the text.")
            return Control("long", value=words_marked, help=help_words, hidden=hidden, **common)
        if value is None or isinstance(value, str):
            return Control("long", value=value or "", **common)
        return Control("raw", value=flow_words(value), hidden={f"{part.name}~": _json(value)}, **common)


def _is_span(value: object) -> bool:
    return isinstance(value, dict) and isinstance(value.get("text"), str)


def _fields_of(given: object) -> list[dict[str, Any]]:
    entries = given if isinstance(given, list) else []
    return [
        each
        for each in entries
        if isinstance(each, dict) and isinstance(each.get("name"), str) and isinstance(each.get("type"), str)
    ]


def _required_of(schema: Schema, value: Mapping[str, Any]) -> Sequence[str]:
    if kind_of(schema) == "typed":
        shape = types(schema).get(str(value.get("type")), {})
        return list(shape.get("required", ("name",)))
    return list(schema.get("required", ()))


def _json(value: object) -> str:
    return json.dumps(_with_text_keys(value), ensure_ascii=False, default=str)


def _with_text_keys(value: object) -> object:
    """Return a value of YAML, whose keys may be dates, with keys that JSON takes."""
    if isinstance(value, dict):
        return {str(key): _with_text_keys(each) for key, each in value.items()}
    return [_with_text_keys(each) for each in value] if isinstance(value, list) else value
