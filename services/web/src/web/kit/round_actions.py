"""Addresses of owners' pages about a round, what waits for them there, and what they may do."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from dynabench_client.results.annotation import Round
from dynabench_client.results.owner_work import ExamplesWaiting, WorkCounts
from dynabench_client.results.standing import RoundStanding

from web.kit.language import N_, NC_, _, pgettext
from web.kit.numbers import count

WORK_KINDS = {
    "disputed": (N_("Disputed"), N_("the votes can't agree any more")),
    "flagged": (N_("Flagged"), N_("people say it is unfit")),
    "appealed": (N_("Appealed"), N_("the author disagrees with what became of it")),
    "low_posterior": (N_("Doubtful"), N_("decided by votes that look doubtful beside all others")),
}

PAUSE_APPEALS = (N_("Appeals against pauses"), N_("validators of the task ask to go on"))


@dataclass(frozen=True)
class Need:
    """Something that waits for the owner, with the page where it is done."""

    name: str
    meaning: str
    number: str
    address: str


@dataclass(frozen=True)
class ActionLink:
    """Something that the owner may do with the round, on a page of its own that says first what it would do."""

    name: str
    address: str
    is_primary: bool = False


VERB = "what is done with a round"
MOVES = {
    "draft": [(NC_("what is done with a round", "Open"), "open")],
    "open": [
        (NC_("what is done with a round", "Pause"), "paused"),
        (NC_("what is done with a round", "Close"), "closed"),
    ],
    "paused": [
        (NC_("what is done with a round", "Open"), "open"),
        (NC_("what is done with a round", "Close"), "closed"),
    ],
    "closed": [(NC_("what is done with a round", "Reopen"), "open")],
}
COLLECTED_ELSEWHERE_MOVES = {"draft": [(NC_("what is done with a round", "Close"), "closed")]}
MOST_TARGETS = 8
TAKES_TARGETS = {"draft", "open", "paused"}


def round_address(found: Round | RoundStanding, *parts: str) -> str:
    """Return the address of an owner's page about a round."""
    return "/".join((task_address(found), "rounds", str(found.number), *parts))


def task_address(found: Round | RoundStanding) -> str:
    """Return the address of the round's task."""
    return "/tasks/" + quote(found.task_slug or "", safe="")


def needs(counts: WorkCounts, found: Round) -> list[Need]:
    """Return what waits for the owner, kind by kind; nothing where nothing waits."""
    address = round_address(found)
    queues = [
        Need(_(name), _(meaning), count(number), f"{address}/work?kind={kind}")
        for kind, (name, meaning) in WORK_KINDS.items()
        if (number := waiting(counts)[kind])
    ]
    appeals = counts.pause_appeals
    if not appeals:
        return queues
    name, meaning = PAUSE_APPEALS
    return [*queues, Need(_(name), _(meaning), count(appeals), f"{task_address(found)}/validators")]


def waiting(counts: ExamplesWaiting) -> dict[str, int]:
    """Return how many examples wait for the owner, by kind; one may wait for several reasons."""
    return {
        "disputed": counts.disputed,
        "flagged": counts.flagged,
        "appealed": counts.appealed,
        "low_posterior": counts.low_posterior,
    }


def actions(found: Round) -> Sequence[ActionLink]:
    """Return what the owner may do with a round in its state."""
    address = round_address(found)
    links = [ActionLink(name, f"{address}/state/{state}") for name, state in moves(found)]
    if found.state in TAKES_TARGETS and not found.origin:
        links.append(ActionLink(_("Change targets"), f"{address}/targets"))
    if found.state == "released":
        links.append(ActionLink(_("See its dataset"), f"/datasets?task={quote(found.task_slug, safe='')}"))
    if found.state == "closed":
        links.append(
            ActionLink(
                pgettext("what is done with a round", "Release"), f"{address}/release", is_primary=True
            )
        )
    return [
        *links,
        ActionLink(_("Change votes"), f"{task_address(found)}/edit"),
        ActionLink(_("Open the next round"), f"{address}/next"),
    ]


def moves(found: Round) -> list[tuple[str, str]]:
    """Return the states that the owner may move a round to, each with the verb; what is imported is only closed."""
    table = COLLECTED_ELSEWHERE_MOVES if found.origin else MOVES
    return [(pgettext(VERB, verb), state) for verb, state in table.get(found.state, [])]
