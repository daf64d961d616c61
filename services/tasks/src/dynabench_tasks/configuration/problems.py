"""Problems of a configuration: place, reason and remedy, all reported at once."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum, auto
from typing import Final

from dynabench_tasks.equal_texts import comparable

Place = tuple[str | int, ...]
"""The keys and positions that lead from the whole document to a part of it."""

MOST_PROBLEMS = 100
LONGEST_SHOWN = 50
NAMES = {str: "text", int: "a whole number", bool: "true or false", list: "a list", dict: "a mapping"}


class Invalid(Enum):
    """The marker of an unusable part. Parts that depend on it are not checked: the one problem is enough."""

    INVALID = auto()


INVALID: Final = Invalid.INVALID


@dataclass(eq=False)
class ConfigurationError(Exception):
    """A task configuration that can't be used: `path` names the place, as in `input[1].labels`.

    `rest` holds what else is wrong, in the order of the document.
    """

    path: str
    reason: str
    remedy: str
    place: Place = ()
    rest: tuple["ConfigurationError", ...] = ()

    def __str__(self) -> str:
        return f"{self.path} {self.reason}. {self.remedy}"

    @property
    def problems(self) -> tuple["ConfigurationError", ...]:
        """Return all problems; this error is the first of them."""
        return (self, *self.rest)


class UnknownKind(ConfigurationError):
    """A type, rule or policy of a later version of the language, found in a document of another service.

    `kind` is its kind, such as "field type" or "wrong-when rule", and `name` its name in the document.
    """

    def __init__(
        self,
        path: str,
        kind: str,
        name: str,
        place: Place = (),
    ) -> None:
        reason = f"is {name[:LONGEST_SHOWN]!r}, a {kind} that this version does not know"
        super().__init__(path, reason, "Bring this service up to date.", place)
        self.kind = kind
        self.name = name


class Unfit(Exception):
    """A part that is well-formed but does not fit the rest: `keys` lead to it from the place of the report."""

    def __init__(self, keys: Place, reason: str, remedy: str) -> None:
        super().__init__(reason)
        self.keys = keys
        self.reason = reason
        self.remedy = remedy


class EnoughProblems(Exception):
    """The limit of reported problems is reached."""


class Reading:
    """One reading of a document, and its problems.

    With `note`, unknown keys are ignored and passed to it, as in `read_published`.
    """

    def __init__(self, note: Callable[[str], None] | None = None) -> None:
        self.problems: list[ConfigurationError] = []
        self._note = note

    @property
    def is_lenient(self) -> bool:
        """Return whether a later version may have written the document."""
        return self._note is not None

    def refuse(self, place: Place, reason: str, remedy: str, within: str = "") -> Invalid:
        """Add a problem; return INVALID for the part. `within` is a path inside the place."""
        return self._keep(ConfigurationError(f"{path_of(place)}{within}", reason, remedy, place))

    def refuse_kind(self, value: object, place: Place, known: Iterable[str], kind: str) -> Invalid:
        """Add the problem of an unknown name of a kind, or of a value that is no name."""
        options = sorted(known)
        if not isinstance(value, str):
            return self.wrong_type(value, place, "one of: " + ", ".join(options))
        if self.is_lenient:
            return self._keep(UnknownKind(path_of(place), kind, value, place=place))
        shown = value[:LONGEST_SHOWN]
        return self.refuse(place, f"is {shown!r}, a {kind} that is not known", nearest(value, options))

    def refuse_reference(self, name: str, place: Place, known: Iterable[str], what: str) -> Invalid:
        """Add the problem of a name that refers to nothing of the task; `what` completes "no ..."."""
        return self.refuse(place, f"is {name!r}, no {what}", nearest(name, known))

    def passes_over(self, place: Place) -> bool:
        """Return whether an unknown key is ignored, and note it then."""
        if self._note is not None:
            self._note(path_of(place))
        return self.is_lenient

    def refuse_key(self, place: Place, known: Iterable[str]) -> None:
        """Add the problem of an unknown key."""
        self.refuse(place, "is not a key that is understood here", nearest(str(place[-1]), known))

    def knows_of(self, place: Place) -> bool:
        """Return whether there is a problem at a place or within it."""
        return any(problem.place[: len(place)] == place for problem in self.problems)

    def wrong_type(self, value: object, place: Place, wanted: str) -> Invalid:
        """Add the problem of a value of another type than wanted."""
        if value is None:
            return self.refuse(place, "is missing or empty", f"Give {wanted}.")
        remedy = f"Give {wanted}."
        if isinstance(value, bool):
            remedy += " YAML reads words such as yes, no, on and off as true and false: put them in quotes."
        return self.refuse(place, f"is {NAMES.get(type(value), type(value).__name__)}", remedy)

    def refuse_twice(self, names: Iterable[object], place: Place) -> None:
        """Add the problem of each repeated name in a list, or of one that people would confuse with another.

        A published document may contain lookalike names; its reading continues.
        """
        seen: dict[str, str] = {}
        for position, name in enumerate(names):
            if name is INVALID:
                continue
            text = str(name)
            key = text if self.is_lenient else comparable(text)
            first = seen.get(key)
            if first is None:
                seen[key] = text
            elif first == text:
                self.refuse((*place, position), f"repeats {text!r}", "Remove it or give it another name.")
            else:
                self.refuse(
                    (*place, position),
                    f"looks like {first!r}",
                    "Name them so that people can tell them apart.",
                )

    def _keep(self, problem: ConfigurationError) -> Invalid:
        self.problems.append(problem)
        if len(self.problems) >= MOST_PROBLEMS:
            raise EnoughProblems
        return INVALID

    def fail(self, document: object) -> ConfigurationError:
        """Return the error with all problems, in the order of the document."""
        first, *rest = sorted(self.problems, key=lambda problem: _position(document, problem.place))
        first.rest = tuple(rest)
        return first


def path_of(place: Place) -> str:
    """Return a place in readable form, as in `input[1].labels`; the whole document is the configuration."""
    path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in place)
    return path.removeprefix(".") or "configuration"


def nearest(given: str, known: Iterable[str]) -> str:
    """Return the remedy for a word that is not known, naming the nearest one that is."""
    options = sorted(set(known))
    near = get_close_matches(given[:LONGEST_SHOWN], options, n=1, cutoff=0.6)
    return f"Did you mean `{near[0]}`?" if near else "Known here: " + ", ".join(options) + "."


def _position(document: object, place: Place) -> tuple[int, ...]:
    """Return a place's position in the document; a missing part has that of its surroundings."""
    found: list[int] = []
    part = document
    for step in place:
        if isinstance(part, dict) and step in part:
            found.append(list(part).index(step))
            part = part[step]
        elif isinstance(part, list) and isinstance(step, int) and step < len(part):
            found.append(step)
            part = part[step]
        else:
            break
    return tuple(found)
