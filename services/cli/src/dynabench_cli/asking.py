"""Confirmation of steps that are hard to undo. Only a person at a terminal is asked."""

import sys
from collections.abc import Iterable

import typer
from dynabench_client.results.annotation import Blocker

from dynabench_cli import output
from dynabench_cli.session import YOURS


def should_ask(yes: bool, as_json: bool) -> bool:
    """Return whether to ask: at a terminal, unless the person agreed with an option."""
    return not (yes or as_json) and sys.stdin.isatty()


def confirm(question: str, consequences: Iterable[str], blockers: Iterable[Blocker]) -> None:
    """Show the consequences and ask. A refusal or a blocker ends the command."""
    stopped = list(blockers)
    for blocker in stopped:
        output.error(blocker.text, blocker.remedy)
    if stopped:
        raise typer.Exit(YOURS)
    for consequence in consequences:
        output.note(f"- {consequence}")
    typer.confirm(question, abort=True, err=True)
