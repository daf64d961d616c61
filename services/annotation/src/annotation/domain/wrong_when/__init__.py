"""When a target's answer is wrong. Each module here registers one rule; adding a rule is adding a module."""

from collections.abc import Mapping
from typing import Protocol

from annotation.domain.configuration.section import ConfigurationError, Section
from annotation.domain.registry import Registry, import_modules_of


class WrongRule(Protocol):
    """Compares what a person claims with what a target answered."""

    def is_wrong(self, claimed: Mapping[str, str], answered: Mapping[str, str]) -> bool:
        """Tell whether the answer is wrong; both map output fields to values."""

    def document(self) -> Mapping[str, object]:
        """Return the rule as its configuration says it."""


class WrongRuleType(Protocol):
    """Reads one kind of rule from a configuration."""

    def read(self, section: Section, claimed: tuple[str, ...]) -> WrongRule:
        """Return the rule; `claimed` names the outputs that a person claims. Raises ConfigurationError."""


WRONG_RULES: Registry[WrongRuleType] = Registry()


def read_wrong_rule(section: Section, claimed: tuple[str, ...]) -> WrongRule:
    """Return the one rule that a section names. Raises ConfigurationError."""
    if len(section.keys) > 1:
        raise ConfigurationError(section.path, f"names {len(section.keys)} rules", "Name exactly one.")
    for name in WRONG_RULES.names:
        if name in section:
            inner = section.section(name)
            return section.finish(inner.finish(WRONG_RULES[name].read(inner, claimed)))
        section.take(name)
    section.finish(None)
    raise ConfigurationError(section.path, "names no rule", f"Name one of: {', '.join(WRONG_RULES.names)}.")


import_modules_of(__name__, __path__)
