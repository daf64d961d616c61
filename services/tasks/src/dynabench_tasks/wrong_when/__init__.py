"""Rules for a wrong target answer. Each module here registers one; adding a rule is adding a module."""

from collections.abc import Mapping
from pkgutil import extend_path
from typing import ClassVar, Protocol

from dynabench_tasks.configuration.nested_shapes import Key
from dynabench_tasks.fields import Field
from dynabench_tasks.registry import Registry, import_modules_of
from dynabench_tasks.text_f1 import Likeness
from dynabench_tasks.values import Value


class WrongRule(Protocol):
    """Compares a person's claim with a target's answer.

    `keys` are the rule's parameters, each filling the attribute of its name; a rule without any is named by a word.
    """

    keys: ClassVar[Mapping[str, Key]] = {}

    def ensure_fits(self, claimed: Field) -> None:
        """Raise Unfit if answers to this field can't be compared by the rule."""
        return

    def in_languages(self, languages: tuple[str, ...]) -> "WrongRule":
        """Return the rule for a task in these languages."""
        return self

    @property
    def likeness(self) -> Likeness | None:
        """Return how texts are compared, if they are; votes on spans are then compared likewise."""
        return None

    def is_wrong(self, claimed: Value, answered: Value) -> bool | None:
        """Return whether the answer is wrong; None if only the author can say."""

    def document(self) -> object:
        """Return the rule as its configuration says it."""


WRONG_RULES: Registry[type[WrongRule]] = Registry()

__path__ = extend_path(__path__, __name__)
import_modules_of(__name__, __path__)
