"""Output of `dynabench models check`, and its end by a signal."""

import signal
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType

import typer
from dynabench_toolkit.local_models.checking import CaseFlaw, State, StepResult

from dynabench_cli import output
from dynabench_cli.output import plain

MARKS = {State.PASSED: "✓", State.FAILED: "✗", State.NOT_RUN: "–"}
ENDING_SIGNALS = (signal.SIGTERM, signal.SIGHUP)


def show_step(result: StepResult) -> None:
    """Write a line for a step, one for each flaw with its remedy, and on stderr what the model printed."""
    took = f" ({result.took:.1f} s)" if result.took >= 0.05 else ""
    state = "not run: " if result.state is State.NOT_RUN else ""
    typer.echo(f"{MARKS[result.state]} {result.step}\t{state}{plain(result.reason)}{took}")
    for what, cases in _by_flaw(result.flaws).items():
        more = f" (and in {len(cases) - 1} more cases)" if len(cases) > 1 else ""
        typer.echo(f"    {cases[0]}: {what}{more}")
    if result.log:
        output.note("    The model printed:")
        for line in result.log:
            output.note(f"    | {line}")


def _by_flaw(flaws: Iterable[CaseFlaw]) -> Mapping[str, list[str]]:
    """Return the cases of each flaw, by its text."""
    found: dict[str, list[str]] = {}
    for flaw in flaws:
        what = f"{flaw.where}: {plain(flaw.reason)}. {plain(flaw.remedy)}"
        found.setdefault(what, []).append(flaw.case)
    return found


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Turn termination signals into an exception, so that child processes end too."""

    def end(number: int, _frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    before = {number: signal.signal(number, end) for number in ENDING_SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
