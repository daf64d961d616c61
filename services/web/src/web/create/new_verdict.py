"""Mark of a new verdict: the response to a try sets it, and the page that shows the verdict removes it.

So a fooling is celebrated once, also without scripts. A reload, or a later visit to an old try, does not repeat it.
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
