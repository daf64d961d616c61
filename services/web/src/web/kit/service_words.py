"""Translation of services' texts: problem documents by their parameters, other texts by their shape.

A problem's title, detail and remedy are templates that its service has filled in with the document's parameters. The
template of the catalogue that gives the document's text, filled in with the same parameters, is the right one. A text
that the catalogue lacks, because the service is newer or older, is shown unchanged. No other text ever replaces it.

A text without parameters, such as the reason within a refusal, is recognised by its English words around what is filled
in. `scripts/service_texts.py` makes sure that there are enough of them. A text is recognised whole or not at all.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from string import Formatter
from typing import Any, cast

from babel.numbers import format_decimal

from web.kit.catalogues import PLACEHOLDER, ServiceTexts
from web.kit.language import locale, service_texts

NAMES = re.compile(r"names?\d*|task|target|targets|field|origin|answered|possible|missing|\w+_id", re.ASCII)
"""Placeholders that are filled in with names, or lists of them: data, in which no text is looked for."""
MOST_KEPT = 4_000
LONGEST = 2_000
"""Characters of a text that is looked for: a longer one quotes somebody, and takes long to compare."""


def service_words(text: str, parameters: Mapping[str, object] | None = None) -> str:
    """Return a service's text in the reader's language, or as it is where the catalogue lacks it.

    `parameters` are those of the problem document that has the text.
    """
    known = service_texts()
    if parameters:
        for template in known.templates:
            if _filled(template, parameters) == text:
                return _FORMATTER.vformat(known.translations[template], (), parameters)
    is_looked_for = known.translations and 0 < len(text) <= LONGEST
    return _recognised(known, text) if is_looked_for else text


@lru_cache(maxsize=MOST_KEPT)
def _recognised(known: ServiceTexts, text: str) -> str:
    """Return the text in the language of `known`; what a page has in each of its rows is looked for once."""
    if text in known.plain:
        return known.plain[text]
    for template in known.shapes:
        found = _shape(template).fullmatch(text)
        if found is not None:
            return _FORMATTER.vformat(known.translations[template], (), found.groupdict())
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
        pattern += _escaped(template[end : found.start()]) + f"(?P<{found[1]}>.+?)"
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
