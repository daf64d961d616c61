"""The common parts of commands: session with profile, shared arguments, confirmation, exit codes of errors.

Exit codes: 0 done, 1 error of the request or its input, 2 usage, 3 the platform is at fault or can't be
reached.
"""

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from dynabench_client import profiles
from dynabench_client.errors import ProblemError, UnreachableError
from dynabench_client.platform import Dynabench
from dynabench_client.profiles import ProfileError
from dynabench_client.results.annotation import Blocker
from dynabench_client.retries import RetryPolicy
from dynabench_toolkit.signing import SignatureRefused
from typer.core import TyperGroup

from dynabench_cli import output

RoundId = Annotated[str, typer.Argument(help="The round's id")]
DatasetId = Annotated[str, typer.Argument(help="The dataset's id")]
Yes = Annotated[bool, typer.Option("--yes", help="Don't ask")]

YOURS, OURS = 1, 3
PATIENT = RetryPolicy(refused_attempts=10, longest_wait_seconds=30.0)


class InputError(Exception):
    """A file or argument that can't be used: the problem and the remedy."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(what)
        self.what = what
        self.remedy = remedy


@dataclass(frozen=True)
class Session:
    """A run of the command, with its named profile if there is one."""

    profile: Path | None = None

    def client(self) -> Dynabench:
        """Return the platform, signed in. Raises ProfileError."""
        profile = profiles.read(profiles.locate(self.profile))
        return Dynabench(profile.url, token=profile.api_token, retries=PATIENT)


def client_of(context: typer.Context) -> Dynabench:
    """Return the signed-in platform of a command."""
    return session_of(context).client()


def session_of(context: typer.Context) -> Session:
    """Return the session of a command."""
    session = context.find_object(Session)
    return session if session is not None else Session()


class Commands(TyperGroup):
    """The root group. A failed command ends with its problem, the remedy, and an exit code."""

    def invoke(self, ctx: Any) -> Any:
        """Run the chosen command."""
        try:
            return super().invoke(ctx)
        except ProblemError as err:
            what = f"{err.field}: {err.detail}" if err.field and err.field not in err.detail else err.detail
            output.error(what, _remedy(err, session_of(ctx).profile), err.request_id)
            raise typer.Exit(OURS if err.is_ours else YOURS) from err
        except UnreachableError as err:
            output.error(f"{err}.", "Check the address and that the platform runs, then try again.")
            raise typer.Exit(OURS) from err
        except (ProfileError, InputError, SignatureRefused) as err:
            output.error(err.what, err.remedy)
            raise typer.Exit(YOURS) from err


def should_ask(yes: bool, as_json: bool) -> bool:
    """Return whether to ask before a step that is hard to undo: at a terminal, unless an option agreed to it."""
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


def _remedy(error: ProblemError, named: Path | None) -> str:
    if error.slug == "not-allowed":
        return f"{error.remedy} Or sign in as somebody who may: dynabench login {_address(named)} --user-name admin"
    if error.remedy:
        return error.remedy
    if error.retry_after is not None:
        return f"Try again in {error.retry_after:.0f} s."
    return (
        "Try again; if it stays, report the request." if error.is_ours else "Change the input and try again."
    )


def _address(named: Path | None) -> str:
    """Return the address of the profile's platform, or "URL" if there is no profile."""
    try:
        return profiles.read(profiles.locate(named)).url
    except ProfileError:
        return "URL"
