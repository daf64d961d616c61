"""`dynabench contexts`."""

from pathlib import Path
from typing import Annotated

import typer
from dynabench_client.errors import ProblemError

from dynabench_cli import output
from dynabench_cli.line_files import counted, existing, line_errors, name_lines, opened
from dynabench_cli.output import AsJson, Output, byte_progress
from dynabench_cli.session import YOURS, RoundId, client_of

UNUSABLE = "contexts-unusable"
ONE_CONTEXT = '{"fields": {…}, "tags": […]}'

app = typer.Typer(no_args_is_help=True)


@app.command()
def upload(
    context: typer.Context,
    round_id: RoundId,
    file: Annotated[
        Path,
        typer.Argument(
            help=f"JSON lines, {ONE_CONTEXT} each; .gz too, - is standard input",
            callback=existing,
        ),
    ],
    as_json: AsJson = False,
) -> None:
    """Add the contexts of a file to a round, all or none. Names every unusable line."""
    area = client_of(context).annotation
    with opened(file, ONE_CONTEXT) as lines, byte_progress("contexts", lines.size, quiet=as_json) as done:
        try:
            uploaded = area.upload_contexts(round_id, lines.reporting(done))
        except ProblemError as err:
            if err.slug != UNUSABLE:
                raise
            errors, count = line_errors(err)
            name_lines(lines.name, errors)
            what = f"{lines.name} has {counted(count, 'context', len(errors))}. Nothing was stored."
            output.error(what, err.remedy or "Correct these lines and upload the file again.", err.request_id)
            raise typer.Exit(YOURS) from err
    Output(as_json).record({"round_id": round_id, **uploaded.document()})
