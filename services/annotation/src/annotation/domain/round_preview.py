"""A preview of a round's move: its effects in words, before anybody makes it."""

from dataclasses import dataclass

from dynabench_tasks.rounds import RoundState
from dynabench_tasks.verdict import Ensemble

from annotation.domain.round import EnsembleTooSmall, Round, RoundHasNoContexts, TransitionRefused


@dataclass(frozen=True)
class Collected:
    """Counts of a round: usable contexts, unused contexts, and people with an assigned context."""

    contexts: int
    unused_contexts: int
    people_at_work: int


@dataclass(frozen=True)
class Consequence:
    """One thing that would happen, and to how many where that can be counted."""

    text: str
    count: int | None = None


@dataclass(frozen=True)
class Blocker:
    """A reason why the round cannot be moved, and its remedy."""

    text: str
    remedy: str


@dataclass(frozen=True)
class Preview:
    """The effects of moving a round to another state."""

    consequences: tuple[Consequence, ...]
    blockers: tuple[Blocker, ...]


def preview(round_: Round, ensemble: Ensemble, held: Collected, wanted: RoundState) -> Preview:
    """Say what moving the round to `wanted` would do, or why it can't."""
    blockers = _blockers(round_, ensemble, held, wanted)
    return Preview(() if blockers else _consequences(round_, held, wanted), blockers)


def _blockers(round_: Round, ensemble: Ensemble, held: Collected, wanted: RoundState) -> tuple[Blocker, ...]:
    if wanted is round_.state:
        return (Blocker(f"The round is {wanted.value} already.", "There is nothing to do."),)
    try:
        if wanted is RoundState.OPEN:
            round_.ensure_can_open(held.contexts, ensemble)
        round_.ensure_can_become(wanted)
    except TransitionRefused as err:
        possible = ", ".join(sorted(err.possible))
        remedy = (
            f"From here it can become {possible}." if possible else "A round in this state stays as it is."
        )
        return (Blocker(f"A round that is {err.state.value} can't become {err.wanted.value}.", remedy),)
    except RoundHasNoContexts:
        return (Blocker("The round has no context to start from.", "Upload contexts first."),)
    except EnsembleTooSmall as err:
        return (
            Blocker(
                f"The ensemble rule asks for {err.needed} wrong targets, the round has {err.targets}.",
                "Add targets, or change the task's `ensemble`.",
            ),
        )
    return ()


def _consequences(round_: Round, held: Collected, wanted: RoundState) -> tuple[Consequence, ...]:
    match wanted:
        case RoundState.OPEN if round_.state is RoundState.CLOSED:
            return (
                Consequence("People can write in the round again, on its targets of before."),
                Consequence("Contexts they can start from.", held.contexts),
            )
        case RoundState.OPEN:
            return (
                Consequence("People can write in the round."),
                Consequence("Contexts they can start from.", held.contexts),
            )
        case RoundState.PAUSED:
            return (
                Consequence("Tries are refused until the round is open again; texts stay in the forms."),
                Consequence("People who have a context in hand.", held.people_at_work),
                Consequence("Validation goes on."),
            )
        case _:
            return (
                Consequence("Tries are refused from now on."),
                Consequence("People who have a context in hand.", held.people_at_work),
                Consequence("Contexts that nobody has used.", held.unused_contexts),
                Consequence("Validation goes on until everything that waits is resolved."),
                Consequence("The round can be opened again until it is released.")
                if round_.is_written_here
                else Consequence("No more records can be added."),
            )
