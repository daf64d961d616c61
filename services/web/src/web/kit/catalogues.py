"""Message catalogues: a language is one file, `locales/<language>.po`, in a folder of the pages.

They are read when the pages start, so nothing has to be compiled. A folder on the path that adds to the pages may
add languages too, and replace single texts of one.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from io import BytesIO
from pathlib import Path

from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations

FOLDER = "locales"
PLACEHOLDER = re.compile(r"(?<!\{)\{(\w+)(?:![rs])?(?::(?! )[^{}]*)?\}")
UNNAMED = re.compile(r"\{(?:value|names)1\}")
"""First placeholder of a template that was an f-string: its parameters do not travel with the text."""
SERVICE = "service"
"""Context of the texts that services write."""


class ServiceTexts:
    """Services' texts in one language, by their English text; compared by identity, so that it can be a key."""

    def __init__(self, texts: Mapping[str, str] | None = None) -> None:
        self.translations = dict(sorted((texts or {}).items(), key=_looseness))
        self.templates = tuple(each for each in self.translations if PLACEHOLDER.search(each))
        self.shapes = tuple(filter(UNNAMED.search, self.templates))
        """Templates that are recognised without their parameters."""
        self.plain = {
            english.replace("{{", "{").replace("}}", "}"): translated.replace("{{", "{").replace("}}", "}")
            for english, translated in self.translations.items()
            if not PLACEHOLDER.search(english)
        }


@dataclass(frozen=True)
class Catalogue:
    """The texts of one language; none means that all texts are shown as they are written, in English."""

    translations: NullTranslations
    service_texts: ServiceTexts = field(default_factory=ServiceTexts)


def read_catalogues(folders: Iterable[str]) -> dict[Locale, Catalogue]:
    """Return the languages below these folders.

    Their locales have the script that a file's name leaves out: `zh_CN.po` holds `zh_Hans_CN`. Raises ValueError for
    a file whose name is no code of a language.
    """
    files: dict[str, list[Path]] = {}
    for folder in folders:
        for path in sorted((Path(folder) / FOLDER).glob("*.po")):
            files.setdefault(path.stem, []).append(path)
    return {Locale.parse(code): _read(code, tuple(paths)) for code, paths in files.items()}


@cache
def _read(code: str, paths: tuple[Path, ...]) -> Catalogue:
    """Return the catalogue of a language; a text of a later file replaces that of an earlier one."""
    catalog = Catalog(locale=code)
    for path in paths:
        with path.open("rb") as file:
            for message in read_po(file, locale=code):
                if message.id:
                    catalog.delete(message.id, message.context)
                    catalog[message.id] = message
    compiled = BytesIO()
    write_mo(compiled, catalog)
    compiled.seek(0)
    texts = {
        str(message.id): str(message.string)
        for message in catalog
        if message.context == SERVICE and message.string and not message.fuzzy
    }
    return Catalogue(Translations(compiled), ServiceTexts(texts))


def _looseness(text: tuple[str, str]) -> int:
    """Return a number that sorts templates with the most words of their own first, as the surest to recognise."""
    return -len(PLACEHOLDER.sub("", text[0]))
