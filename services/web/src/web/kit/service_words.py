"""Translation of services' texts: problem documents by code and parameters, other texts by their shape.

A problem's title, detail and remedy are templates that its service has filled in with the document's parameters. The
catalogue has those templates under the code. One code may have several. The right one, filled in with the same
parameters, gives the document's text. A text that the catalogue lacks, because the service is newer or older, is shown
unchanged. No other text ever replaces it.

A text without a code, such as the reason within a refusal, is recognised by its English words around the parameters.
`scripts/service_texts.py` makes sure that there are enough of them. A text is recognised whole or not at all.
"""

import re
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from string import Formatter
from typing import Any, cast

from babel.numbers import format_decimal

from web.kit.catalogues import PLACEHOLDER, ServiceTexts
from web.kit.language import locale, service_texts

NAMES = re.compile(r"names?\d*|task|target|targets|field|origin|answered|possible|missing|\w+_id", re.ASCII)
"""Placeholders that are filled in with names, or lists of them: data, in which no text is looked for."""
MOST_KEPT = 4_000
LONGEST_SAID = 2_000
"""Characters: what is longer quotes somebody, and looking for each shape in it takes long."""


def problem_words(code: str, text: str, parameters: Mapping[str, object]) -> str:
    """Return a text of a problem in the reader's language, or as it is where the catalogue lacks it."""
    for known in service_texts().of_problems:
        if fnmatchcase(code, known.code) and _filled(known.english, parameters) == text:
            return _FORMATTER.vformat(known.translated, (), parameters)
    return service_words(text)


def service_words(text: str) -> str:
    """Return what a service says outside of problems in the reader's language, or as it is."""
    known = service_texts()
    return _recognised(known, text) if known and 0 < len(text) <= LONGEST_SAID else text


@lru_cache(maxsize=MOST_KEPT)
def _recognised(known: ServiceTexts, text: str) -> str:
    """Return the text in the language of `known`; what a page says in each of its rows is looked for once."""
    whole = known.said.get(text)
    if whole is not None:
        return _FORMATTER.vformat(whole.translated, (), {})
    for each in known.shapes:
        found = _shape(each.english).fullmatch(text)
        if found is not None:
            return _FORMATTER.vformat(each.translated, (), found.groupdict())
    return text


def _filled(template: str, parameters: Mapping[str, object]) -> str | None:
    """Return the template filled in, or None if it asks for other parameters."""
    try:
        return template.format_map(parameters)
    except (LookupError, ValueError, AttributeError, TypeError):
        return None


@lru_cache(maxsize=2000)
def _shape(template: str) -> re.Pattern[str]:
    """Return what recognises a text that was filled in; the name of a placeholder stands for anything."""
    pattern, end = "", 0
    for found in PLACEHOLDER.finditer(template):
        pattern += _escaped(template[end : found.start()]) + f"(?P<{found.group(1)}>.+?)"
        end = found.end()
    return re.compile(pattern + _escaped(template[end:]), re.DOTALL)


def _escaped(text: str) -> str:
    return re.escape(text.replace("{{", "{").replace("}}", "}"))


class _Name(str):
    """A value that is a name, or a list of names, and stays as it is."""


class _Formatter(Formatter):
    """Formatter of catalogue templates; it also translates service texts among the parameters."""

    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> object:
        """Return the value of a placeholder; a name is marked, so that it is not translated."""
        value = super().get_value(key, args, kwargs)
        is_name = isinstance(value, str) and NAMES.fullmatch(str(key))
        return _Name(value) if is_name else value

    def convert_field(self, value: object, conversion: str | None) -> object:
        """Return a parameter in the reader's language; a quoted parameter is a person's own text and stays."""
        if conversion is None and isinstance(value, str) and not isinstance(value, _Name):
            return service_words(value)
        return super().convert_field(value, cast("Any", conversion))

    def format_field(self, value: object, format_spec: str) -> str:
        """Return a value as it is printed."""
        if format_spec == "," and isinstance(value, int | float):
            return format_decimal(value, locale=locale())
        return str(super().format_field(value, format_spec))


_FORMATTER = _Formatter()
