"""Policies for a person's next context. Each module here registers one; adding one is adding a module.

A policy is an order over the columns of a context, so that the database can walk an index in that order. Contexts that
the person has not seen always come first.
"""

from dataclasses import dataclass
from enum import StrEnum
from pkgutil import extend_path

from dynabench_tasks.configuration.problems import UnknownKind
from dynabench_tasks.registry import Registry, import_modules_of


class ContextColumn(StrEnum):
    """The columns that a policy can order by, ascending.

    `FOOLINGS` counts tries that fooled; `UNVALIDATED` is minus the number of examples that validation did not
    confirm, so that most failures come first.
    """

    USE_COUNT = "use_count"
    FOOLINGS = "foolings"
    UNVALIDATED = "unvalidated"
    SHUFFLE = "shuffle"


@dataclass(frozen=True)
class ContextPolicy:
    """An order of contexts; `SHUFFLE`, a random number redrawn at each assignment, breaks ties."""

    name: str
    order: tuple[ContextColumn, ...]


class UnknownContextPolicy(ContextPolicy):
    """A policy of a later version: using its order raises UnknownKind."""

    def __init__(self, name: str) -> None:
        object.__setattr__(self, "name", name)

    @property
    def order(self) -> tuple[ContextColumn, ...]:
        """Raise UnknownKind."""
        raise UnknownKind("contexts.policy", "context policy", self.name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UnknownContextPolicy) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)


CONTEXT_POLICIES: Registry[ContextPolicy] = Registry()

__path__ = extend_path(__path__, __name__)
import_modules_of(__name__, __path__)
