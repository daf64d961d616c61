"""Which verdict is news: a mark that the try leaves for the page that shows it, and that is gone after that page.

So a fooling has its moment once, also without scripts, and not again when one reloads or comes back to an old try.
"""

from flask import Response, request

from web.kit.dependencies import dependencies

COOKIE = "dynabench_new_try"
SECONDS = 30


def mark_as_new(example_id: str, response: Response) -> None:
    """Leave the mark for the page that the response leads to."""
    _set(response, example_id, SECONDS)


def is_new(example_id: str) -> bool:
    """Tell whether the try was made just now and not shown yet."""
    return request.cookies.get(COOKIE) == example_id


def clear_mark(response: Response) -> None:
    """Take the mark away, if there is one."""
    if COOKIE in request.cookies:
        _set(response, "", 0)


def _set(response: Response, value: str, seconds: int) -> None:
    secure = dependencies().settings.has_secure_origin
    response.set_cookie(
        COOKIE, value, max_age=seconds, path="/rounds", httponly=True, samesite="Lax", secure=secure
    )
