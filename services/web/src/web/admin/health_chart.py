"""The health of the platform as bars: requests at this moment, queues, and errors."""

from collections.abc import Mapping, Sequence

from dynabench_client.results.accounts import MailCounts
from dynabench_client.results.base import SetAside
from dynabench_client.results.models import Model
from markupsafe import Markup

from web.kit.charts.bars import Bar, bars
from web.kit.charts.svg import Chart, Table
from web.kit.language import N_, _
from web.kit.numbers import count
from web.kit.operations import service_name

CHART_ID = "chart-health"
TITLE = N_("Requests, queues and errors")


def health_chart(
    served: Sequence[Model] | None, mail: MailCounts | None, aside: Mapping[str, SetAside | None]
) -> Chart:
    """Return the chart of all that is not zero; a sentence for fewer than two bars.

    What is None did not answer and is left out; the words say so.
    """
    is_whole = served is not None and mail is not None and None not in aside.values()
    found = [each for each in [*_of_models(served), *_of_mail(mail), *_of_events(aside)] if each.number]
    words = _("Requests that run now, queues, and errors (coloured).")
    sentences = [words if len(found) > 1 else _sentence(found, is_whole=is_whole)]
    if not is_whole:
        sentences.append(_("Some services do not report this."))
    return Chart(
        CHART_ID,
        _(TITLE),
        " ".join(sentences),
        bars(CHART_ID, _(TITLE), found) if len(found) > 1 else Markup(),
        Table([_("Figure"), _("Number")], [[each.name, each.words] for each in found]),
    )


def _sentence(found: Sequence[Bar], *, is_whole: bool) -> str:
    if found:
        name, number = found[0].name, found[0].words
        if is_whole:
            return _("Only one figure is not zero: %(name)s, %(number)s.", name=name, number=number)
        return _("Only one known figure is not zero: %(name)s, %(number)s.", name=name, number=number)
    if is_whole:
        return _("Nothing runs, nothing waits, and nothing failed.")
    return _("All known figures are zero.")


def _of_models(served: Sequence[Model] | None) -> list[Bar]:
    models = served or ()
    explaining = [model.explain for model in models if model.explain is not None]
    return [
        _bar(_("Predictions running"), sum(model.in_flight for model in models)),
        _bar(_("Explanations running"), sum(each.in_flight for each in explaining)),
        _bar(_("Explanations waiting"), sum(each.waiting for each in explaining)),
        _bar(
            _("Model errors in a row"),
            sum(model.breaker.failures_in_a_row for model in models),
            is_error=True,
        ),
    ]


def _of_mail(mail: MailCounts | None) -> list[Bar]:
    if mail is None:
        return []
    return [
        _bar(_("Mails waiting"), mail.waiting),
        _bar(_("Mails not delivered"), mail.given_up, is_error=True),
    ]


def _of_events(aside: Mapping[str, SetAside | None]) -> list[Bar]:
    return [
        _bar(
            _("Failed events: %(service)s", service=service_name(service)),
            sum(letters.count for letters in found.items),
            is_error=True,
        )
        for service, found in aside.items()
        if found is not None
    ]


def _bar(name: str, number: int, *, is_error: bool = False) -> Bar:
    return Bar(name, number, count(number), is_outcome=is_error)
