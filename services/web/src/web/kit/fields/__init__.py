"""Types of fields on pages: how each is asked for, read from a form, and shown.

A type is a module of this package that registers itself. It has two fragments: `<type>.ask.html` asks for a value,
`<type>.show.html` shows one. Nothing else names a type. An unknown type is shown as unknown instead of breaking the
page.

A form has only texts. The value of a field is a mapping of its controls. The first is named as the field's place in the
request body (`input.text`), so that a refusal of the service finds its field.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from importlib import import_module
from pkgutil import extend_path, iter_modules
from typing import Protocol

from dynabench_tasks.values import Value
from markupsafe import Markup

from web.kit import isolation
from web.kit.configuration import Field
from web.kit.language import _
from web.kit.problems import ProblemView

FormValues = Mapping[str, Sequence[str]]
Texts = Mapping[str, str]
UNKNOWN = "unknown"


class Unreadable(Exception):
    """The content of a form's field is no value of its type."""

    def __init__(self, reason: str, remedy: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.remedy = remedy


@dataclass(frozen=True)
class When:
    """The choice on which a question depends: it is shown while `control` holds one of `words`."""

    control: str
    words: tuple[str, ...]

    @property
    def in_words(self) -> str:
        """The condition as it is read where no script hides the question."""
        quoted: list[str] = [Markup("“{}”").format(isolation.name(word)) for word in self.words]
        return (
            reduce(lambda some, last: _("%(some)s or %(last)s", some=some, last=last), quoted)
            if quoted
            else ""
        )


@dataclass(frozen=True)
class Asking:
    """Under which circumstances a field is asked for.

    `passages` maps the texts that can be marked to the elements that show them, `mirrored` those that are still
    being written to their controls. `assigned` is the label that was drawn, in place of a choice.
    """

    control: str
    entered: FormValues = field(default_factory=dict)
    is_required: bool = True
    has_keys: bool = False
    assigned: str = ""
    when: When | None = None
    passages: Texts = field(default_factory=dict)
    mirrored: Texts = field(default_factory=dict)
    problem: ProblemView | None = None

    def first(self, suffix: str = "") -> str:
        """Return what the form holds in a control of the field; empty for nothing."""
        values = self.entered.get(self.control + suffix, ())
        return values[0] if values else ""

    @property
    def own_problem(self) -> ProblemView | None:
        """The refusal, if it is about this field or a part of it."""
        found = self.problem.field if self.problem else ""
        is_own = found == self.control or found.startswith((f"{self.control}.", f"{self.control}["))
        return self.problem if is_own else None


@dataclass(frozen=True, kw_only=True)
class FieldView:
    """A question in a form; each type adds what its fragment needs."""

    control: str
    type: str
    label: str
    is_required: bool
    when: When | None
    problem: ProblemView | None

    @property
    def element(self) -> str:
        """The id of the control in the page."""
        return "field-" + self.control.removeprefix("input.").replace(".", "-")


@dataclass(frozen=True, kw_only=True)
class ShownValue:
    """A value in print; `text` says it where only words fit, each type adds what its fragment needs."""

    name: str
    type: str
    label: str
    text: str


class FieldType(Protocol):
    """One type of field."""

    def ask(self, field: Field, asking: Asking) -> FieldView:
        """Return the question."""

    def read(self, field: Field, asking: Asking, texts: Texts) -> Value | None:
        """Return the value that the form holds, None for none; `texts` are those that can be marked.

        Raises Unreadable.
        """

    def fill(self, control: str, value: Value) -> dict[str, Sequence[str]]:
        """Return the controls of a form that holds the value."""

    def show(self, field: Field, value: Value) -> ShownValue:
        """Return the value in print."""


_TYPES: dict[str, FieldType] = {}


def register(name: str) -> Callable[[type[FieldType]], type[FieldType]]:
    """Return a decorator that enters a type under the name that configurations use for it."""

    def enter(kind: type[FieldType]) -> type[FieldType]:
        if name in _TYPES:
            raise ValueError(f"{name!r} is registered twice")
        _TYPES[name] = kind()
        return kind

    return enter


def ask(field: Field, asking: Asking) -> FieldView:
    """Return a field as a question in a form."""
    return _type_of(field).ask(field, asking)


def read(field: Field, asking: Asking, texts: Texts) -> Value | None:
    """Return what a form says in a field, None for nothing. Raises Unreadable."""
    return _type_of(field).read(field, asking, texts)


def fill(field: Field, control: str, value: Value) -> dict[str, Sequence[str]]:
    """Return the controls of a form that holds a value already."""
    return _type_of(field).fill(control, value)


def show(field: Field, value: Value) -> ShownValue:
    """Return a value in print; one of another shape than its type has, as text."""
    try:
        return _type_of(field).show(field, value)
    except (KeyError, TypeError, ValueError, AttributeError):
        return _TYPES[UNKNOWN].show(field, value)


def show_all(fields: Sequence[Field], values: Mapping[str, Value]) -> list[ShownValue]:
    """Return the values of those fields that have one, in the order of the fields."""
    return [show(each, values[each.name]) for each in fields if not is_blank(values.get(each.name))]


def is_blank(value: Value | None) -> bool:
    """Return whether there is nothing to show: no value, or a text without a word, as optional fields may have."""
    return value is None or (isinstance(value, str) and not value.strip())


def _type_of(field: Field) -> FieldType:
    return _TYPES.get(field.type) or _TYPES[UNKNOWN]


__path__ = extend_path(__path__, __name__)
for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
