"""Making pages from templates, with what surrounds every page."""

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from flask import Flask, Response, g, make_response, redirect, render_template, request
from markupsafe import Markup, escape

from web.kit import session
from web.kit.assets import SHEET
from web.kit.dependencies import dependencies
from web.kit.flash_messages import flash_message
from web.kit.language import N_, language_code, language_names, locale
from web.kit.script_messages import script_messages
from web.kit.security import safe_return
from web.kit.sub_path import without_path

HTMX = json.dumps(
    {
        "includeIndicatorStyles": False,
        "defaultSettleDelay": 0,  # else what is shown answers no key for 20 ms
        "attributesToSettle": ["class", "width", "height"],  # the policy refuses `style`
        "allowEval": False,
        "allowScriptTags": False,
        "selfRequestsOnly": True,
        "historyCacheSize": 0,
        "refreshOnHistoryMiss": True,
        "scrollIntoViewOnBoost": False,
        "responseHandling": [
            {"code": "204|304", "swap": False},
            {"code": "...", "swap": True},
        ],
    }
)

MARK, WHOLE, PROBLEM = "Dynabench-Page", "page", "problem"
"""The header by which scripts know a page of ours (`kit/js/answers.js`), and its values."""

JSONL = "application/jsonl"

THEME, PACE, KEYS = "dynabench_theme", "dynabench_pace", "dynabench_keys"
"""Cookies of a person's preferences for the look and the behaviour of pages; the options of each follow."""
KEYS_SHOWN = "shown"
THEMES = {"auto": N_("Auto"), "light": N_("Light"), "dark": N_("Dark")}
WAIT, TIMED, STRAIGHT = "wait", "timed", "straight"
PACES = {WAIT: N_("wait for me"), TIMED: N_("continue after 6 s"), STRAIGHT: N_("continue at once")}


def install(app: Flask) -> None:
    """Give templates what surrounds every page, and mark every page as ours."""
    app.after_request(_mark)
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    app.jinja_env.globals.update(asset=_asset, key=_key, htmx_config=HTMX)
    app.context_processor(_surroundings)


def page(template: str, status: int = 200, **views: Any) -> Response:
    """Return a page."""
    return make_response(render_template(template, **views), status)


def go_to(address: str, done: str | None = None, **query: str) -> Response:
    """Return the redirect after a write, naming what was done so that the next page can say it."""
    chosen = {**query, **({"notice": done} if done else {})}
    join = "&" if "?" in address else "?"
    target = address + (join + urlencode(chosen) if chosen else "")
    return make_response(redirect(target, 303))


def download(pieces: Iterator[bytes], name: str, media_type: str) -> Response:
    """Return the answer that sends a file piece by piece, as a service reads it.

    A failure midway ends the answer without its end, so no browser takes a part for the whole.
    """
    response = Response(pieces, content_type=media_type)
    response.headers.set("Content-Disposition", "attachment", filename=name)
    return response


def _mark(response: Response) -> Response:
    if response.mimetype == "text/html":
        response.headers.setdefault(MARK, WHOLE)
    return response


def is_htmx() -> bool:
    """Return whether htmx sent the request and will put the answer into the page."""
    return request.headers.get("HX-Request") == "true"


def current_address() -> str:
    """Return the address of the page that the person is on, safe to return to."""
    if is_htmx():
        url = request.headers.get("HX-Current-URL", "")
        _, _, rest = url.partition("://")
        return safe_return(without_path("/" + rest.partition("/")[2].partition("#")[0]))
    if request.method == "GET":
        return safe_return(request.full_path.rstrip("?"))
    return safe_return(request.path)


def _asset(name: str) -> str:
    return dependencies().assets.address(name)


def _key(stroke: str) -> Markup:
    """Return a key as it is printed on its button."""
    return Markup("<kbd>") + escape(stroke) + Markup("</kbd>")


def _surroundings() -> dict[str, Any]:
    theme, language = request.cookies.get(THEME, "auto"), locale()
    return {
        "language": language_code(),
        "site_languages": language_names(),
        "is_right_to_left": language.text_direction == "rtl",
        "script_messages": script_messages(),
        "viewer": session.viewer(),
        "theme": theme if theme in THEMES else "auto",
        "themes": THEMES,
        "shows_keys": request.cookies.get(KEYS) == KEYS_SHOWN,
        "sheet": SHEET,
        "script": dependencies().assets.script,
        "preloaded": dependencies().assets.preloaded(),
        "flash_message": flash_message(request.args.get("notice")),
        "address": current_address(),
        "request_id": g.get("request_id", ""),
    }
