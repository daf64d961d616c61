"""Collect every text that people read into a template of catalogues, or into a language's own catalogue.

`make messages` writes build/messages.pot. `make messages L=de` also makes or brings up to date the catalogue of German,
services/web/src/web/locales/de.po: new texts wait there for a translation, changed ones are marked as fuzzy.
"""

import sys
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po
from service_texts import ROOT, service_texts
from web.kit.catalogues import SERVICE

PAGES = ROOT / "services" / "web" / "src" / "web"
TEMPLATE = ROOT / "build" / "messages.pot"
LOCALES = PAGES / "locales"
KEYWORDS = {
    "_": None,
    "N_": None,
    "NC_": ((1, "c"), 2),
    "gettext": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
}
METHODS = [("**/tests/**", "ignore"), ("**/vendor/**", "ignore"), ("**.py", "python"), ("**.html", "jinja2")]
OPTIONS = {"**.html": {"newstyle_gettext": "true", "trim_blocks": "true", "lstrip_blocks": "true"}}
ACCOUNTS = ROOT / "services" / "accounts" / "src" / "accounts"
"""The service that writes mails. Their texts have a catalogue of their own, since a service lacks the pages' files."""


def extracted(pages: Path = PAGES) -> Catalog:
    """Return all texts, untranslated."""
    catalog = Catalog(project="Dynabench", charset="utf-8")
    found = extract_from_dir(pages, METHODS, OPTIONS, KEYWORDS, ("Translators:",), strip_comment_tags=True)
    for name, line, message, comments, context in found:
        path = (pages / name).relative_to(ROOT).as_posix() if pages.is_relative_to(ROOT) else name
        catalog.add(message, None, [(path, line)], auto_comments=comments, context=context)
    for each in service_texts():
        catalog.add(each.text, None, [(each.path, each.line)], context=SERVICE)
    return catalog


def mail_texts() -> Catalog:
    """Return the texts of mails, untranslated."""
    catalog = Catalog(project="Dynabench", charset="utf-8")
    for name, line, message, _comments, _context in extract_from_dir(ACCOUNTS, METHODS, OPTIONS, KEYWORDS):
        catalog.add(message, None, [((ACCOUNTS / name).relative_to(ROOT).as_posix(), line)])
    return catalog


def main(languages: list[str]) -> None:
    """Write the template, and the catalogues of the languages."""
    template = extracted()
    TEMPLATE.parent.mkdir(exist_ok=True)
    with TEMPLATE.open("wb") as file:
        write_po(file, template, sort_output=True)
    print(f"{TEMPLATE.relative_to(ROOT)}: {len(template)} texts")
    for language in languages:
        bring_up_to_date(LOCALES / f"{language}.po", language, template)
        bring_up_to_date(ACCOUNTS / "locales" / f"{language}.po", language, mail_texts())


def bring_up_to_date(path: Path, language: str, template: Catalog) -> None:
    """Write a language's catalogue with the texts of the template, keeping its translations."""
    catalog = Catalog(locale=language, project="Dynabench", charset="utf-8")
    if path.exists():
        with path.open("rb") as file:
            catalog = read_po(file, locale=language)
    catalog.update(template)
    path.parent.mkdir(exist_ok=True)
    with path.open("wb") as file:
        write_po(file, catalog, sort_output=True, ignore_obsolete=True, include_lineno=False)
    missing = sum(1 for message in catalog if message.id and not message.string)
    print(f"{path.relative_to(ROOT)}: {missing} without a translation")


if __name__ == "__main__":
    main(sys.argv[1:])
