"""`dynabench dead-letters`."""

from collections.abc import Mapping
from typing import Annotated, Literal

import typer
from dynabench_client.areas.dead_letters import DeadLettersClient
from dynabench_client.errors import ProblemError, UnreachableError
from dynabench_client.results.base import DeadLetterRecord, SetAside

from dynabench_cli.output import AsJson, Output, note
from dynabench_cli.session import InputError, client_of

app = typer.Typer(no_args_is_help=True)


Service = Literal["accounts", "annotation", "validation", "leaderboard", "scoring", "registry", "crowd"]
"""A service that sends or takes in events."""


class NamedRecord(DeadLetterRecord):
    """A dead letter and its service."""

    service: str


COLUMNS = {
    "service": lambda record: record.service,
    "event": lambda record: record.record_id,
    "topic": lambda record: record.topic,
    "when": lambda record: record.failed_at,
    "attempts": lambda record: record.attempts,
    "waiting": lambda record: record.held_back,
    "why": lambda record: record.reason,
}
OneService = Annotated[Service | None, typer.Option(help="Only this service")]
OfService = Annotated[Service, typer.Argument(help="Service that holds the event")]
RecordId = Annotated[str | None, typer.Argument(help="The event's name, from 'dead-letters list'")]


@app.command("list")
def list_records(context: typer.Context, service: OneService = None, as_json: AsJson = False) -> None:
    """List failed events, which a service could not send or process. Paused partitions go to standard error.

    If a service does not answer, the others are still listed. A note at the end names it.
    """
    areas = _areas(context)
    found: list[NamedRecord] = []
    failures: list[Exception] = []
    for each in [service] if service else areas:
        try:
            _print_set_aside(each, areas[each].set_aside())
            found += _records(each, areas[each])
        except (ProblemError, UnreachableError) as err:
            note(f"{each} does not report its failed events")
            failures.append(err)
    Output(as_json).rows(found, COLUMNS, "No failed events, as far as services answer.")
    if failures:
        raise failures[0]


@app.command()
def redrive(
    context: typer.Context,
    service: OfService,
    record: RecordId = None,
    everything: Annotated[bool, typer.Option("--all", help="All failed events of the service")] = False,
    as_json: AsJson = False,
) -> None:
    """Retry a failed event, and then the events that wait for it, in order."""
    area = _areas(context)[service]
    if (record is None) is not everything:
        raise InputError("It is not clear which event is meant.", "Name one event, or give --all.")
    names = [record] if record else [each.record_id for each in area.dead_letter_records() if each.is_kept]
    for name in names:
        area.redrive(name)
    Output(as_json).record({"service": service, "requested": names}, {"requested": len(names)})


@app.command()
def discard(
    context: typer.Context,
    service: OfService,
    record: Annotated[str, typer.Argument(help="The event's name, from 'dead-letters list'")],
    reason: Annotated[str, typer.Option(help="Reason, for the audit log")],
    as_json: AsJson = False,
) -> None:
    """Discard a failed event, and send the events that wait for it."""
    decided = _areas(context)[service].discard(record, reason)
    Output(as_json).record(decided.document())


def _areas(context: typer.Context) -> Mapping[str, DeadLettersClient]:
    return {area.service: area for area in client_of(context).event_services}


def _records(service: str, area: DeadLettersClient) -> list[NamedRecord]:
    records = area.dead_letter_records()
    return [NamedRecord(service=service, **record.document()) for record in records]


def _print_set_aside(service: str, found: SetAside) -> None:
    for held in found.held:
        note(
            f"{service}: {held.consumer} is held in partition {held.partition} of {held.topic} since "
            f"{held.held_since:%Y-%m-%d %H:%M} UTC after {held.attempts} attempts: {held.reason}"
        )
