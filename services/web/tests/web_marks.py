"""Every page that a test of the pages gets is looked through for words that come from no catalogue.

The pages are made with invisible marks around each text of the catalogue, in plain English. What stands outside of them
and is no data is remembered. The marks are taken away before the test sees the page, and so is what isolates people's
texts within a line: `test_web_pseudo_pages.py` looks after it.
"""

import re
from contextlib import suppress
from functools import lru_cache

from babel.support import NullTranslations
from flask import Flask, Response, request
from service_texts import service_texts
from web.kit.catalogues import Catalogue, ServiceTexts
from web.kit.language import ENGLISH, EXTENSION, locale
from web_texts import forgotten, strings_in
from werkzeug.exceptions import HTTPException

START, END = "\ue000", "\ue001"
REDIRECTS = range(300, 400)
WATCHED = "watched"
MARKS = re.compile(
    f"[{START}{END}\u2068\u2069]|</?bdi[^>]*>"
    r'|(?:(?<=<option)|(?<=<code)|(?<=<del)|(?<=<ins)) dir="(?:auto|ltr)" translate="no"'
)


class MarkedTexts(NullTranslations):
    """English, with marks around each text."""

    def ugettext(self, message: str) -> str:
        return _marked(message)

    def ungettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return _marked(msgid1 if n == 1 else msgid2)

    def upgettext(self, context: str, message: str) -> str:
        return message if context == "date pattern" else _marked(message)


def watch(app: Flask) -> None:
    """Look through each page of the app for the platform that `watch_for` named last."""
    app.extensions[EXTENSION][ENGLISH] = Catalogue(MarkedTexts(), marked_service_texts())

    def look(response: Response) -> Response:
        data, found = app.extensions[WATCHED]
        with suppress(HTTPException):
            data.update(request.form.values())
        is_page = response.mimetype == "text/html" and not response.is_streamed
        if not is_page or response.status_code in REDIRECTS or locale() != ENGLISH:
            return response
        marked = response.get_data(as_text=True)
        sent = {*request.args.values(), *request.cookies.values(), *(request.view_args or {}).values()}
        outside = forgotten(marked, {*data, *map(str, sent)}, START, END)
        if outside:
            found.setdefault(f"{request.method} {request.path}", []).extend(outside)
        response.set_data(MARKS.sub("", marked))
        return response

    app.after_request(look)


def watch_for(app: Flask, data: set[str], found: dict[str, list[str]]) -> None:
    """Set what pages may show that comes from no catalogue, and what gets the words that do not, by address."""
    app.extensions[WATCHED] = data, found


@lru_cache
def marked_service_texts() -> ServiceTexts:
    """Return what services say, with marks around it."""
    return ServiceTexts({each.text: _marked(each.text) for each in service_texts()})


def listen(app: Flask, data: set[str]) -> None:
    """Take what a service answers for data."""

    def take(answer: Response) -> Response:
        data.update(strings_in(answer.get_json(silent=True)))
        return answer

    app.after_request(take)


def _marked(text: str) -> str:
    return f"{START}{text}{END}" if any(character.isalpha() for character in text) else text
