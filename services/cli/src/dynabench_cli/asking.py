"""Questions before steps that are hard to take back; they are asked of a person at a terminal alone."""

import sys
from collections.abc import Iterable

import typer
from dynabench_client.results.rounds import Blocker

from dynabench_cli import output
from dynabench_cli.session import YOURS


def should_ask(yes: bool, as_json: bool) -> bool:
    """Tell whether somebody is there to be asked, who has not agreed beforehand."""
    return not (yes or as_json) and sys.stdin.isatty()


def confirm(question: str, consequences: Iterable[str], blockers: Iterable[Blocker]) -> None:
    """Show what a step would bring, and end the command unless the person wants it; blockers end it at once."""
    stopped = list(blockers)
    for blocker in stopped:
        output.error(blocker.text, blocker.remedy)
    if stopped:
        raise typer.Exit(YOURS)
    for consequence in consequences:
        output.note(f"- {consequence}")
    typer.confirm(question, abort=True, err=True)
