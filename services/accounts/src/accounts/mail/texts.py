"""The texts of mails in each language that has a catalogue, `locales/<language>.po`; `make messages` collects them."""

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import Translations

LOCALES = Path(__file__).resolve().parents[1] / "locales"


def N_(text: str) -> str:  # noqa: N802 - the name that gettext's tools and readers know
    """Return the text as it is: this marks it for the catalogue."""
    return text


class CatalogueTexts:
    """Reads the catalogues once; English needs none."""

    def __init__(self, folder: Path = LOCALES) -> None:
        self._languages: Mapping[str, Translations] = {
            path.stem.replace("_", "-").lower(): _read(path) for path in sorted(folder.glob("*.po"))
        }

    def say(self, language: str, text: str) -> str:
        """Return a text in a language or, without it, in that language anywhere; else as it is."""
        code = language.replace("_", "-").lower()
        found = self._languages.get(code) or self._languages.get(code.partition("-")[0])
        return str(found.ugettext(text)) if found else text


def _read(path: Path) -> Translations:
    compiled = BytesIO()
    with path.open("rb") as file:
        write_mo(compiled, read_po(file, locale=path.stem))
    compiled.seek(0)
    return Translations(compiled)
