"""Why somebody does something to others' work: asked for in a form, kept in the audit log."""

from web.kit import form
from web.kit.outcomes import Outcome
from web.kit.questions import refusal

LONGEST = 1000


def given_reason(remedy: str) -> Outcome[str]:
    """Return the form's reason, or the problem that there is none or that it is too long."""
    reason = form.text("reason")
    if not reason:
        return Outcome(problem=refusal("reason", "There is no reason yet.", remedy))
    if len(reason) > LONGEST:
        detail = f"The reason has {len(reason):,} characters."
        return Outcome(problem=refusal("reason", detail, f"Say it in at most {LONGEST:,}."))
    return Outcome(value=reason)
