"""The way from a page of work to the training that must come before it."""

from flask import Response, request

from web.kit.problems import ProblemView
from web.kit.rendering import go_to

NEEDED = "onboarding-needed"


def training_first(problem: ProblemView | None, slug: str, activity: str, round_id: str) -> Response | None:
    """Return the redirect to the training if a service asks for it.

    None for a sent form: its page keeps what the person wrote, and links the training.
    """
    if problem is None or problem.slug != NEEDED or request.method != "GET":
        return None
    return go_to(f"/tasks/{slug}/training/{activity}", next=f"/rounds/{round_id}/{activity}")
