"""`dynabench tasks import-dynatask`."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from dynabench_toolkit.dynatask.configuration import Converted, convert_configuration
from dynabench_toolkit.dynatask.contexts import ConvertedContexts, convert_contexts
from dynabench_toolkit.dynatask.source import DynataskError, Loss, read_document

from dynabench_cli import output
from dynabench_cli.files import read_configuration
from dynabench_cli.line_files import opened
from dynabench_cli.output import AsJson, Output
from dynabench_cli.session import YOURS, InputError, client_of

LONGEST_SLUG = 40
ONE_CONTEXT = "context of the original platform"

app = typer.Typer()


@app.command("import-dynatask")
def import_dynatask(
    context: typer.Context,
    file: Annotated[
        Path, typer.Argument(help="Configuration of the original platform", exists=True, dir_okay=False)
    ],
    contexts: Annotated[
        Path | None, typer.Option(help="Contexts of the task, JSON lines or .gz", exists=True, dir_okay=False)
    ] = None,
    slug: Annotated[str | None, typer.Option(help="Slug of the new task. Default: the file's name")] = None,
    folder: Annotated[Path, typer.Option("--output", help="Folder to write to", file_okay=False)] = Path(),
    create: Annotated[bool, typer.Option("--create", help="Create the task, too")] = False,
    as_json: AsJson = False,
) -> None:
    """Convert a task of the original platform, and list what can't be converted."""
    chosen = slug or _slug(file)
    try:
        converted = convert_configuration(read_document(read_configuration(file)), chosen)
    except DynataskError as err:
        raise InputError(f"{file}: {err.what}", err.remedy) from err
    brought = _contexts(contexts, converted)
    losses = [*converted.losses, *brought.losses]
    texts = {"configuration": (folder / f"{chosen}.yaml", converted.yaml())}
    if brought.contexts:
        texts["contexts"] = (folder / f"{chosen}-contexts.jsonl", brought.lines())
    written = _write(texts)
    if create:
        client_of(context).annotation.create_task(converted.yaml())
    _report(chosen, written, brought, losses, create, as_json)


def _slug(file: Path) -> str:
    words = re.sub(r"[^a-z0-9]+", "-", file.stem.lower()).strip("-")[:LONGEST_SLUG].strip("-")
    if not words:
        raise InputError(f"{file} has no name to make a slug of.", "Give --slug.")
    return words


def _contexts(file: Path | None, converted: Converted) -> ConvertedContexts:
    if file is None:
        return ConvertedContexts()
    if converted.image_fields:
        raise InputError(
            f"{file} refers to images by address, which can't be brought over.",
            "Leave --contexts out, upload the images, and write contexts that name them.",
        )
    with opened(file, ONE_CONTEXT) as lines:
        text = b"".join(lines).decode("utf-8")
    found = convert_contexts(text.split("\n"), converted.context_names)
    if not found.errors:
        return found
    for error in found.errors:
        output.note(f"{file}:{error.line}: {error.reason}. {error.remedy}")
    what = f"{file} has {len(found.errors)} lines that can't be used. Nothing was written."
    output.error(what, "Correct these lines and try again.")
    raise typer.Exit(YOURS)


def _write(texts: Mapping[str, tuple[Path, str]]) -> dict[str, str]:
    for path, _ in texts.values():
        if path.exists():
            raise InputError(f"{path} exists.", "Choose another --slug or --output.")
    for path, text in texts.values():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        except OSError as err:
            raise InputError(f"{path} can't be written: {err.strerror}.", "Choose another --output.") from err
    return {name: str(path) for name, (path, _) in texts.items()}


def _report(
    slug: str,
    written: Mapping[str, str],
    brought: ConvertedContexts,
    losses: Sequence[Loss],
    created: bool,
    as_json: bool,
) -> None:
    warnings = [vars(loss) for loss in losses]
    count = len(brought.contexts)
    document: dict[str, Any] = {"slug": slug, "files": written, "contexts": count, "created": created}
    lines = {**written, "task": slug, "contexts read": count, "created": created, "warnings": len(warnings)}
    if not as_json:
        for loss in losses:
            output.note(f"warning: {loss.key}: {loss.reason}")
    Output(as_json).record({**document, "warnings": warnings}, lines)
