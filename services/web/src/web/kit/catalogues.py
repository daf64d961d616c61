"""Message catalogues: a language is one file, `locales/<language>.po`, in a folder of the pages.

They are read when the pages start, so nothing has to be compiled. A folder on the path that adds to the pages may
add languages too.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations

FOLDER = "locales"
PLACEHOLDER = re.compile(r"(?<!\{)\{(\w+)[^{}]*\}")
SERVICE = "service "
"""Prefix of a catalogue context of service texts; a problem's code follows, or `SAID`."""
SAID = "(said)"


@dataclass(frozen=True)
class ServiceText:
    """A text that services write: a template, and its translation.

    `code` is that of the problems it belongs to, in which `*` stands for anything, or `SAID`.
    """

    code: str
    english: str
    translated: str


class ServiceTexts:
    """Services' texts in one language; compared by identity, so that it can be a key."""

    def __init__(self, texts: Iterable[ServiceText] = ()) -> None:
        ordered = sorted(texts, key=_looseness)
        self.of_problems = tuple(each for each in ordered if each.code != SAID)
        self.said = {
            each.english.replace("{{", "{").replace("}}", "}"): each
            for each in ordered
            if each.code == SAID and not PLACEHOLDER.search(each.english)
        }
        """Texts without placeholders, by the English text that a service sends."""
        self.shapes = tuple(
            each for each in ordered if each.code == SAID and PLACEHOLDER.search(each.english)
        )

    def __bool__(self) -> bool:
        """Tell whether there is any."""
        return bool(self.of_problems or self.said or self.shapes)


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
    paths = sorted(path for folder in folders for path in (Path(folder) / FOLDER).glob("*.po"))
    return {Locale.parse(path.stem): _read(path) for path in paths}


def _read(path: Path) -> Catalogue:
    with path.open("rb") as file:
        catalog = read_po(file, locale=path.stem)
    compiled = BytesIO()
    write_mo(compiled, catalog)
    compiled.seek(0)
    return Catalogue(Translations(compiled), ServiceTexts(_service_texts(catalog)))


def _service_texts(catalog: Catalog) -> Iterator[ServiceText]:
    for message in catalog:
        context, text, translated = message.context or "", message.id, message.string
        if context.startswith(SERVICE) and translated and not message.fuzzy:
            yield ServiceText(context.removeprefix(SERVICE), str(text), str(translated))


def _looseness(text: ServiceText) -> int:
    """Return a number by which those come first that say most themselves, and so are recognised with most certainty."""
    return -len(PLACEHOLDER.sub("", text.english))
