"""Marked texts of people: the fake platform prints them in wide letters, so that tests recognise them on a page.

Wide letters (`ａ` for `a`) keep lengths and places, and nothing else on a page has them. What comes back in them is
narrow again before the platform reads it.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from html.parser import HTMLParser
from io import BytesIO
from string import ascii_letters
from typing import Any
from urllib.parse import unquote

from web_fake_platform import FakePlatform
from web_pseudo import OPEN
from web_texts import VOID, strings_in

WIDE = {ord(letter): ord(letter) + 0xFEE0 for letter in ascii_letters}
NARROW = {wide: narrow for narrow, wide in WIDE.items()}
FOUND = re.compile("[Ａ-Ｚａ-ｚ]")
NAMES = {
    *("actor_name", "user_name", "title", "task_title", "dataset_title", "dataset_name", "display_name"),
    *("target", "targets", "model", "models", "labels", "label", "options", "claimed", "option", "corrected"),
    *("tag", "tags", "test", "capability", "first", "second", "golds", "token", "serving_name"),
}
TEXTS = {
    *("description", "instructions", "tips", "because", "why", "message", "words", "example", "explanation"),
    *("model_said", "answer", "content_warning", "content_notice"),
}
WHOLE = {"input", "fields", "context", "instance", "explanations", "card"}
"""Keys under which everything is a person's."""
REASONS = {"actor_name", "option", "deleted_as"}
"""Keys of an object whose `reason` a person wrote; other reasons come from a service."""
RESERVED = {
    *("", "flag", "unsure", "prompt", "text", "label", "passage", "premise", "question"),
    *("optional", "required_when_fooled", "multiclass", "multilabel", "span", "string", "assigned", "chosen"),
    *("contact", "languages", "licence", "en", "de", "hypothesis", "title", "topics", "answer"),
    *("round_ended", "nothing_left", "handed_in_there"),
}
"""Words of the platform that stand under such a key."""
SHOWN_ATTRIBUTES = {"title", "aria-label", "placeholder", "alt", "data-waits-for", "content", "label"}
TRANSLATED = {"title", "placeholder", "alt"}
ISOLATES = re.compile("\u2068[^\u2069]*\u2069")
HELD_BY_SCRIPTS = {"script", "style", "template"}


def print_wide(fake: FakePlatform) -> None:
    """Have the platform print what people wrote in wide letters from now on."""
    inner, known = fake._server.app, set[str]()

    def app(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        for name in ("PATH_INFO", "QUERY_STRING"):
            environ[name] = _narrow_address(name, environ[name])
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        body = _narrowed(body)
        environ |= {"wsgi.input": BytesIO(body), "CONTENT_LENGTH": str(len(body))}
        began: list[Any] = []
        start: Any = lambda *args: began.extend(args[:2])  # noqa: E731
        content = b"".join(inner(environ, start))
        headers = dict(began[1])
        if "json" in headers.get("Content-Type", ""):
            document = json.loads(content or b"null")
            known.update(each for each in peoples_texts(document) if each not in RESERVED)
            document = widened(document, known)
            fake.data.update(strings_in(document))
            content = json.dumps(document).encode()
            began[1] = [(name, value) for name, value in began[1] if name != "Content-Length"]
            began[1].append(("Content-Length", str(len(content))))
        start_response(*began)
        return [content]

    fake._server.app = app


def _narrow_address(name: str, value: str) -> str:
    """Return an address as the platform knows it; WSGI hands paths over as Latin-1."""
    if name == "QUERY_STRING":
        return re.sub(
            r"(%EF%BC%[0-9A-F]{2}|%EF%BD%[0-9A-F]{2})+",
            lambda found: unquote(found.group()).translate(NARROW),
            value,
        )
    return value.encode("latin-1").decode().translate(NARROW).encode().decode("latin-1")


def _narrowed(body: bytes) -> bytes:
    try:
        return json.dumps(json.loads(body), ensure_ascii=False).translate(NARROW).encode() if body else body
    except ValueError:
        return body


def peoples_texts(document: object) -> Iterator[str]:
    """Yield the texts in an answer that people wrote."""
    if isinstance(document, list):
        yield from (each for part in document for each in peoples_texts(part))
    elif isinstance(document, Mapping):
        for key, value in document.items():
            if key == "title" and "type" in document:
                continue  # a problem's, which a service wrote
            is_reason = key == "reason" and bool(REASONS & document.keys())
            if (key in WHOLE and isinstance(value, Mapping)) or key in NAMES | TEXTS or is_reason:
                yield from _values(value)
            if key == "appeal" and isinstance(value, Mapping):
                yield value["reason"]
            yield from peoples_texts(value)


def _values(value: object) -> Iterator[str]:
    """Yield the texts of a value, without its keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        yield from (each for part in value for each in _values(part) if isinstance(part, str))
    elif isinstance(value, Mapping):
        yield from (each for part in value.values() for each in _values(part))


def widened(document: object, known: set[str]) -> Any:
    """Return an answer with the known texts in wide letters, wherever one stands as a whole."""
    if isinstance(document, str):
        return document.translate(WIDE) if document in known else document
    if isinstance(document, list):
        return [widened(each, known) for each in document]
    if isinstance(document, Mapping):
        return {widened(key, known): widened(value, known) for key, value in document.items()}
    return document


class _Reader(HTMLParser):
    """Finds people's texts that are not isolated.

    Isolated is what stands in an element with `dir` and `translate="no"` that holds no text of the catalogue.
    """

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._open: list[tuple[str, dict[str, str], list[str]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        holders = [*(each[1] for each in self._open), given]
        is_kept = any(each.get("translate") == "no" for each in holders)
        for name in SHOWN_ATTRIBUTES & given.keys():
            value = given[name]
            is_mixed = OPEN in value and FOUND.search(ISOLATES.sub("", value))
            is_changed = name in TRANSLATED and FOUND.search(value) and not is_kept
            if "<bdi" in value or is_mixed or is_changed:
                self.found.append(f'<{tag} {name}="{value}">')
        is_field = tag == "textarea" or (
            tag == "input" and given.get("type", "text") in {"text", "search"} and "readonly" not in given
        )
        if is_field and given.get("dir") != "auto" and given.get("translate") != "no":
            self.found.append(f"<{tag} name={given.get('name')!r}> without dir")
        if tag not in VOID:
            self._open.append((tag, given, []))

    def handle_endtag(self, tag: str) -> None:
        if tag in (each[0] for each in self._open):
            while self._open[-1][0] != tag:
                self._close()
            self._close()

    def _close(self) -> None:
        tag, _given, texts = self._open.pop()
        said = "".join(texts)
        if FOUND.search(said) and OPEN in said and tag not in {"title", "option", "pre", "code"}:
            self.found.append(f"<{tag}> mixes: {said}")

    def handle_data(self, data: str) -> None:
        if any(each[0] in HELD_BY_SCRIPTS for each in self._open):
            return
        for tag, given, texts in reversed(self._open):
            if "dir" in given and (tag == "textarea" or given.get("translate") == "no"):
                texts.append(data)
                break
        else:
            if FOUND.search(data):
                at = " ".join(
                    each[0] + "".join(f".{name}" for name in each[1].get("class", "").split())
                    for each in self._open[-4:]
                )
                self.found.append(f"{at}: {' '.join(data.split())}")
        if "<bdi" in data:
            self.found.append(f"tags as text: {data}")


def unisolated(page: str) -> list[str]:
    """Return the texts of people that are printed as if they were the page's own."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    return reader.found
