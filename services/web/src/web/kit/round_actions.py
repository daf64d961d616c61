"""Addresses of owners' pages about a round, what waits for them there, what they may do, and for which reason."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from dynabench_client.results.annotation import Blocker, Round
from dynabench_client.results.leaderboard import RoundStanding
from dynabench_client.results.validation import ExamplesWaiting, ValidationCounts, WorkCounts

from web.kit import form
from web.kit.language import N_, NC_, _, ngettext, pgettext
from web.kit.numbers import count
from web.kit.outcomes import Outcome
from web.kit.questions import refusal
from web.kit.rounds import UNFINISHED
from web.kit.service_words import service_words

WORK_KINDS = {
    "disputed": (N_("Without agreement"), N_("the votes can no longer agree")),
    "flagged": (N_("Found unfit"), N_("people flagged them")),
    "appealed": (N_("Appealed"), N_("the authors disagree with the outcome")),
    "question": (N_("Questions"), N_("the authors wait for an answer")),
    "low_posterior": (N_("Doubtful"), N_("decided by votes that look unreliable")),
}

PAUSE_APPEALS = (N_("Appeals against pauses"), N_("paused checkers ask to continue"))


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
LONGEST_REASON = 1000


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
        "question": counts.question,
        "low_posterior": counts.low_posterior,
    }


def actions(found: Round) -> Sequence[ActionLink]:
    """Return what the owner may do with a round in its state."""
    address = round_address(found)
    links = [ActionLink(name, f"{address}/state/{state}") for name, state in moves(found)]
    if found.state in UNFINISHED and not found.is_collected_elsewhere:
        links.append(ActionLink(_("Change the models"), f"{address}/targets"))
    if found.state == "released":
        links.append(ActionLink(_("See the dataset"), f"/datasets?task={quote(found.task_slug, safe='')}"))
    if found.state == "closed":
        links.append(
            ActionLink(
                pgettext("what is done with a round", "Release"), f"{address}/release", is_primary=True
            )
        )
    return [
        *links,
        ActionLink(_("Change votes"), f"{task_address(found)}/edit"),
        ActionLink(_("Draft the next round"), f"{address}/next"),
    ]


def moves(found: Round) -> list[tuple[str, str]]:
    """Return the states that the owner may move a round to, each with the verb; what is imported is only closed."""
    table = COLLECTED_ELSEWHERE_MOVES if found.is_collected_elsewhere else MOVES
    return [(pgettext(VERB, verb), state) for verb, state in table.get(found.state, [])]


@dataclass(frozen=True)
class BlockerView:
    """Obstacle and its remedy."""

    text: str
    remedy: str


def blocker_views(blockers: Sequence[Blocker]) -> list[BlockerView]:
    """Return the obstacles to an action on a round."""
    return [BlockerView(service_words(each.text), service_words(each.remedy)) for each in blockers]


def waiting_votes(found: ValidationCounts) -> str:
    """Return how many examples wait for votes, and how many of them because they fooled.

    A dataset waits only for examples that fooled; most tasks also sample the rest, so both numbers are shown.
    """
    sentences = [
        ngettext(
            "%(shown)s\u00a0example waits for votes.",
            "%(shown)s\u00a0examples wait for votes.",
            found.pending,
            shown=count(found.pending),
        )
    ]
    if 0 < found.pending_fooling < found.pending:
        sentences.append(
            ngettext(
                "%(shown)s of them fooled a model.",
                "%(shown)s of them fooled a model.",
                found.pending_fooling,
                shown=count(found.pending_fooling),
            )
        )
    return " ".join(sentences)


def given_reason(remedy: str) -> Outcome[str]:
    """Return the form's reason for the audit log, or the problem that there is none or that it is too long."""
    reason = form.text("reason")
    if not reason:
        return Outcome(problem=refusal("reason", _("The reason is missing."), remedy))
    if len(reason) > LONGEST_REASON:
        detail = _("The reason has %(characters)s characters.", characters=count(len(reason)))
        return Outcome(
            problem=refusal(
                "reason", detail, _("Shorten it to %(limit)s or fewer.", limit=count(LONGEST_REASON))
            )
        )
    return Outcome(value=reason)
