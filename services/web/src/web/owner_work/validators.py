"""Page of a task's validators: their accuracy, the paused ones, and pairs who agree beyond chance."""

from functools import partial
from uuid import UUID

from dynabench_client.results.annotation import Round, Task
from dynabench_common.auth.permissions import Permission, ensure, requires
from flask import Blueprint, Response, request

from web.kit.configuration import task_rules
from web.kit.dependencies import platform
from web.kit.language import _
from web.kit.outcomes import attempt, optional
from web.kit.problems import ProblemView
from web.kit.rendering import go_to, page
from web.kit.round_actions import given_reason
from web.kit.rounds import round_view
from web.owner_work.validators_view import one_author_rows, pair_rows, validator_rows

PAGE = 25

blueprint = Blueprint("validators", __name__, url_prefix="/tasks/<slug>/validators")


@blueprint.get("")
@requires(Permission.READ_VALIDATORS)
def get_validators(slug: str) -> Response:
    """List the validators, and the pairs of one round."""
    ensure(Permission.READ_VALIDATORS, task=slug)
    return _validators_page(platform().annotation.task(slug))


@blueprint.post("/<uuid:voter_id>")
@requires(Permission.READ_VALIDATORS)
def post_validator(slug: str, voter_id: UUID) -> Response:
    """Pause a validator, or let them vote again; either answers their appeal."""
    ensure(Permission.READ_VALIDATORS, task=slug)
    task = platform().annotation.task(slug)
    state = "paused" if request.form.get("state") == "paused" else "active"
    reason = given_reason(_("Give a reason, for the person and the audit log."))
    if reason.value is None:
        return _validators_page(task, reason.problem, str(voter_id))
    said = reason.value
    outcome = attempt(lambda: platform().validation.set_validator(slug, str(voter_id), state, said))
    if outcome.value is None:
        return _validators_page(task, outcome.problem, str(voter_id))
    return go_to(f"/tasks/{task.slug}/validators", f"validator-{state}")


def chosen_round(task: Task) -> Round | None:
    """Return the round in the address, else the newest round that can have votes."""
    started = started_rounds(task)
    named = next((each for each in started if each.round_id == request.args.get("round")), None)
    return named or next(iter(started), None)


def started_rounds(task: Task) -> list[Round]:
    """Return the rounds that can have votes, the newest first."""
    return [each for each in sorted(task.rounds, key=lambda each: -each.number) if each.state != "draft"]


def _validators_page(task: Task, problem: ProblemView | None = None, about: str = "") -> Response:
    client, cursor = platform(), request.args.get("cursor")
    listed = client.validation.validators(task.slug, limit=PAGE, cursor=cursor)
    chosen = chosen_round(task)
    found = optional(partial(client.validation.validator_pairs, chosen.round_id)) if chosen else None
    pairs, one_author = (found.items, found.one_author) if found else ((), ())
    return page(
        "owner_work/validators.html",
        problem.status if problem else 200,
        task=task_rules(task),
        validators=validator_rows(listed.items),
        next_cursor=listed.next_cursor,
        is_first=not cursor,
        rounds=[round_view(each) for each in started_rounds(task)],
        chosen=round_view(chosen) if chosen else None,
        can_be_read=found is not None or chosen is None,
        is_looked_at=chosen is None or bool(found and found.computed_at),
        pairs=pair_rows(pairs),
        one_author=one_author_rows(one_author),
        about=about,
        reason=request.form.get("reason", ""),
        problem=problem,
    )
