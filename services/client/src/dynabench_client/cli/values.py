"""Values of fields on the command line: how they are given, and how they are shown.

`NAME=VALUE` gives a text or a label, `NAME:=JSON` any value, such as `topics:=["economy","sport"]`. A span is
given more easily by its text, which must then stand once in the texts at hand.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

import typer
from dynabench_tasks.strict_json import read_json
from dynabench_tasks.values import Value

from dynabench_client.cli.session import InputError

FORMS = "NAME=TEXT, or NAME:=JSON for any other value; repeated"
InputOption = Annotated[list[str] | None, typer.Option("--input", help=FORMS)]
ContextFieldOption = Annotated[list[str] | None, typer.Option("--context", help=FORMS)]
MetadataOption = Annotated[list[str] | None, typer.Option("--metadata", help=FORMS)]
SpanOption = Annotated[
    list[str] | None,
    typer.Option("--span", help="NAME=TEXT: a span, by words that stand once in the texts; repeated"),
]


def read_values(pairs: Iterable[str], option: str) -> dict[str, Value]:
    """Return the values that `NAME=VALUE` and `NAME:=JSON` give. Raises InputError."""
    return dict(_read_pair(pair, option) for pair in pairs)


def read_value(text: str, option: str) -> Value:
    """Return the value that a JSON text stands for. Raises InputError."""
    try:
        value = read_json(text)
    except ValueError as err:
        raise InputError(
            f"{option} {text!r} is not JSON: {err}.", 'Quote texts: "…", ["a","b"], {…}.'
        ) from err
    if not isinstance(value, str | list | dict):
        raise InputError(f"{option} {text!r} is no value of a field.", 'Write "text", ["a","b"] or {…}.')
    return value


def read_answer(text: str, option: str) -> Value:
    """Return a label as it is, or what a JSON list or object stands for. Raises InputError."""
    return read_value(text, option) if text.lstrip()[:1] in ("[", "{") else text


def read_texts(pairs: Iterable[str], option: str) -> dict[str, str]:
    """Return the texts that `NAME=TEXT` gives. Raises InputError."""
    return dict(_split(pair, option) for pair in pairs)


def find_spans(pairs: Iterable[str], texts: Iterable[object]) -> dict[str, Value]:
    """Return spans given as `NAME=TEXT`, found in the texts, with their code points. Raises InputError."""
    among = [text for text in texts if isinstance(text, str)]
    return {name: _find(words, among) for name, words in (_split(pair, "--span") for pair in pairs)}


def shown(value: object) -> object:
    """Return a value as people read it: a span as its text with its place, an image as what it shows."""
    if isinstance(value, Mapping) and {"start", "end", "text"} <= value.keys():
        return f"“{value['text']}” [{value['start']}, {value['end']})"
    if isinstance(value, Mapping) and "image_id" in value:
        return f"image {value['image_id']}: {value.get('alt', '')}"
    return value


def shown_all(values: Mapping[str, Any]) -> dict[str, object]:
    """Return each value as people read it."""
    return {name: shown(value) for name, value in values.items()}


def _read_pair(pair: str, option: str) -> tuple[str, Value]:
    name, text = _split(pair, option)
    if name.endswith(":"):
        return name[:-1], read_value(text, f"{option} {name[:-1]}")
    return name, text


def _split(pair: str, option: str) -> tuple[str, str]:
    name, equals, text = pair.partition("=")
    if not equals or not name.rstrip(":"):
        raise InputError(f"{option} {pair!r} has no name.", f"Write {option} NAME=VALUE.")
    return name, text


def _find(words: str, texts: list[str]) -> Value:
    times = sum(text.count(words) for text in texts) if words else 0
    if times != 1:
        raise InputError(
            f"--span {words!r} stands {times} times in the texts.",
            'Give more words, or the place itself: --input NAME:=\'{"start": 0, "end": 4, "text": "…"}\'.',
        )
    start = next(text.index(words) for text in texts if words in text)
    return {"start": start, "end": start + len(words), "text": words}
