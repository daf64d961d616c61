"""A language that nobody speaks: every text accented, a third longer and in brackets, so that what was forgotten shows.

It goes by the code of Esperanto, whose numbers are written in another way than English ones.
"""

import re
from functools import lru_cache
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po
from extract_messages import extracted

CODE = "eo"
OPEN, CLOSE, PADDING = "⟦", "⟧", "·"
LONGER = 0.35
DATE_PATTERN = "date pattern"
ACCENTED = str.maketrans(
    "aceghijlnorsuwyzACEGHIJLNORSUWYZ",
    "áĉéĝĥîĵĺñôŕŝûŵýžÁĈÉĜĤÎĴĹÑÔŔŜÛŴÝŽ",
)
# What stays as it is: what is filled in, tags and entities.
KEPT = re.compile(r"(%\(\w+\)s|%%|(?<!\{)\{\w+[^{}]*\}|<[^>]+>|&\w+;)")


def pseudo(text: str) -> str:
    """Return a text in that language; one without words stays."""
    pieces = KEPT.split(text)
    words = "".join(pieces[::2])
    if not any(character.isalpha() for character in words):
        return text
    pieces[::2] = [piece.translate(ACCENTED) for piece in pieces[::2]]
    return OPEN + "".join(pieces) + PADDING * max(1, round(LONGER * len(words.strip()))) + CLOSE


@lru_cache
def pseudo_catalogue() -> bytes:
    """Return the catalogue of all texts that there are."""
    catalog = Catalog(locale=CODE, charset="utf-8")
    for message in extracted():
        if message.id and message.context != DATE_PATTERN:
            said = pseudo(message.id) if isinstance(message.id, str) else tuple(map(pseudo, message.id))
            catalog.add(message.id, said, context=message.context, flags=message.flags)
    written = BytesIO()
    write_po(written, catalog)
    return written.getvalue()


def write_catalogue(folder: Path) -> Path:
    """Write the catalogue below a folder that adds to the pages, and return the folder."""
    (folder / "locales").mkdir(parents=True, exist_ok=True)
    (folder / "locales" / f"{CODE}.po").write_bytes(pseudo_catalogue())
    return folder
