"""Refusals as people read them: what happened, what to do, and an id to quote."""

from collections.abc import Mapping
from dataclasses import dataclass

from dynabench_client import ProblemError, UnreachableError
from dynabench_common.problems import Problem
from werkzeug.exceptions import HTTPException

from web.kit.form import whole_number
from web.kit.language import N_, _
from web.kit.numbers import seconds
from web.kit.service_words import service_words

UNAVAILABLE_RETRY_SECONDS = 5
WAITING_FOR = {
    "accounts": N_("The service for signing in does not answer."),
    "annotation": N_("The service for playing does not answer."),
    "validation": N_("The service for checking does not answer."),
    "leaderboard": N_("The service for figures does not answer."),
    "scoring": N_("The service for datasets does not answer."),
    "registry": N_("The service for models does not answer."),
    "crowd": N_("The service for campaigns does not answer."),
}
FOR_PEOPLE = {
    "idempotency-key-reused": (
        N_("You sent this form before"),
        N_("What you sent first is saved. What you changed since then is not."),
        N_("Send it again if you want both."),
    ),
    "idempotency-key-in-use": (
        N_("You sent this form twice at once"),
        N_("One of the two is being saved."),
        N_("Send it again to see the result. It is saved once."),
    ),
}
"""Title, detail and remedy by problem code, for refusals that services phrase for programs."""
# The framework's texts for errors that people may see.
FRAMEWORK = {
    *(N_("Bad Request"), N_("The browser (or proxy) sent a request that this server could not understand.")),
    *(N_("Method Not Allowed"), N_("The method is not allowed for the requested URL.")),
    *(N_("Request Entity Too Large"), N_("The data value transmitted exceeds the capacity limit.")),
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
        """Advice on when to try again; empty if waiting does not help."""
        if self.retry_after is None:
            return ""
        return _("Try again in %(wait)s.", wait=seconds(self.retry_after))

    @property
    def is_temporary(self) -> bool:
        """Return whether the same request may succeed later."""
        return self.status in {429, 503}


def problem_view(error: Exception, request_id: str = "") -> ProblemView:
    """Return the view of any error that a route may raise; an unforeseen one gets a general text."""
    if isinstance(error, ProblemError):
        return _of_service(error, request_id)
    if isinstance(error, UnreachableError):
        return _unreachable(error, request_id)
    if isinstance(error, Problem):
        title, detail, remedy = _translated(
            error.slug, error.parameters, error.title, error.detail, error.remedy or ""
        )
        return ProblemView(
            error.status,
            title,
            detail,
            remedy,
            error.field or "",
            error.slug,
            request_id,
            whole_number(error.headers.get("Retry-After", "")),
        )
    if isinstance(error, HTTPException):
        return _of_framework(error, request_id)
    return ProblemView(
        500,
        _("Something went wrong on our side"),
        _("The page could not be made."),
        _("Try again. If it fails again, report the request ID."),
        slug="unexpected",
        request_id=request_id,
    )


def _of_service(error: ProblemError, request_id: str) -> ProblemView:
    retry_after = None if error.retry_after is None else round(error.retry_after)
    if error.status == 503 and retry_after is None:
        retry_after = UNAVAILABLE_RETRY_SECONDS
    remedy = _without_wait(error.remedy) if retry_after else error.remedy or ""
    title, detail, remedy = _translated(error.slug, error.parameters, error.title, error.detail, remedy)
    return ProblemView(
        status=error.status,
        title=title,
        detail=detail,
        remedy=remedy,
        field=form_field(error.field),
        slug=error.slug,
        request_id=error.request_id or request_id,
        retry_after=retry_after,
    )


def _unreachable(error: UnreachableError, request_id: str) -> ProblemView:
    waiting_for = next(
        (words for name, words in WAITING_FOR.items() if f"/api/{name}/" in error.address),
        N_("A service does not answer."),
    )
    return ProblemView(
        503,
        _("Not available right now"),
        _(waiting_for),
        _("Try again in a moment. What you wrote is still in the form."),
        slug="service-unreachable",
        request_id=request_id,
        retry_after=UNAVAILABLE_RETRY_SECONDS,
    )


def _of_framework(error: HTTPException, request_id: str) -> ProblemView:
    status = error.code or 500
    if status == 404:
        return ProblemView(
            404,
            _("Page not found"),
            _("There is nothing at this address."),
            _("Check the address, or start from the list of tasks."),
            slug="not-found",
            request_id=request_id,
        )
    return ProblemView(
        status,
        _of_framework_words(error.name),
        _of_framework_words(error.description or error.name),
        _("Go back and try again."),
        slug=error.name.lower().replace(" ", "-"),
        request_id=request_id,
    )


def _translated(code: str, parameters: Mapping[str, object], *texts: str) -> list[str]:
    """Return title, detail and remedy in the reader's language."""
    if code in FOR_PEOPLE:
        return [_(text) for text in FOR_PEOPLE[code]]
    return [service_words(text, parameters) for text in texts]


def _of_framework_words(text: str) -> str:
    return _(text) if text in FRAMEWORK else text


def form_field(name: str | None) -> str:
    """Return the name that a field of a request body has in our forms."""
    return (name or "").removeprefix("body.")


def _without_wait(remedy: str | None) -> str:
    """Return a remedy without its sentence about waiting, which pages count down themselves."""
    return (remedy or "").partition("Try again in ")[0].strip()
