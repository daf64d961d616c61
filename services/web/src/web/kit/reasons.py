"""Reasons for actions on other people's work: asked for in a form, kept in the audit log."""

from web.kit import form
from web.kit.language import _
from web.kit.numbers import count
from web.kit.outcomes import Outcome
from web.kit.questions import refusal

LONGEST = 1000


def given_reason(remedy: str) -> Outcome[str]:
    """Return the form's reason, or the problem that there is none or that it is too long."""
    reason = form.text("reason")
    if not reason:
        return Outcome(problem=refusal("reason", _("There is no reason yet."), remedy))
    if len(reason) > LONGEST:
        detail = _("The reason has %(characters)s characters.", characters=count(len(reason)))
        return Outcome(
            problem=refusal("reason", detail, _("Say it in at most %(limit)s.", limit=count(LONGEST)))
        )
    return Outcome(value=reason)
