"""One mapping of `models.yaml`, read field by field; each refusal names entry, field, reason and remedy."""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import NoReturn


class DeclarationError(Exception):
    """`models.yaml` can't be used; the message names the entry, the field, the reason and the remedy."""

    def __init__(self, field: str, reason: str, remedy: str, model: str | None = None) -> None:
        super().__init__(f"{field}{f' ({model})' if model else ''}: {reason}. {remedy}")


class Entry:
    """A mapping at a place of the file, `where`; `model` is the name of the entry that it belongs to."""

    def __init__(self, where: str, content: object, model: str | None = None) -> None:
        if not isinstance(content, dict):
            raise DeclarationError(where, "it must be a mapping", "Write its fields below it.", model)
        self._where = where
        self._content = content
        self._model = model or _printable_name(content)

    def refuse(self, name: str, reason: str, remedy: str) -> NoReturn:
        """Raise DeclarationError about a field."""
        raise DeclarationError(f"{self._where}.{name}", reason, remedy, self._model)

    def only(self, known: Sequence[str]) -> None:
        """Refuse fields with other names."""
        for name in self._content:
            if name not in known:
                near = get_close_matches(str(name), known, n=1)
                meant = f"Did you mean {near[0]}?" if near else "Remove it."
                self.refuse(str(name), "there is no such field", f"{meant} Known: {', '.join(known)}.")

    def text(self, name: str, pattern: re.Pattern[str] | None = None) -> str:
        """Return a text; a number is one too."""
        value = self._content.get(name)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            value = str(value)
        if not isinstance(value, str) or not value.strip():
            self.refuse(name, "it is missing or no text", "Write a text.")
        if pattern is not None and not pattern.fullmatch(value):
            self.refuse(name, f"{value!r} can't be used", f"Write what matches {pattern.pattern}.")
        return value

    def number(self, name: str, least: int, most: int, default: int) -> int:
        """Return a whole number within bounds."""
        value = self._content.get(name, default)
        if type(value) is not int or not least <= value <= most:
            self.refuse(
                name, f"it must be a whole number from {least} to {most}", f"The usual one is {default}."
            )
        return value

    def choice(self, name: str, options: Sequence[str], default: str | None = None) -> str:
        """Return one of the options."""
        value = self._content.get(name, default)
        if value not in options:
            self.refuse(name, f"{value!r} is none of its values", f"Write one of {', '.join(options)}.")
        return str(value)

    def texts(self, name: str, default: Sequence[str] | None = None) -> tuple[str, ...]:
        """Return a list of different texts, which may be empty."""
        value = self._content.get(name, default)
        if not isinstance(value, (list, tuple)) or not all(_is_text(item) for item in value):
            self.refuse(name, "it must be a list of texts", f"Write it as {name}: [one, another].")
        repeated = next((item for item in value if value.count(item) > 1), None)
        if repeated is not None:
            self.refuse(name, f"{repeated} stands in it twice", "Remove one of them.")
        return tuple(value)

    def mapping(self, name: str) -> "Entry | None":
        """Return the mapping below a field, if there is one."""
        value = self._content.get(name)
        return None if value is None else Entry(f"{self._where}.{name}", value, self._model)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _printable_name(content: dict[object, object]) -> str | None:
    name = content.get("name")
    return name[:70] if isinstance(name, str) and name.isprintable() else None
