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
    """Return the effects of moving the round to `wanted`, or the reason why it can't move."""
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
        remedy = f"It can become {possible}." if possible else "A round in this state can't change."
        return (Blocker(f"A round that is {err.state.value} can't become {err.wanted.value}.", remedy),)
    except RoundHasNoContexts:
        return (Blocker("The round has no context to start from.", "Add contexts first."),)
    except EnsembleTooSmall as err:
        return (
            Blocker(
                f"The ensemble rule needs {err.needed} wrong models, but the round has {err.targets}.",
                "Add models to fool, or change the task's `ensemble`.",
            ),
        )
    return ()


def _consequences(round_: Round, held: Collected, wanted: RoundState) -> tuple[Consequence, ...]:
    match wanted:
        case RoundState.OPEN if round_.state is RoundState.CLOSED:
            return (
                Consequence("People can play the round again, with the same models."),
                Consequence("Contexts available.", held.contexts),
            )
        case RoundState.OPEN:
            return (
                Consequence("People can play the round."),
                Consequence("Contexts available.", held.contexts),
            )
        case RoundState.PAUSED:
            return (
                Consequence("New tries are refused until the round is open again. Texts stay in the forms."),
                Consequence("People who are writing right now.", held.people_at_work),
                Consequence("Checking continues."),
            )
        case _:
            return (
                Consequence("Tries are refused from now on."),
                Consequence("People who are writing right now.", held.people_at_work),
                Consequence("Unused contexts.", held.unused_contexts),
                Consequence("Checking continues until all examples have an outcome."),
                Consequence("The round can be opened again until it is released.")
                if round_.is_written_here
                else Consequence("No more records can be added."),
            )
