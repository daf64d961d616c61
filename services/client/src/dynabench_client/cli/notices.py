"""`dynabench notices`."""

from itertools import islice
from typing import Annotated

import typer

from dynabench_client.cli.arguments import Most
from dynabench_client.cli.output import AsJson, Output
from dynabench_client.cli.session import client_of
from dynabench_client.pages import LARGEST_PAGE, every
from dynabench_client.results.notices import NoticeSettings

app = typer.Typer(no_args_is_help=True)

COLUMNS = {
    "when": lambda notice: notice.happened_at,
    "what": lambda notice: notice.kind,
    "task": lambda notice: notice.task_slug,
    "round": lambda notice: notice.round_number,
    "counts": lambda notice: notice.counts,
    "read": lambda notice: notice.read_at is not None,
    "position": lambda notice: notice.position,
}


@app.command("list")
def list_notices(context: typer.Context, most: Most = None, as_json: AsJson = False) -> None:
    """List what became of one's work, newest first."""
    area = client_of(context).accounts
    page = min(most or LARGEST_PAGE, LARGEST_PAGE)
    found = every(lambda cursor: area.notices(limit=page, cursor=cursor))
    Output(as_json).rows(islice(found, most), COLUMNS, "Nothing is new yet.")


@app.command()
def read(
    context: typer.Context,
    up_to: Annotated[
        int | None, typer.Option(help="Position of the newest to mark, from 'notices list'; all without it")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Mark notices as read."""
    area = client_of(context).accounts
    if up_to is None:
        newest = area.notices(limit=1).items
        up_to = newest[0].position if newest else 0
    Output(as_json).record(area.read_notices(up_to).document())


@app.command()
def settings(
    context: typer.Context,
    mail: Annotated[
        str | None, typer.Option(help="never, daily or weekly; without it nothing changes")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show how one is told, or choose how often a mail comes."""
    area = client_of(context).accounts
    found = area.notice_settings()
    if mail is not None:
        found = area.set_notice_settings(mail, not_on_page=found.not_on_page, not_by_mail=found.not_by_mail)
    Output(as_json).record(found.document(), _lines(found))


def _lines(found: NoticeSettings) -> dict[str, object]:
    return {
        "mail": found.mail,
        "address confirmed": found.is_email_confirmed,
        "on no page": found.not_on_page,
        "in no mail": found.not_by_mail,
    }
