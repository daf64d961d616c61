"""Registries of named things that register themselves: field types, wrong-when rules, context policies.

A new one is a new module in its package; nothing else names it.
"""

from collections.abc import Callable, Iterable
from importlib import import_module
from pkgutil import iter_modules
from typing import Generic, TypeVar

Thing = TypeVar("Thing")


class Registry(Generic[Thing]):
    """Things by the name that a task configuration uses for them."""

    def __init__(self) -> None:
        self._things: dict[str, Thing] = {}

    def register(self, name: str) -> Callable[[Thing], Thing]:
        """Return a decorator that enters a thing under `name`; a name is taken once."""

        def enter(thing: Thing) -> Thing:
            if name in self._things:
                raise ValueError(f"{name!r} is registered twice")
            self._things[name] = thing
            return thing

        return enter

    def __getitem__(self, name: str) -> Thing:
        return self._things[name]

    def __contains__(self, name: object) -> bool:
        return name in self._things

    @property
    def names(self) -> tuple[str, ...]:
        """Return the registered names in alphabetical order."""
        return tuple(sorted(self._things))


def import_modules_of(package: str, path: Iterable[str]) -> None:
    """Import each module of a package, so that each can register what it holds."""
    for module in iter_modules(path):
        import_module(f"{package}.{module.name}")
