"""The sign-in form, and the posted form that it carries along: one that met the end of a session.

What is carried is offered again after signing in, never sent by itself: another person might have signed in.
"""

from dataclasses import dataclass
from urllib.parse import urlencode

from flask import Response, request

from web.kit.problems import ProblemView
from web.kit.rendering import page
from web.kit.return_address import HOME, safe_return

NEVER_CARRIED = {"password", "current_password", "new_password", "token"}


@dataclass(frozen=True)
class CarriedForm:
    """A form on its way through the sign-in form: the address that it was sent to, and its fields as one text."""

    path: str = ""
    fields: str = ""

    @property
    def is_there(self) -> bool:
        """Tell whether there is something to go on with."""
        return self.path != HOME and bool(self.fields)


def sent_form() -> CarriedForm:
    """Return the form that this request holds, to be carried."""
    fields = [pair for pair in request.form.items(multi=True) if pair[0] not in NEVER_CARRIED]
    return CarriedForm(safe_return(request.path), urlencode(fields))


def carried_form() -> CarriedForm:
    """Return what this request's sign-in form carries."""
    return CarriedForm(safe_return(request.form.get("resume_path")), request.form.get("resume_form", ""))


def sender_address() -> str | None:
    """Return where the person is, as the edge saw it: tries are counted by it."""
    return request.headers.get("X-Forwarded-For") or request.remote_addr


def sign_in_page(
    status: int,
    return_to: str,
    carried: CarriedForm,
    *,
    problem: ProblemView | None = None,
    user_name: str = "",
    expired: bool = False,
) -> Response:
    """Return the sign-in form, which leads to `return_to` or to the page of the carried form."""
    return page(
        "kit/sign_in.html",
        status,
        next=return_to,
        user_name=user_name,
        problem=problem,
        expired=expired,
        resume_path=carried.path if carried.fields else "",
        resume_form=carried.fields,
    )
