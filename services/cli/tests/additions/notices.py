"""`dynabench notices`: the news about one's work."""

import typer
from dynabench_cli.output import AsJson, Output
from dynabench_cli.session import client_of
from dynabench_client.results.accounts import Notice

app = typer.Typer()
COLUMNS = {
    "news": lambda notice: notice.kind,
    "task": lambda notice: notice.task_slug,
    "round": lambda notice: notice.round_number,
    "counts": lambda notice: [f"{outcome} {count}" for outcome, count in notice.counts.items()],
    "at": lambda notice: notice.happened_at,
}


@app.command()
def notices(context: typer.Context, as_json: AsJson = False) -> None:
    """List the news about your work, newest first."""
    found: tuple[Notice, ...] = client_of(context).accounts.notices().items
    Output(as_json).rows(
        found, COLUMNS, "No news yet. It comes once others have checked an example of yours."
    )
