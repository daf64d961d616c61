"""Reading the forms of our pages, which anybody may send with anything in them."""

import json
import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import unquote_to_bytes
from uuid import uuid4

from dynabench_common.problems import Problem
from flask import Flask, request

from web.kit.language import _

KEY = re.compile(r"[\x21-\x7e]{1,200}")
ID = re.compile(r"[0-9a-f-]{32,36}")
SHOWN_AS_TEXT = 3
UNSHOWN = {
    "key",
    "shown",
    "kind",
    "hint_shown",
    "action",
    "choice",
    "next",
    "back",
    "cursor",
    "template",
    "sequence",
}
UNSHOWN |= {"pressed", "resume", "user_name", "password", "current_password", "new_password", "token"}
UNSHOWN |= {
    "work",
    "platform",
    "currency",
    "category",
    "state",
    "total_minor",
    "decision",
    "pasted_characters",
}
URL_ENCODED = "application/x-www-form-urlencoded"


def install(app: Flask) -> None:
    """Refuse forms that are no text, in which the framework would put other characters without a word."""
    app.before_request(_refuse_what_is_no_text)


def whole_number(written: str, most_digits: int = 7) -> int | None:
    """Return the number that a text writes in digits from 0 to 9; None for another text, or one with more digits."""
    is_number = written.isascii() and written.isdigit() and len(written) <= most_digits
    return int(written) if is_number else None


def hidden_json(written: str) -> Any:
    """Return the value of a JSON text from a hidden control or a cookie.

    Returns None for an empty or invalid text, and for one that UTF-8 can't hold, such as half of a surrogate pair.
    """
    try:
        value = json.loads(written) if written else None
        json.dumps(value, ensure_ascii=False).encode()
        return value
    except (ValueError, RecursionError):
        return None


def key() -> str:
    """Return the form's Idempotency-Key; a fresh one in place of what no form of ours holds."""
    given = request.form.get("key", "")
    return given if KEY.fullmatch(given) else uuid4().hex


def text(name: str) -> str:
    """Return a text without the blanks around it."""
    return request.form.get(name, "").strip()


def entered() -> dict[str, list[str]]:
    """Return what the form holds of fields, by control; those of the page itself have no dot in their names."""
    return {name: values for name, values in request.form.lists() if "." in name}


def _refuse_what_is_no_text() -> None:
    if request.mimetype != URL_ENCODED:
        return
    try:
        unquote_to_bytes(request.get_data(cache=True)).decode("utf-8")
    except UnicodeDecodeError as err:
        raise Problem(
            400,
            "form-not-utf8",
            _("Unreadable form"),
            _("What was sent is not valid UTF-8, so nothing was done."),
            field="form",
            remedy=_("Write the text again and send it from the page."),
        ) from err


def texts_of(fields: Iterable[tuple[str, str]]) -> list[str]:
    """Return what a person wrote among the fields of a form: not what the page itself put there, nor short choices."""
    return [
        text
        for name, text in fields
        if len(text.strip()) > SHOWN_AS_TEXT and name not in UNSHOWN and not ID.fullmatch(text)
    ]


def sent_texts() -> list[str]:
    """Return what a person wrote in the form that this request holds, for a page that can't show the form again."""
    return texts_of(request.form.items(multi=True)) if request.method == "POST" else []
