"""Plan of a round's release: its contents and the reasons that prevent it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from scoring.dataset.splits import Assignment, SplitUnfillable, assign
from scoring.domain.errors import ReleaseRefused
from scoring.domain.release import ReleaseOptions
from scoring.domain.round_facts import RoundFacts
from scoring.domain.standings import Alike, Standings, count

LARGE_AUTHOR_SHARE = 0.2


@dataclass(frozen=True)
class ReleasePlan:
    """The examples as they stand, who goes where (None if splits can't be filled), and every refusal."""

    standings: Standings
    assignment: Assignment | None
    refusals: tuple[ReleaseRefused, ...]
    has_free_text: bool = False
    is_collected_elsewhere: bool = False

    def notices(self) -> Iterator[str]:
        """Yield what the owner should know that hinders nothing."""
        standings, assignment = self.standings, self.assignment
        if self.is_collected_elsewhere:
            yield "The round was collected elsewhere: name the licence of that collection."
        if self.has_free_text:
            yield (
                "Explanations and metadata of free text are included. People wrote them for this platform, not for the "
                "public: look first whether they name anybody."
            )
        if standings.unchecked:
            yield f"{standings.unchecked} examples get no votes by the task's rule; they go to train as claimed."
        if standings.unclaimed:
            yield f"{standings.unclaimed} examples have neither gold nor claim and stand in no split."
        if assignment is None:
            return
        if assignment.held_back:
            yield (
                f"{assignment.held_back} examples without a gold are by authors of dev and test and stand in no "
                "split, since train must not hold these authors."
            )
        if assignment.largest_author_share >= LARGE_AUTHOR_SHARE:
            yield f"One author wrote {assignment.largest_author_share:.0%} of the dataset."


def plan_release(
    round_facts: RoundFacts, groups: Iterable[Alike], options: ReleaseOptions, *, is_released: bool
) -> ReleasePlan:
    """Return what a release with these options comes to."""
    standings = count(groups)
    refusals = list(_state_refusals(round_facts.state, is_released))
    if standings.pending and not options.accept_unresolved:
        refusals.append(_unresolved(standings.pending))
    assignment = None
    try:
        assignment = assign(standings.shares, options.splits)
    except SplitUnfillable as err:
        refusals.append(_unfillable(err))
    return ReleasePlan(standings, assignment, tuple(refusals), options.explanations, bool(round_facts.origin))


def _state_refusals(state: str, is_released: bool) -> Iterator[ReleaseRefused]:
    if is_released or state == "released":
        yield ReleaseRefused(
            "round-released", "The round was released before.", "Read its dataset, or open the next round."
        )
    elif state != "closed":
        yield ReleaseRefused(
            "round-not-closed",
            f"The round is {state}; only a closed round is released.",
            "Close the round, and wait until its examples are resolved.",
            state=state,
        )


def _unresolved(count: int) -> ReleaseRefused:
    return ReleaseRefused(
        "unresolved-examples",
        f"{count} examples still wait for votes.",
        "Wait for the votes, adjudicate them, or accept that they go to train as their authors claim "
        "(accept_unresolved).",
        count=count,
    )


def _unfillable(error: SplitUnfillable) -> ReleaseRefused:
    return ReleaseRefused(
        "split-unfillable",
        f"{error.split} should hold {error.wanted} examples, and {error.fits} fit: {error.available} have a gold, "
        f"{error.largest} of them by one author, and an author's examples stay in one split.",
        f"Ask for at most {error.fits} examples in {error.split}, or another seed.",
        split=error.split,
        wanted=error.wanted,
        fits=error.fits,
        available=error.available,
        largest_author=error.largest,
    )
