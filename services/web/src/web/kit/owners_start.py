"""An owner's way to the first try of a round: the steps with what is done, the preview, and the invitation."""

from collections.abc import Sequence
from dataclasses import dataclass

from dynabench_client.results.annotation import Round

from web.kit.configuration import TaskRules
from web.kit.language import NC_, _, pgettext
from web.kit.round_actions import round_address
from web.kit.rounds import UNFINISHED
from web.kit.sharing import own_address
from web.kit.words import Word

STEP = "a step of a list"
DONE = Word(NC_("a step of a list", "done"), "✓", "correct")
TO_DO = Word(NC_("a step of a list", "to do"), "○", "draft")


@dataclass(frozen=True)
class Step:
    """A step, with the page where it is done; without an address while an earlier one is missing."""

    name: str
    state: Word
    address: str = ""
    help: str = ""


@dataclass(frozen=True)
class OwnersStart:
    """The steps, empty after the first try; addresses are empty where nobody can write any more.

    A private task has other invitations. `starter` leads to making a weak model for the task's labels, while a round
    has none.
    """

    steps: Sequence[Step]
    preview: str
    invitation: str
    starter: str = ""


def owners_start(rules: TaskRules, found: Round | None, tries: int | None, *, joins: str) -> OwnersStart:
    """Return the way to the first try of the task's newest round, if there is one.

    `tries` is None while it can't be read; then only a draft has steps. `joins` is the path of the invitation.
    """
    starter = f"/tasks/{rules.slug}/starter" if rules.labels else ""
    if found is None:
        return OwnersStart(_steps(rules, None), "", "", starter)
    if found.origin or found.state not in UNFINISHED:
        return OwnersStart([], "", "")
    return OwnersStart(
        _steps(rules, found) if tries == 0 or found.state == "draft" else [],
        f"/rounds/{found.round_id}/preview",
        "" if rules.is_private else own_address(joins),
        "" if found.targets else starter,
    )


def _steps(rules: TaskRules, found: Round | None) -> list[Step]:
    base, round_page = ("", "") if found is None else (round_address(found), f"/rounds/{found.round_id}")
    address, is_open = f"/tasks/{rules.slug}", found is not None and found.is_open
    return [
        _step(_("Write the task's rules"), True, f"{address}/edit"),
        _step(_("Write guidelines"), bool(rules.instructions), f"{address}/guidelines"),
        _step(_("Draft a round"), found is not None, f"{address}/manage#new-round"),
        _step(
            _("Choose a model to fool"),
            found is not None and bool(found.targets),
            base and f"{base}/targets",
            _("optional: without a model, texts are collected"),
        ),
        _step(
            _("Add contexts"),
            found is not None and found.contexts > 0,
            round_page and f"{round_page}/contexts",
            _("texts that people start from"),
        ),
        _step(
            _("Open the round"), found is not None and found.state != "draft", base and f"{base}/state/open"
        ),
        _step(_("Write the first text"), False, f"{round_page}/create" if is_open else ""),
    ]


def _step(name: str, is_done: bool, address: str, help_: str = "") -> Step:
    state = DONE if is_done else TO_DO
    return Step(name, Word(pgettext(STEP, state.text), state.sign, state.style), address, help_)
