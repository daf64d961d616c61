"""Translation: every text that people read on a page passes through these functions.

Templates write `{{ _("Sign in") }}`, `{{ ngettext("%(num)s vote", "%(num)s votes", n) }}` or `{% trans %}`; modules
import `_`, `ngettext`, `pgettext` from here. The English text is the key of the catalogue. A text that a module
keeps in a table is marked there with `N_` (`NC_` with its context) and passed to `_` or `pgettext` where it is shown.

The language is that of the cookie, else the best match for the browser's languages, else English. Babel's own
negotiation compares codes without their scripts, so the choice is made here.
"""

from collections.abc import Mapping, Sequence
from itertools import islice

from babel import Locale, UnknownLocaleError
from babel.core import get_global
from babel.support import NullTranslations
from flask import Flask, Response, current_app, g, has_request_context, request
from flask_babel import Babel, get_locale
from markupsafe import Markup, escape

import web
from web.kit.catalogues import Catalogue, ServiceTexts, read_catalogues

ENGLISH = Locale.parse("en")
COOKIE = "dynabench_language"
EXTENSION = "web-languages"
TEXTS = "texts"
"""The name under which a request keeps the texts of the reader's language."""
SCRIPT = 4
"""Number of letters in the code of a script."""
MOST_ASKED = 20
"""Most languages of a browser that are considered."""
NO_TEXTS = ServiceTexts()


def _(text: str, **parameters: object) -> str:
    """Return a text in the reader's language, its `%(name)s` filled in."""
    return _filled_in(_translations().ugettext(text), parameters)


def ngettext(one: str, many: str, num: int, **parameters: object) -> str:
    """Return the text for that many things, `%(num)s` and the parameters filled in."""
    return _filled_in(_translations().ungettext(one, many, num), {"num": num, **parameters})


def pgettext(context: str, text: str, **parameters: object) -> str:
    """Return a text whose translation depends on where it stands, named by `context`."""
    return _filled_in(_translations().upgettext(context, text), parameters)


def N_(text: str) -> str:  # noqa: N802 - the name that gettext's tools and readers know
    """Return the text as it is: this marks it for the catalogue where it stands in a table."""
    return text


def NC_(context: str, text: str) -> str:  # noqa: N802, ARG001 - the name that gettext's tools and readers know
    """Return the text as it is: this marks it for the catalogue, with its context, where it stands in a table."""
    return text


def capitalised(text: str) -> str:
    """Return a text with its first letter in upper case, after any leading punctuation."""
    for at, character in enumerate(text):
        if character.isalnum():
            return text[:at] + character.upper() + text[at + 1 :]
    return text


def running(text: str) -> str:
    """Return a text for use after other words: in English with its first letter in lower case.

    Elsewhere it stays, since a noun may stand first.
    """
    if locale().language != ENGLISH.language:
        return text
    for at, character in enumerate(text):
        if character.isalnum():
            return text[:at] + character.lower() + text[at + 1 :]
    return text


def install(app: Flask) -> None:
    """Give templates and modules the catalogue of the request's language."""
    english = Catalogue(NullTranslations())
    app.extensions[EXTENSION] = {ENGLISH: english, **read_catalogues(web.__path__)}
    Babel(app, locale_selector=_chosen)
    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]  # by Jinja's extension for texts
        lambda text: _translations().ugettext(text),
        lambda one, many, num: _translations().ungettext(one, many, num),
        newstyle=True,
        pgettext=lambda context, text: _translations().upgettext(context, text),
    )
    app.jinja_env.filters |= {"capitalised": capitalised, "running": running}
    app.after_request(_tell_what_pages_depend_on)


def locale() -> Locale:
    """Return the reader's language with its formats; English outside of a request."""
    found: Locale | None = get_locale()
    return found or ENGLISH


def language_names() -> Mapping[str, str]:
    """Return the code of each language that the pages have, with its name in that language."""
    return {_code(each): capitalised(each.get_display_name(each) or _code(each)) for each in _languages()}


def language_code() -> str:
    """Return the code of the reader's language, as HTML and cookies have it."""
    return _code(locale())


def service_texts() -> ServiceTexts:
    """Return what the reader's catalogue holds of texts that services write; nothing for English."""
    if not has_request_context():
        return NO_TEXTS
    return _languages()[locale()].service_texts


def _filled_in(text: str, parameters: Mapping[str, object]) -> str:
    """Return a text filled in; what is filled in as markup, such as a person's name, makes markup of the whole."""
    if any(isinstance(each, Markup) for each in parameters.values()):
        return escape(text) % parameters
    return text % parameters if parameters else text


def _translations() -> NullTranslations:
    """Return the texts of the reader's language, from the catalogues that were read at the start.

    They are kept for the request, since a page has hundreds of texts. Without a request, texts stay English.
    """
    if not g:
        return NullTranslations()
    found: NullTranslations | None = g.get(TEXTS)
    if found is None:
        found = g.setdefault(TEXTS, _languages()[locale()].translations)
    return found


def _languages() -> Mapping[Locale, Catalogue]:
    languages: Mapping[Locale, Catalogue] = current_app.extensions[EXTENSION]
    return languages


def _code(language: Locale) -> str:
    return str(language).replace("_", "-")


def _chosen() -> Locale:
    languages = list(_languages())
    if len(languages) == 1 or not has_request_context():
        return ENGLISH
    kept = _parsed(request.cookies.get(COOKIE, ""))
    if kept in languages:
        return kept
    asked = islice((code for code, quality in request.accept_languages if quality > 0), MOST_ASKED)
    found = (_closest(each, languages) for each in map(_parsed, asked) if each is not None)
    return next((each for each in found if each), ENGLISH)


def _closest(wanted: Locale, languages: Sequence[Locale]) -> Locale | None:
    """Return the language that somebody reads who reads `wanted`: of that region, or at least in the same script."""
    alike = [each for each in languages if _written(each) == _written(wanted)]
    return wanted if wanted in alike else next(iter(alike), None)


def _written(language: Locale) -> tuple[str, str | None]:
    """Return a language and the script that it is written in, usually where none is named."""
    usual = get_global("likely_subtags").get(language.language, "").split("_")
    return language.language, language.script or next(
        (part for part in usual[1:] if len(part) == SCRIPT), None
    )


def _parsed(code: str) -> Locale | None:
    """Return the locale of a code as browsers write it, or files; None for what is none."""
    try:
        return Locale.parse(code.replace("_", "-"), sep="-")
    except (ValueError, UnknownLocaleError):
        return None


def _tell_what_pages_depend_on(response: Response) -> Response:
    if response.mimetype in ("text/html", "image/svg+xml", "image/png"):
        response.vary.update(("Accept-Language", "Cookie"))
    return response
