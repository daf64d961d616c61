"""Fail if a catalogue lacks a text, keeps one that is gone, or changes the placeholders of one.

Each language of the pages and mails is checked: `services/web/src/web/locales` and `services/accounts/src/accounts/
locales`. `make messages L=de` writes the missing texts into the catalogues of German.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from extract_messages import ACCOUNTS, LOCALES, extracted, mail_texts
from web.kit.catalogues import SERVICE

NAMED = re.compile(r"%\((\w+)\)[a-z]|%%")
BRACED = re.compile(r"\{\{|\}\}|\{[^{}]*\}")
TAG = re.compile(r"</?[a-z][^>]*>")


def faults(path: Path, template: Catalog) -> Iterator[str]:
    """Yield what is wrong with a catalogue, compared with all texts."""
    with path.open("rb") as file:
        catalog = read_po(file, locale=path.stem)
    for message in template:
        if message.id:
            found = catalog.get(message.id, message.context)
            fault = "is missing" if found is None else _fault(found, catalog.num_plurals)
            if fault:
                yield f"{path}: {fault}: {_shown(message)}"
    for message in catalog:
        if message.id and template.get(message.id, message.context) is None:
            yield f"{path}: is no text of the product any more: {_shown(message)}"


def _fault(message: Message, forms: int) -> str | None:
    """Return what is wrong with a translation, or None."""
    translated = [message.string] if isinstance(message.string, str) else list(message.string or ())
    if not translated or not all(translated) or (message.pluralizable and len(translated) != forms):
        return "is not translated"
    if message.fuzzy:
        return "is marked as fuzzy"
    english = message.id if isinstance(message.id, str) else message.id[1]
    # Only the last form, for most numbers, must show the number: “one example” may be all words.
    if _filled_in(english, message.context) != _filled_in(translated[-1], message.context):
        return "has other placeholders or tags"
    return None


def _filled_in(text: str, context: str | None) -> tuple[list[str], list[str]]:
    """Return the placeholders and the tags of a text, sorted; a placeholder with `%` may be repeated."""
    if context == SERVICE:
        return sorted(BRACED.findall(text)), sorted(TAG.findall(text))
    return sorted(set(NAMED.findall(text))), sorted(TAG.findall(text))


def _shown(message: Message) -> str:
    text = message.id if isinstance(message.id, str) else message.id[0]
    return f"{text!r}" + (f" (context {message.context!r})" if message.context else "")


def main() -> int:
    """Check all catalogues, print what is wrong, and return the exit status."""
    kinds = ((LOCALES, extracted()), (ACCOUNTS / "locales", mail_texts()))
    catalogues = [(path, template) for folder, template in kinds for path in sorted(folder.glob("*.po"))]
    found = [fault for path, template in catalogues for fault in faults(path, template)]
    print("\n".join(found) or f"{len(catalogues)} catalogues are complete")
    if found:
        print("Run `make messages L=LANGUAGE`, then translate what it added (docs/extend/text.md).")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
