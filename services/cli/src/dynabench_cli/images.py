"""`dynabench images`."""

from pathlib import Path
from typing import Annotated

import typer
from dynabench_client.areas.tasks import ImageNotSentError

from dynabench_cli.output import AsJson, Output
from dynabench_cli.session import InputError, client_of

TYPES = {
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".png": "image/png",
    ".webp": "image/webp",
    ".gif": "image/gif",
}

app = typer.Typer(no_args_is_help=True)


@app.command()
def upload(
    context: typer.Context,
    task: Annotated[str, typer.Argument(help="The task's slug")],
    file: Annotated[Path, typer.Argument(help="A JPEG, PNG, WebP or GIF", exists=True, dir_okay=False)],
    as_json: AsJson = False,
) -> None:
    """Upload an image for a task's contexts or inputs, and print the id by which they name it."""
    media_type = TYPES.get(file.suffix.lower())
    if media_type is None:
        known = ", ".join(sorted(TYPES))
        raise InputError(f"{file} has no ending that says what it is.", f"Name it with one of {known}.")
    try:
        image = client_of(context).annotation.upload_image(task, file.read_bytes(), media_type)
    except ImageNotSentError as err:
        raise InputError(f"{file} was not taken: {err}.", "Try again.") from err
    Output(as_json).record(image.document())
