"""Isolation of people's texts on pages: from the words around them, and from programs that translate pages.

Templates write `{{ task.title|name }}` and, for text in the language of the task, `{{ vote.reason|text }}`. Modules
pass `name(title)` to `_` and `ngettext`, whose sentences are then markup. An attribute can't contain markup. There, the
filter in `{{ sentence|plain }}` isolates by characters, and the element says `translate="no"`.
"""

import re
from collections.abc import Iterable

from flask import Flask, g, has_app_context
from jinja2 import Environment
from markupsafe import Markup, escape

OPENED, CLOSED = "\u2068", "\u2069"
"""The characters that isolate a text where no element can: first strong isolate, pop directional isolate."""
ISOLATED = Markup('dir="auto" translate="no"')
"""The attributes of an element that isolates a person's text."""
SVG = {"dir": "auto", "translate": "no"}
"""The same for texts of drawings; `kit/css` isolates by them what browsers do not."""
LANGUAGE = "task_language"
_ELEMENT = re.compile(r"<(/?)bdi[^>]*>")


def install(app: Flask) -> None:
    """Give the pages' templates what prints people's texts."""
    give(app.jinja_env)


def give(environment: Environment) -> None:
    """Give templates the filters, and the attributes of elements that hold nothing but a person's text."""
    environment.filters.update(name=name, names=names, text=text, plain=plain, stored=stored)
    environment.globals.update(isolated=ISOLATED, isolated_text=_text_attributes)


def name(words: object) -> Markup:
    """Return a name that a person gave, isolated; markup is in print already, and nothing stays nothing."""
    return _isolated(words, ISOLATED)


def names(all_words: Iterable[object], between: str = ", ") -> Markup:
    """Return names in a row, each isolated."""
    return Markup(between).join(map(name, all_words))  # noqa: S704


def text(words: object) -> Markup:
    """Return what a person wrote in the language of the task, isolated."""
    return _isolated(words, _text_attributes())


def stored(words: object) -> Markup:
    """Return a text that browsers show with every code point that is stored: they drop bare carriage returns."""
    return escape(words).replace("\r", Markup("&#13;"))


def plain(words: object) -> Markup:
    """Return a sentence for an attribute or a title, in which characters isolate what elements did."""
    if not hasattr(words, "__html__"):
        return escape(words)
    marked = _ELEMENT.sub(lambda found: CLOSED if found.group(1) else OPENED, str(words))
    return escape(Markup(marked).striptags())  # noqa: S704


def speak(languages: Iterable[str]) -> None:
    """Take note of the languages of the task that the page is about; a text's own is known where there is one."""
    if has_app_context():
        found = tuple(languages)
        setattr(g, LANGUAGE, found[0] if len(found) == 1 else "")


def _text_attributes() -> Markup:
    language = g.get(LANGUAGE, "") if has_app_context() else ""
    return ISOLATED + (Markup(' lang="{}"').format(language) if language else "")


def _isolated(words: object, attributes: Markup) -> Markup:
    if isinstance(words, Markup) or not words:
        return Markup(words or "")  # noqa: S704 - markup, or nothing
    return Markup("<bdi {}>{}</bdi>").format(attributes, stored(words))
