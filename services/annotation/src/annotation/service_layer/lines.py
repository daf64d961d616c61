"""Files of JSON lines: a line as it was read, and what is found wrong with lines, counted whole and shown in part."""

from dataclasses import dataclass, field

from dynabench_tasks.fields import InputRefused

MOST_ERRORS_SHOWN = 100


@dataclass(frozen=True)
class Line:
    """A line of a file, by its number from 1: a JSON document, or why it is none."""

    number: int
    document: object = None
    flaw: InputRefused | None = None


@dataclass(frozen=True)
class UnusableLine:
    """What is wrong with a line, and what to do about it."""

    line: int
    field: str
    reason: str
    remedy: str


@dataclass(eq=False)
class LinesUnusable(Exception):
    """Lines that can't be taken: the first of them, and how many there are."""

    errors: tuple[UnusableLine, ...]
    error_count: int


@dataclass
class Findings:
    """Errors as they are found; of those beyond the first ones only the number is kept."""

    kind: type[LinesUnusable]
    shown: list[UnusableLine] = field(default_factory=list)
    count: int = 0

    def add(self, line: int, refusal: InputRefused) -> None:
        """Take in what is wrong with a line."""
        self.count += 1
        if len(self.shown) < MOST_ERRORS_SHOWN:
            self.shown.append(UnusableLine(line, refusal.field, refusal.reason, refusal.remedy))

    def raise_any(self) -> None:
        """Raise LinesUnusable, of the kind that was asked for, if anything was found."""
        if self.count:
            raise self.kind(tuple(self.shown), self.count)
