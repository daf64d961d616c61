"""Release of a round as a dataset: preview, request and progress."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from dynabench_client.results.datasets import Release
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, make_response, render_template, request
from werkzeug.datastructures import MultiDict

from web.kit.dependencies import platform
from web.kit.form import whole_number
from web.kit.language import _
from web.kit.numbers import count
from web.kit.outcomes import Outcome, attempt, optional
from web.kit.owned_round import OwnedRound, owned_round
from web.kit.problems import ProblemView
from web.kit.questions import refusal
from web.kit.rendering import go_to, is_htmx, page
from web.releases.view import progress_view, release_view

LICENCES = ("CC-BY-4.0", "CC-BY-SA-4.0", "CC-BY-NC-4.0", "CC0-1.0", "MIT")
DEFAULTS = {"dev": "0.1", "test": "0.1", "seed": "0", "licence": LICENCES[0], "description": ""}
NO_SPLITS = {"dev": "0", "test": "0"}
LARGEST_SEED = 2**31 - 1
PROGRESS_SECONDS = 2

blueprint = Blueprint("releases", __name__, url_prefix="/tasks/<slug>/rounds/<int:number>")


@dataclass(frozen=True)
class Sizes:
    """Sizes of the splits: counts, or shares under 1."""

    dev: float
    test: float
    seed: int


@blueprint.get("/release")
@requires(Permission.RELEASE_ROUND)
def get_release_form(slug: str, number: int) -> Response:
    """Preview a release with the requested sizes."""
    return _release_page(owned_round(Permission.RELEASE_ROUND, slug, number), request.args)


@blueprint.post("/release")
@requires(Permission.RELEASE_ROUND)
def post_release(slug: str, number: int) -> Response:
    """Request the release."""
    owned = owned_round(Permission.RELEASE_ROUND, slug, number)
    outcome = _release(owned)
    if outcome.value is None:
        return _release_page(owned, request.form, outcome.problem)
    return go_to(owned.address("releases", outcome.value.release_id))


@blueprint.get("/releases/<uuid:release_id>")
@requires(Permission.RELEASE_ROUND)
def get_release(slug: str, number: int, release_id: UUID) -> Response:
    """Show the progress of a release and, once it is built, the link to its dataset."""
    owned = owned_round(Permission.RELEASE_ROUND, slug, number)
    found = platform().datasets.release_state(str(release_id))
    return page(
        "releases/page.html", **owned.views(), release=progress_view(found), progress_seconds=PROGRESS_SECONDS
    )


@blueprint.get("/releases/<uuid:release_id>/progress")
@requires(Permission.RELEASE_ROUND)
def get_progress(slug: str, number: int, release_id: UUID) -> Response:
    """Send only the progress to the waiting page: 304 without a change, the whole page once it is done."""
    owned = owned_round(Permission.RELEASE_ROUND, slug, number)
    found = platform().datasets.release_state(str(release_id))
    if found.is_finished and is_htmx():
        return make_response("", 200, {"HX-Refresh": "true"})
    text = render_template("releases/progress.html", **owned.views(), release=progress_view(found))
    response = make_response(text)
    response.add_etag()
    response.make_conditional(request)
    return response


def _release(owned: OwnedRound) -> Outcome[Release]:
    sizes = _sizes(request.form, _defaults(owned))
    if sizes.value is None:
        return Outcome(problem=sizes.problem)
    chosen = sizes.value
    return attempt(
        lambda: platform().datasets.release(
            owned.round_id,
            dev=chosen.dev,
            test=chosen.test,
            seed=chosen.seed,
            licence=request.form.get("licence", "").strip() or None,
            accept_unresolved=_is_ticked(request.form, "accept_unresolved"),
            explanations=_is_ticked(request.form, "explanations"),
            description=request.form.get("description", "").strip() or None,
        )
    )


def _release_page(
    owned: OwnedRound, given: MultiDict[str, str], problem: ProblemView | None = None
) -> Response:
    defaults = _defaults(owned)
    sizes = _sizes(given, defaults)
    accepts, explains = _is_ticked(given, "accept_unresolved"), _is_ticked(given, "explanations")
    preview = None
    problem = problem or sizes.problem
    if sizes.value is not None:
        chosen = sizes.value
        asked = attempt(
            lambda: platform().datasets.preview_release(
                owned.round_id,
                dev=chosen.dev,
                test=chosen.test,
                seed=chosen.seed,
                accept_unresolved=accepts,
                explanations=explains,
            )
        )
        problem = problem or asked.problem
        waiting = optional(lambda: platform().validation.counts(owned.round_id))
        preview = asked.value and release_view(asked.value, waiting)
    return page(
        "releases/form.html",
        problem.status if problem else 200,
        **owned.views(),
        preview=preview,
        given={name: given.get(name, default) for name, default in defaults.items()},
        accepts=accepts,
        explains=explains,
        licences=LICENCES,
        is_public_at_once=_is_public_at_once(owned),
        problem=problem,
    )


def _defaults(owned: OwnedRound) -> dict[str, str]:
    """Return what the form begins with: an imported round has its own licence, a public one no dev and no test."""
    return {
        **DEFAULTS,
        **({"licence": ""} if owned.round.origin else {}),
        **(NO_SPLITS if _is_public_at_once(owned) else {}),
    }


def _is_public_at_once(owned: OwnedRound) -> bool:
    """Return whether anybody can read the round's confirmed errors before its release."""
    return not owned.round.origin and owned.task.configuration.get("public_examples") == "at_once"


def _is_ticked(given: MultiDict[str, str], name: str) -> bool:
    return given.get(name) == "1"


def _sizes(given: MultiDict[str, str], defaults: Mapping[str, str]) -> Outcome[Sizes]:
    """Return the sizes in a form, or the unreadable ones."""
    sizes = {}
    for name in ("dev", "test"):
        size = _number(given.get(name, "").strip() or defaults[name])
        if size is None or size < 0 or (size >= 1 and size != int(size)):
            reason = _("The size of %(split)s is not valid.", split=name)
            remedy = _("Give a share under 1, such as 0.1, or a whole number of examples.")
            return Outcome(problem=refusal(name, reason, remedy))
        sizes[name] = size
    seed = whole_number(given.get("seed", "").strip() or defaults["seed"], most_digits=10)
    if seed is None or seed > LARGEST_SEED:
        remedy = _("Give a whole number from 0 to %(largest)s.", largest=count(LARGEST_SEED))
        return Outcome(problem=refusal("seed", _("The seed is not valid."), remedy))
    return Outcome(value=Sizes(sizes["dev"], sizes["test"], seed))


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if number < float("inf") else None
