"""When an answer counts as wrong, by the name that a task's `wrong_when` gives.

A rule is one entry of `RULES`: a function from its parameters to a predicate on (answer, gold).
"""

from collections.abc import Callable, Mapping
from typing import Any

WrongWhen = Callable[[str, str], bool]


class UnknownWrongWhen(ValueError):
    """The configuration names a rule that this version does not know."""


def _differs(answer: str, gold: str) -> bool:
    return answer != gold


def _exact_match(_parameters: Mapping[str, Any]) -> WrongWhen:
    return _differs


RULES: Mapping[str, Callable[[Mapping[str, Any]], WrongWhen]] = {"exact_match": _exact_match}


def wrong_when(configuration: Mapping[str, Any]) -> WrongWhen:
    """Return the predicate for a `wrong_when` block such as `{"exact_match": {"fields": ["label"]}}`.

    Raises UnknownWrongWhen.
    """
    if len(configuration) != 1:
        raise UnknownWrongWhen(f"wrong_when must name exactly one rule, not {len(configuration)}")
    [(name, parameters)] = configuration.items()
    if name not in RULES:
        raise UnknownWrongWhen(f"wrong_when {name!r} is not one of {', '.join(sorted(RULES))}")
    return RULES[name](parameters or {})
