"""When a target's answer is wrong. Each module here registers one rule; adding a rule is adding a module."""

from collections.abc import Mapping
from typing import ClassVar, Protocol

from dynabench_tasks.configuration.section import (
    ConfigurationError,
    Section,
    UnknownKind,
    kind_of,
    told,
    unknown,
)
from dynabench_tasks.fields import Field
from dynabench_tasks.registry import Registry, import_modules_of
from dynabench_tasks.values import Value


class WrongRule(Protocol):
    """Compares what a person claims with what a target answered."""

    def is_wrong(self, claimed: Value, answered: Value) -> bool | None:
        """Tell whether the answer is wrong; None if only the author can say."""

    def document(self) -> object:
        """Return the rule as its configuration says it."""


class WrongRuleType(Protocol):
    """Reads one kind of rule from a configuration.

    `schema` is the JSON Schema of the rule's parameters, None for a rule that is named by a word alone.
    """

    schema: ClassVar[Mapping[str, object] | None]

    @staticmethod
    def read(section: Section, claimed: Field) -> WrongRule:
        """Return the rule for answers to the claimed field. Raises ConfigurationError."""


WRONG_RULES: Registry[type[WrongRuleType]] = Registry()


def read_wrong_rule(value: object, path: str, claimed: Field) -> WrongRule:
    """Return the one rule that a word or a mapping names. Raises ConfigurationError."""
    words = tuple(name for name in WRONG_RULES.names if WRONG_RULES[name].schema is None)
    if isinstance(value, str):
        return WRONG_RULES[kind_of(value, path, words, "wrong-when rule")].read(Section({}, path), claimed)
    section = Section({} if value is None else value, path)
    if len(section.keys) > 1:
        raise ConfigurationError(section.path, f"names {len(section.keys)} rules", "Name exactly one.")
    for name in WRONG_RULES.names:
        if name in section:
            inner = section.section(name)
            return section.finish(inner.finish(WRONG_RULES[name].read(inner, claimed)))
    for name in section.keys:
        error = unknown(name, WRONG_RULES.names, section.at(name), "is no rule that is known")
        raise UnknownKind(*told(error), "wrong-when rule", name)
    raise ConfigurationError(section.path, "names no rule", f"Name one of: {', '.join(WRONG_RULES.names)}.")


import_modules_of(__name__, __path__)
