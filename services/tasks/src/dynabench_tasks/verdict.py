"""The verdict on a try: the targets' answers, judged by the task's ensemble rule."""

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """Verdicts of the server."""

    FOOLED = "fooled"
    NOT_FOOLED = "not_fooled"
    UNDECIDED = "undecided"
    UNKNOWN = "unknown"

    @property
    def is_decided(self) -> bool:
        """Return whether the try counts for or against the targets."""
        return self in (Verdict.FOOLED, Verdict.NOT_FOOLED)


@dataclass(frozen=True, slots=True)
class Ensemble:
    """The number of wrong targets that fool the ensemble: all of them when `needed` is None."""

    needed: int | None = 1

    def threshold(self, targets: int) -> int:
        """Return k for so many targets."""
        return targets if self.needed is None else self.needed

    def is_fooled(self, wrong: int, targets: int) -> bool:
        """Return whether `wrong` wrong answers of `targets` targets fool the ensemble."""
        return targets > 0 and wrong >= self.threshold(targets)

    def document(self) -> object:
        """Return the rule as its configuration says it."""
        if self.needed is None:
            return "all"
        return "any" if self.needed == 1 else {"at_least": self.needed}

    def decide(self, wrong: int, missing: int, asked: int, targets: int) -> Verdict | None:
        """Return the verdict, or None while the missing answers could still change it.

        `asked` answers wait for the author's judgement: the verdict is undecided if that alone can decide it. A round
        without targets asks nobody, so its tries are undecided and stand outside every rate. Targets that were not
        asked, since one before them was right, count among the missing: that one decides.
        """
        if targets == 0:
            return Verdict.UNDECIDED
        if self.is_fooled(wrong, targets):
            return Verdict.FOOLED
        if wrong + missing + asked < self.threshold(targets):
            return Verdict.NOT_FOOLED
        return Verdict.UNDECIDED if asked and not missing else None
