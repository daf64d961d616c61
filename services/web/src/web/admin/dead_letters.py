"""Dead letters: events that services could not send or apply. They are listed, retried or discarded."""

from dataclasses import dataclass

from dynabench_client import Dynabench
from dynabench_client.areas.dead_letters import DeadLettersClient
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response, abort, request

from web.kit.dependencies import platform
from web.kit.language import _
from web.kit.numbers import TimeView, count, moment
from web.kit.operations import service_name
from web.kit.outcomes import attempt
from web.kit.parallel import page_reads
from web.kit.problems import ProblemView
from web.kit.rendering import go_to, page

HERE = "/admin/dead-letters"
MOST = 100

blueprint = Blueprint("admin_dead_letters", __name__)


@dataclass(frozen=True)
class LetterRow:
    """A dead letter; `can_be_decided` if its content is stored."""

    service: str
    service_words: str
    record_id: str
    consumer: str
    topic: str
    failed: TimeView | None
    attempts: str
    held_back: str
    reason: str
    is_requested: bool
    can_be_decided: bool


@blueprint.get(HERE)
@requires(Permission.MANAGE_DEAD_LETTERS)
def get_dead_letters() -> Response:
    """List the dead letters by service."""
    return _listed()


@blueprint.post(HERE)
@requires(Permission.MANAGE_DEAD_LETTERS)
def post_dead_letter() -> Response:
    """Retry an event, or discard it with a reason."""
    area = _area(platform(), request.form.get("service", ""))
    record_id, reason = request.form.get("record_id", ""), request.form.get("reason", "").strip()
    is_discard = request.form.get("decision") == "discard"
    outcome = attempt(lambda: area.discard(record_id, reason) if is_discard else area.redrive(record_id))
    if outcome.problem is not None:
        return _listed(outcome.problem, about=record_id, reason=reason)
    return go_to(HERE, "event-discarded" if is_discard else "event-requested")


def _listed(problem: ProblemView | None = None, *, about: str = "", reason: str = "") -> Response:
    reads = page_reads()
    records = {area.service: reads.read(area.dead_letter_records, MOST) for area in platform().event_services}
    found = {service: part.value() for service, part in records.items()}
    rows = [
        LetterRow(
            service=service,
            service_words=service_name(service),
            record_id=each.record_id,
            consumer=each.consumer if each.consumer != "relay" else _("sending"),
            topic=each.topic,
            failed=moment(each.failed_at),
            attempts=count(each.attempts),
            held_back=count(each.held_back),
            reason=each.reason,
            is_requested=each.is_requested,
            can_be_decided=each.is_kept,
        )
        for service, letters in found.items()
        for each in letters or ()
    ]
    return page(
        "admin/dead_letters.html",
        problem.status if problem else 200,
        rows=rows,
        silent=[service_name(service) for service, letters in found.items() if letters is None],
        problem=problem,
        about=about,
        reason=reason,
        most=MOST,
    )


def _area(client: Dynabench, service: str) -> DeadLettersClient:
    found = next((area for area in client.event_services if area.service == service), None)
    return found or abort(404)
