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
    """The standings of the examples, the split of each author (None if splits can't be filled), and every refusal."""

    standings: Standings
    assignment: Assignment | None
    refusals: tuple[ReleaseRefused, ...]
    has_free_text: bool = False
    is_collected_elsewhere: bool = False

    def notices(self) -> Iterator[str]:
        """Yield the notices for the owner that do not prevent the release."""
        standings, assignment = self.standings, self.assignment
        if self.is_collected_elsewhere:
            yield "The round was collected elsewhere: name the licence of that collection."
        if self.has_free_text:
            yield (
                "Explanations and free-text metadata are included. People did not write them for the public: check "
                "first that they name nobody."
            )
        if standings.unchecked:
            yield (
                f"By the task's rule, {standings.unchecked} examples get no votes. They go to train with their "
                "authors' labels."
            )
        if standings.unclaimed:
            yield f"{standings.unclaimed} examples have no label at all, so they are in no split."
        if assignment is None:
            return
        if assignment.held_back:
            yield (
                f"{assignment.held_back} examples without an agreed label are by authors of dev and test. They are in "
                "no split, because train must not contain these authors."
            )
        if assignment.largest_author_share >= LARGE_AUTHOR_SHARE:
            yield f"One author wrote {assignment.largest_author_share:.0%} of the dataset."


def plan_release(
    round_facts: RoundFacts, groups: Iterable[Alike], options: ReleaseOptions, *, is_released: bool
) -> ReleasePlan:
    """Return the plan of a release with these options."""
    standings = count(groups)
    refusals = list(_state_refusals(round_facts.state, is_released))
    if round_facts.was_public_at_once and (options.splits.dev or options.splits.test):
        refusals.append(_public_at_once("test" if options.splits.test else "dev"))
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
        "Wait for the votes, decide the examples yourself, or accept that they go to train with their authors' labels "
        "(accept_unresolved).",
        count=count,
    )


def _public_at_once(split: str) -> ReleaseRefused:
    return ReleaseRefused(
        "public-at-once",
        "Anybody could read confirmed errors of this round before its release, so models may have been trained on "
        "them.",
        "Ask for no dev and no test: set both sizes to 0.",
        split=split,
    )


def _unfillable(error: SplitUnfillable) -> ReleaseRefused:
    return ReleaseRefused(
        "split-unfillable",
        f"{error.split} should have {error.wanted} examples, but only {error.fits} fit: {error.available} have an "
        f"agreed label, {error.largest} of them by one author, and an author's examples stay in one split.",
        f"Ask for at most {error.fits} examples in {error.split}, or another seed.",
        split=error.split,
        wanted=error.wanted,
        fits=error.fits,
        available=error.available,
        largest_author=error.largest,
    )
