"""`dynabench contexts`."""

from pathlib import Path
from typing import Annotated

import typer

from dynabench_client.cli import output
from dynabench_client.cli.context_files import existing, opened
from dynabench_client.cli.output import AsJson, Output, byte_progress
from dynabench_client.cli.session import YOURS, client_of
from dynabench_client.errors import ProblemError
from dynabench_client.pages import LARGEST_PAGE, every

UNUSABLE = "contexts-unusable"
RoundId = Annotated[str, typer.Argument(help="The round's id")]

app = typer.Typer(no_args_is_help=True)

COLUMNS = {
    "context": lambda context: context.context_id,
    "fields": lambda context: context.fields,
    "tags": lambda context: context.tags,
}


@app.command()
def upload(
    context: typer.Context,
    round_id: RoundId,
    file: Annotated[
        Path,
        typer.Argument(
            help='JSON lines, {"fields": {…}, "tags": […]} each; .gz too, - is standard input',
            callback=existing,
        ),
    ],
    as_json: AsJson = False,
) -> None:
    """Give a round the contexts of a file, all of them or none, with every unusable line named."""
    area = client_of(context).annotation
    with opened(file) as lines, byte_progress("contexts", lines.size, quiet=as_json) as done:
        try:
            uploaded = area.upload_contexts(round_id, lines.reporting(done))
        except ProblemError as err:
            if err.slug != UNUSABLE:
                raise
            _name_lines(lines.name, err)
            raise typer.Exit(YOURS) from err
    Output(as_json).record({"round_id": round_id, **uploaded.document()})


@app.command("list")
def list_contexts(context: typer.Context, round_id: RoundId, as_json: AsJson = False) -> None:
    """List a round's contexts."""
    area = client_of(context).annotation
    found = every(lambda cursor: area.contexts(round_id, limit=LARGEST_PAGE, cursor=cursor))
    Output(as_json).rows(
        found, COLUMNS, "No context yet. Add some with 'dynabench contexts upload ROUND FILE'."
    )


def _name_lines(name: str, problem: ProblemError) -> None:
    """Write `FILE:LINE: field reason. remedy` for each line that can't be used, then how many there are."""
    errors = [one for one in problem.document.get("errors", ()) if isinstance(one, dict)]
    for one in errors:
        said = [str(one[key]) for key in ("field", "reason") if one.get(key)]
        remedy = f" {one['remedy']}" if one.get("remedy") else ""
        output.note(f"{name}:{one.get('line', '?')}: {' '.join(said).rstrip('.')}.{remedy}")
    count = problem.document.get("error_count", len(errors))
    more = f", of which the first {len(errors)} are named" if len(errors) != count else ""
    contexts = "1 context" if count == 1 else f"{count} contexts"
    what = f"{name} has {contexts} that can't be used{more}. Nothing was stored."
    output.error(what, problem.remedy or "Mend these lines and upload the file again.", problem.request_id)
