"""Refusals as people read them: what happened, what to do, and an id to quote."""

from dataclasses import dataclass

from dynabench_client import ProblemError, UnreachableError
from dynabench_common.problems import Problem
from werkzeug.exceptions import HTTPException

from web.kit.numbers import seconds

UNAVAILABLE_RETRY_SECONDS = 5
SERVICES = {
    "accounts": "sign-in",
    "annotation": "creating examples",
    "validation": "validation",
    "leaderboard": "the figures",
    "scoring": "the datasets",
}


@dataclass(frozen=True)
class ProblemView:
    """A refusal, above a form or as a whole page. `field` names the form field at fault."""

    status: int
    title: str
    detail: str
    remedy: str = ""
    field: str = ""
    slug: str = ""
    request_id: str = ""
    retry_after: int | None = None

    @property
    def wait(self) -> str:
        """What to wait for, in words; empty when waiting does not help."""
        return "" if self.retry_after is None else f"Try again in {seconds(self.retry_after)}."

    @property
    def is_temporary(self) -> bool:
        """Tell whether the same request may succeed later."""
        return self.status in {429, 503}


def problem_view(error: Exception, request_id: str = "") -> ProblemView:
    """Return the view of any error that a route may end in; what nobody foresaw says only that."""
    if isinstance(error, ProblemError):
        return _of_service(error, request_id)
    if isinstance(error, UnreachableError):
        return _unreachable(error, request_id)
    if isinstance(error, Problem):
        return ProblemView(
            error.status,
            error.title,
            error.detail,
            error.remedy or "",
            error.field or "",
            error.slug,
            request_id,
            _whole(error.headers.get("Retry-After")),
        )
    if isinstance(error, HTTPException):
        return _of_framework(error, request_id)
    return ProblemView(
        500,
        "Something broke on our side",
        "The page could not be made.",
        "Try again; if it stays, report the request id.",
        slug="unexpected",
        request_id=request_id,
    )


def _of_service(error: ProblemError, request_id: str) -> ProblemView:
    retry_after = None if error.retry_after is None else round(error.retry_after)
    if error.status == 503 and retry_after is None:
        retry_after = UNAVAILABLE_RETRY_SECONDS
    return ProblemView(
        status=error.status,
        title=error.title,
        detail=error.detail,
        remedy=_without_wait(error.remedy) if retry_after else error.remedy or "",
        field=form_field(error.field),
        slug=error.slug,
        request_id=error.request_id or request_id,
        retry_after=retry_after,
    )


def _unreachable(error: UnreachableError, request_id: str) -> ProblemView:
    service = next(
        (words for name, words in SERVICES.items() if f"/api/{name}/" in error.address), "a service"
    )
    return ProblemView(
        503,
        "Not available just now",
        f"We are waiting for {service}: it does not answer.",
        "What you wrote is still in the form.",
        slug="service-unreachable",
        request_id=request_id,
        retry_after=UNAVAILABLE_RETRY_SECONDS,
    )


def _of_framework(error: HTTPException, request_id: str) -> ProblemView:
    status = error.code or 500
    if status == 404:
        return ProblemView(
            404,
            "There is no such page",
            "Nothing is at this address.",
            "Check the address, or start from the list of tasks.",
            slug="not-found",
            request_id=request_id,
        )
    return ProblemView(
        status,
        error.name,
        error.description or error.name,
        "Go back and try again.",
        slug=error.name.lower().replace(" ", "-"),
        request_id=request_id,
    )


def form_field(name: str | None) -> str:
    """Return the name that a field of a request body has in our forms."""
    return (name or "").removeprefix("body.")


def _without_wait(remedy: str | None) -> str:
    """Return a remedy without its sentence about waiting, which pages count down themselves."""
    return (remedy or "").partition("Try again in ")[0].strip()


def _whole(text: str | None) -> int | None:
    return int(text) if text is not None and text.isdigit() else None
