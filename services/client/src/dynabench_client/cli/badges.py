"""`dynabench badges`."""

import typer

from dynabench_client.cli.output import AsJson, Columns, Output
from dynabench_client.cli.session import client_of
from dynabench_client.results.badges import BadgeProgress, OwnBadge

app = typer.Typer()

COLUMNS: Columns[OwnBadge] = {
    "badge": lambda badge: badge.name,
    "earned on": lambda badge: badge.earned_on.isoformat(),
    "task": lambda badge: badge.task_slug,
    "week": lambda badge: badge.week,
}
NEXT: Columns[BadgeProgress] = {
    "next badge": lambda progress: progress.name,
    "reached": lambda progress: f"{progress.reached} of {progress.needed}",
    "task": lambda progress: progress.task_slug,
}


@app.command()
def badges(context: typer.Context, as_json: AsJson = False) -> None:
    """List one's own badges, and the next ones with how far one has come."""
    found, output = client_of(context).leaderboard.my_badges(), Output(as_json)
    if as_json:
        output.document(found.document())
        return
    output.rows(found.items, COLUMNS, "No badge yet: the first example earns one.")
    output.rows(found.next, NEXT, "There is no badge left to earn.")
