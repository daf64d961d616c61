"""Page on the state of the platform, with links to everything behind it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dynabench_client.results.accounts import MailCounts, PeopleCounts
from dynabench_client.results.base import SetAside
from dynabench_client.results.models import Model
from dynabench_common.auth.permissions import Permission, requires
from flask import Blueprint, Response

from web.admin.health_chart import health_chart
from web.kit.audit_entries import entry_rows
from web.kit.dependencies import platform
from web.kit.language import N_, _
from web.kit.numbers import TimeView, count, moment
from web.kit.operations import service_name
from web.kit.parallel import page_reads
from web.kit.rendering import page
from web.kit.words import Word

LOOK_SECONDS = 10
NEWEST = 5
ANSWERS, SILENT = Word(N_("Answers"), "●", "open"), Word(N_("Does not answer"), "✕", "flagged")
BLOCKED = Word(N_("Answers, but is blocked"), "‖", "paused")

blueprint = Blueprint("console", __name__)


@dataclass(frozen=True)
class ServiceRow:
    """State of a service: if it answers, its dead letters, and the causes of delays."""

    name: str
    state: Word
    set_aside: str
    blocked: list[str]


@dataclass(frozen=True)
class HealthView:
    """Numbers of answering services and of dead letters; `is_known` if all services reported."""

    rows: list[ServiceRow]
    answering: int
    set_aside: int
    is_known: bool


@dataclass(frozen=True)
class ModelsView:
    """Number of served models; `failed` names those that do not start."""

    served: int
    ready: int
    failed: list[str]


@dataclass(frozen=True)
class MailView:
    """State of mail delivery."""

    waiting: int
    oldest: TimeView | None
    trouble: str
    given_up: int


@blueprint.get("/admin")
@requires(Permission.USE_CONSOLE)
def get_console() -> Response:
    """Show the state of the platform."""
    client, reads = platform(), page_reads()
    people, mails = reads.read(client.accounts.people_counts), reads.read(client.accounts.mail_counts)
    entries = reads.read(client.accounts.audit, limit=NEWEST)
    models = reads.read(client.gateway.model_statuses)
    aside = {area.service: reads.read(area.set_aside) for area in client.event_services}
    log, served, mailing = entries.value(), models.value(), mails.value()
    asides = {service: part.value() for service, part in aside.items()}
    return page(
        "admin/console.html",
        health=health_view(asides, served is not None),
        chart=health_chart(served, mailing, asides),
        models=models_view(served),
        people=_counts(people.value()),
        mail=mail_view(mailing),
        entries=None if log is None else entry_rows(log.items),
        look_seconds=LOOK_SECONDS,
    )


def health_view(found: Mapping[str, SetAside | None], gateway_answers: bool) -> HealthView:
    """Return the state of each service from its dead letters; None for a service that did not answer."""
    rows = [_service(service, aside) for service, aside in found.items()]
    rows.append(
        ServiceRow(service_name("gateway"), _localised(ANSWERS if gateway_answers else SILENT), "", [])
    )
    answered = [aside for aside in found.values() if aside is not None]
    return HealthView(
        rows,
        len(answered) + gateway_answers,
        sum(letters.count for aside in answered for letters in aside.items),
        len(answered) == len(found),
    )


def models_view(served: Sequence[Model] | None) -> ModelsView | None:
    """Return the state of the served models; None if the gateway does not answer."""
    if served is None:
        return None
    failed = [model.name for model in served if not model.ready and model.state == "failed"]
    return ModelsView(len(served), sum(model.ready for model in served), failed)


def mail_view(found: MailCounts | None) -> MailView | None:
    """Return the state of mail delivery; None if accounts does not answer."""
    if found is None:
        return None
    return MailView(found.waiting, moment(found.oldest_at), found.trouble or "", found.given_up)


def _counts(found: PeopleCounts | None) -> dict[str, str] | None:
    return None if found is None else {name: count(number) for name, number in found.document().items()}


def _service(service: str, aside: SetAside | None) -> ServiceRow:
    if aside is None:
        return ServiceRow(service_name(service), _localised(SILENT), "", [])
    blocked = [
        _("partition %(number)s of %(topic)s: %(reason)s", number=p.partition, topic=p.topic, reason=p.reason)
        for p in aside.held
    ]
    number = count(sum(letters.count for letters in aside.items))
    return ServiceRow(service_name(service), _localised(BLOCKED if blocked else ANSWERS), number, blocked)


def _localised(word: Word) -> Word:
    return Word(_(word.text), word.sign, word.style)
