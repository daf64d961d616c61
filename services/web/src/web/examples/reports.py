"""Open reports about a task's public examples, and the hidden ones: owners hide, keep or show one, with a reason."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from uuid import UUID

from dynabench_client.results.annotation import Task
from dynabench_client.results.datasets import HiddenExample, OwnerHiddenExample, ReportedExample
from dynabench_common.auth.permissions import Permission, ensure, requires
from flask import Blueprint, Response, request

from web.kit.answers import shown_values
from web.kit.configuration import TaskRules, task_rules
from web.kit.dependencies import platform
from web.kit.fields import ShownValue
from web.kit.language import _
from web.kit.numbers import TimeView, moment
from web.kit.outcomes import attempt
from web.kit.parallel import page_reads
from web.kit.problems import ProblemView
from web.kit.public_examples import example_address, readers_rules
from web.kit.rendering import go_to, page
from web.kit.round_actions import given_reason

PAGE = 20
HIDE, SHOW = "hide", "show"
Decide = Callable[[str, str], HiddenExample]

blueprint = Blueprint("example_reports", __name__, url_prefix="/tasks/<slug>/reports")


@dataclass(frozen=True)
class ReportedView:
    """An example with its open reports; `address` is empty once it is not public."""

    example_id: str
    address: str
    round_id: str
    round_number: int
    context: list[ShownValue]
    written: list[ShownValue]
    reports: int
    reasons: tuple[str, ...]
    newest: TimeView | None


@dataclass(frozen=True)
class HiddenView:
    """An example that an owner hides."""

    example_id: str
    round_id: str
    round_number: int
    context: list[ShownValue]
    written: list[ShownValue]
    reason: str
    hidden: TimeView | None


@blueprint.get("")
@requires(Permission.MODERATE_EXAMPLES)
def get_reports(slug: str) -> Response:
    """List the examples with open reports, and those that owners hide."""
    ensure(Permission.MODERATE_EXAMPLES, task=slug)
    return _reports_page(slug)


@blueprint.post("/<uuid:example_id>")
@requires(Permission.MODERATE_EXAMPLES)
def post_decision(slug: str, example_id: UUID) -> Response:
    """Hide an example everywhere or keep it, which both close its reports; or show a hidden one again."""
    ensure(Permission.MODERATE_EXAMPLES, task=slug)
    reason = given_reason(_("Say why, for the audit log."))
    if reason.value is None:
        return _reports_page(slug, reason.problem, str(example_id))
    said, area, decision = reason.value, platform().public_examples, request.form.get("decision", "")
    others: Mapping[str, Decide] = {HIDE: area.hide, SHOW: area.show_as_owner}
    decide = others.get(decision, area.keep)
    outcome = attempt(lambda: decide(str(example_id), said))
    if outcome.value is None:
        return _reports_page(slug, outcome.problem, str(example_id))
    return go_to(f"/tasks/{slug}/reports", _done(decision, outcome.value))


def _done(decision: str, became: HiddenExample) -> str:
    """Return the name of the message about a decision."""
    if decision == HIDE:
        return "example-hidden" if became.reports_closed else "own-hidden"
    if decision == SHOW:
        return "example-still-hidden" if became.is_hidden else "example-shown"
    return "example-kept"


def _reports_page(slug: str, problem: ProblemView | None = None, decided: str = "") -> Response:
    client, reads, cursor, after = (
        platform(),
        page_reads(),
        request.args.get("cursor"),
        request.args.get("hidden"),
    )
    reading = reads.read(client.public_examples.reports, slug, limit=PAGE, cursor=cursor)
    hiding = reads.read(client.public_examples.hidden, slug, limit=PAGE, cursor=after)
    task: Task = reads.read(client.annotation.task, slug).needed()
    rules, listed, hidden = readers_rules(task_rules(task)), reading.needed(), hiding.value()
    return page(
        "examples/reports.html",
        problem.status if problem else 200,
        task=rules,
        reported=[_reported(each, rules) for each in listed.items],
        next_cursor=listed.next_cursor,
        is_first=not cursor,
        hidden=None if hidden is None else [_hidden(each, rules) for each in hidden.items],
        next_hidden=hidden.next_cursor if hidden else None,
        is_first_hidden=not after,
        problem=problem,
        decided=decided,
        reason=request.form.get("reason", ""),
    )


def _reported(found: ReportedExample, rules: TaskRules) -> ReportedView:
    return ReportedView(
        example_id=found.example_id,
        address=example_address(found.example_id) if found.is_public else "",
        round_id=found.round_id,
        round_number=found.round_number,
        context=shown_values(found.context, rules),
        written=shown_values(found.input, rules),
        reports=found.reports,
        reasons=found.reasons,
        newest=moment(found.reported_at),
    )


def _hidden(found: OwnerHiddenExample, rules: TaskRules) -> HiddenView:
    return HiddenView(
        example_id=found.example_id,
        round_id=found.round_id,
        round_number=found.round_number,
        context=shown_values(found.context, rules),
        written=shown_values(found.input, rules),
        reason=found.reason,
        hidden=moment(found.hidden_at),
    )
