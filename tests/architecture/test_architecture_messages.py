"""`scripts/check_messages.py` names what a catalogue lacks, and what it has too much."""

import sys
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po
from dynabench_local.layout import checkout

sys.path.insert(0, str(checkout() / "scripts"))
from check_messages import faults

ONE_OR_MORE = ("%(num)s vote of %(name)s", "%(num)s votes of %(name)s")


@pytest.mark.parametrize(
    ("text", "context", "translation", "fault"),
    [
        ("Sign in", None, "Anmelden", None),
        ("Sign in", None, "", "is not translated"),
        ("By %(name)s", None, "Von %(name)s, %(name)s", None),
        ("By %(name)s", None, "Von %(person)s", "has other placeholders or tags"),
        ("By %(name)s", None, "Von jemandem", "has other placeholders or tags"),
        ("Read <a>this</a>", None, "Lies dies", "has other placeholders or tags"),
        ("No such {what}", "service", "{what} gibt es nicht", None),
        ("It has {size:,} bytes.", "service", "Es hat {size} Bytes.", "has other placeholders or tags"),
        (ONE_OR_MORE, None, ("Eine Stimme von %(name)s", "%(num)s Stimmen von %(name)s"), None),
        (
            ONE_OR_MORE,
            None,
            ("Eine Stimme von %(name)s", "Stimmen von %(name)s"),
            "has other placeholders or tags",
        ),
        (ONE_OR_MORE, None, ("Eine Stimme von %(name)s", ""), "is not translated"),
    ],
)
def test_a_translation_says_what_the_text_says(
    text: str | tuple[str, str],
    context: str | None,
    translation: str | tuple[str, str],
    fault: str | None,
    tmp_path: Path,
) -> None:
    template, catalog = Catalog(), Catalog(locale="de")
    template.add(text, context=context)
    catalog.add(text, translation, context=context)
    found = "".join(faults(written(catalog, tmp_path), template))
    assert fault in found if fault else not found


def test_what_is_missing_and_what_is_gone_are_named(tmp_path: Path) -> None:
    template, catalog = Catalog(), Catalog(locale="de")
    template.add("New")
    catalog.add("Old", "Alt")
    catalog.add("Guessed", "Geraten", flags=["fuzzy"])
    template.add("Guessed")
    found = "\n".join(faults(written(catalog, tmp_path), template))
    assert "is missing: 'New'" in found
    assert "is no text of the product any more: 'Old'" in found
    assert "is marked as fuzzy: 'Guessed'" in found


def written(catalog: Catalog, folder: Path) -> Path:
    """Write a catalogue as its file, and return the path."""
    path = folder / "de.po"
    with path.open("wb") as file:
        write_po(file, catalog)
    return path
