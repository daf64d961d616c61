"""When an answer counts as wrong beside the golds that votes agreed on, by the name that `wrong_when` gives.

Each module here registers one rule; adding a rule is adding a module. Rules are values: two readings of one
configuration are equal, so a configuration told again moves no example.
"""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Protocol

from leaderboard.domain.facts import Answer


class UnknownWrongWhen(ValueError):
    """The configuration names a rule that this version does not know, or can't be counted by."""


class WrongWhen(Protocol):
    """Holds a target's answer against the golds."""

    def is_wrong(self, answer: Answer, golds: Sequence[str]) -> bool:
        """Tell whether the answer is wrong; `golds` are value texts, at least one."""


ReadRule = Callable[[Mapping[str, Any], Mapping[str, str]], WrongWhen]
"""Makes a rule of its parameters and of the types of the output fields by name."""

WRONG_RULES: dict[str, ReadRule] = {}


def register(name: str) -> Callable[[ReadRule], ReadRule]:
    """Return a decorator that puts a reader of rules under a name."""

    def keep(read: ReadRule) -> ReadRule:
        WRONG_RULES[name] = read
        return read

    return keep


def read_wrong_when(block: Mapping[str, Any] | str, output_types: Mapping[str, str]) -> WrongWhen:
    """Return the rule of a `wrong_when`: a name alone, or `{"exact_match": {"fields": ["label"]}}`.

    Raises UnknownWrongWhen.
    """
    rules: Mapping[str, Any] = {block: {}} if isinstance(block, str) else block
    if len(rules) != 1:
        raise UnknownWrongWhen(f"wrong_when must name exactly one rule, not {len(rules)}")
    [(name, parameters)] = rules.items()
    if name not in WRONG_RULES:
        raise UnknownWrongWhen(f"wrong_when {name!r} is not one of {', '.join(sorted(WRONG_RULES))}")
    return WRONG_RULES[name](parameters or {}, output_types)


for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
