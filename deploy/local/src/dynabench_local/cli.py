"""Command line that the Makefile calls."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from dynabench_local import launch, secret_store
from dynabench_local.layout import Layout, from_environment, note_use
from dynabench_local.stack import Stack, StackError

app = typer.Typer(add_completion=False, help="The whole platform on one machine.")
console = Console(highlight=False)


def _stack() -> Stack:
    began = time.monotonic()
    try:
        return Stack(
            from_environment(),
            lambda line: console.print(
                f"[{time.monotonic() - began:5.1f} s] {line}", markup=False, soft_wrap=True
            ),
        )
    except (StackError, ValueError) as err:
        console.print(str(err), style="bold red", markup=False, soft_wrap=True)
        raise typer.Exit(1) from err


@app.command()
def up(
    detach: Annotated[bool, typer.Option(help="Return when all is ready.")] = False,
    only: Annotated[str, typer.Option(help="Comma-separated parts to start.")] = "",
) -> None:
    """Start the stack; Ctrl-C stops it."""
    stack = _stack()
    unknown = sorted(set(filter(None, only.split(","))) - set(stack.parts))
    if unknown:
        console.print(f"no part is called {unknown[0]}; there are {', '.join(sorted(stack.parts))}")
        raise typer.Exit(2)
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, signal.default_int_handler)
    was_running = stack.supervisor.is_running()
    try:
        stack.up(only.split(",") if only else None)
        if not only:
            stack.wait_for_targets()
            stack.seed("--use-profile", "--challenge-sets")
            if stack.layout.demo_round:
                stack.begin_demo_round()
    except KeyboardInterrupt:
        if not was_running:
            _stop(stack)
        raise typer.Exit(130) from None
    except StackError as err:
        console.print(str(err), style="bold red", markup=False, soft_wrap=True)
        if not was_running:
            stack.down()
        raise typer.Exit(1) from err
    _greet(stack, was_running, bool(only))
    if detach or was_running:
        return
    console.print("Ctrl-C stops everything.")
    try:
        while stack.supervisor.is_running():
            time.sleep(0.5)
    except KeyboardInterrupt:
        _stop(stack)
        return
    console.print("the supervisor has ended")
    raise typer.Exit(1)


def _stop(stack: Stack) -> None:
    console.print("stopping…")
    stack.down()
    console.print("stopped")


def _greet(stack: Stack, was_running: bool, partial: bool) -> None:
    if partial:
        console.print(
            "ready: " + ", ".join(part["part"] for part in stack.status() if part["state"] == "running")
        )
        return
    state = "is running already" if was_running else "is ready"
    console.print(f"\nDynabench {state}: {stack.layout.public_url}\n", style="bold")
    _print_sign_ins(stack.layout)
    console.print(f"Data and logs: {stack.layout.home}", markup=False, soft_wrap=True)
    for other in note_use(stack.layout):
        console.print(
            f"{other} uses the same data. For data of its own give one copy another PORT_BASE or DYNABENCH_HOME.",
            markup=False,
            soft_wrap=True,
        )


def _print_sign_ins(layout: Layout) -> None:
    path = layout.home / "demo-sign-ins.json"
    if not path.exists():
        return
    table = Table("sign in as", "user name", "password", box=None, pad_edge=False)
    for person in json.loads(path.read_text()):
        table.add_row(person["name"], person["user_name"], person["password"])
    console.print(table)


@app.command()
def down() -> None:
    """Stop the stack."""
    console.print("stopped" if _stack().down() else "nothing was running")


@app.command()
def reset(confirm: Annotated[str, typer.Option(help="yes, or nothing is deleted.")] = "") -> None:
    """Stop the stack and delete all of its data."""
    home = from_environment().home
    if not (home / secret_store.FILE).exists():
        console.print(f"{home} holds no data of a platform", markup=False, soft_wrap=True)
        return
    if confirm != "yes":
        console.print(
            f"This deletes {home} with every database, event, file and log. To go on: make reset CONFIRM=yes",
            markup=False,
            soft_wrap=True,
        )
        raise typer.Exit(2)
    launch.end_left_over(f"{home}|", home)
    shutil.rmtree(home)
    console.print(f"deleted {home}", markup=False, soft_wrap=True)


@app.command()
def status(as_json: Annotated[bool, typer.Option("--json", help="Machine-readable.")] = False) -> None:
    """Show each part with its state and memory; exit status 1 unless all run."""
    stack = _stack()
    parts = stack.status()
    if as_json:
        sys.stdout.write(json.dumps(parts) + "\n")
        return
    troubles = stack.troubles()
    if not parts:
        console.print("\n".join(troubles) or "nothing is running: make up", markup=False, soft_wrap=True)
        raise typer.Exit(1)
    table = Table("part", "state", "pid", "up", "memory, MiB")
    for part in parts:
        uptime = "" if part["seconds"] is None else f"{part['seconds']} s"
        memory = "" if part["mebibytes"] is None else f"{part['mebibytes']:.0f}"
        table.add_row(part["part"], part["state"], str(part["pid"] or ""), uptime, memory)
    console.print(table)
    console.print(f"together {sum(part['mebibytes'] or 0 for part in parts):.0f} MiB")
    away = [
        f"{part['part']} is {part['state']}: make logs P={part['part']}"
        for part in parts
        if part["state"] != "running"
    ]
    for line in (*troubles, *away):
        console.print(line, style="bold red", markup=False, soft_wrap=True)
    if troubles or away:
        raise typer.Exit(1)


@app.command()
def logs(part: Annotated[str, typer.Argument(help="A part; all if none is named.")] = "") -> None:
    """Follow the logs."""
    stack = _stack()
    if part and part not in stack.parts:
        console.print(f"no part is called {part}; there are {', '.join(sorted(stack.parts))}")
        raise typer.Exit(2)
    names = [part] if part else sorted(stack.parts)
    files = [str(stack.layout.logs / f"{name}.log") for name in names]
    existing = [file for file in files if os.path.exists(file)]  # noqa: PTH110
    if not existing:
        console.print("there are no logs yet: make up")
        raise typer.Exit(1)
    os.execvp("tail", ["tail", "-n", "40", "-F", *existing])  # noqa: S606


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def run(context: typer.Context) -> None:
    """Run a command with the stack's address in its environment."""
    stack = _stack()
    if not stack.supervisor.is_running():
        console.print("nothing is running: make up DETACH=1")
        raise typer.Exit(1)
    raise typer.Exit(subprocess.run(context.args, env=stack.client_environment(), check=False).returncode)


def main() -> None:
    """Run the command."""
    app()
