"""Assignment of authors to train, dev and test.

Splits are author-exclusive: all examples of one person are in one split. So a model can't learn a person's habits in
train and meet them again in test.

Dev and test take whole authors in an order drawn by the seed, and of those only examples with a gold. Their other
examples are left out of the dataset, since train must not have these authors. Train takes all other authors. An example
of an unknown author counts as an author of its own.

Whole authors seldom add up to the requested size, so a split may be smaller: by up to a tenth of a requested count, or
up to half of a requested share, which is only approximate.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

LEAST_OF_COUNT = 0.9
LEAST_OF_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class AuthorShare:
    """Numbers of one author's examples that may enter a dataset: with a gold, and without one.

    `author` is the id as text. A preview asks about every author of the round, and converting texts to ids takes a
    third of its time.
    """

    author: str
    golds: int
    others: int


@dataclass(frozen=True, slots=True)
class SplitOptions:
    """Sizes of dev and test in examples, or below 1 as shares of the examples with a gold; and the seed."""

    dev: float = 0.1
    test: float = 0.1
    seed: int = 0


@dataclass(frozen=True, slots=True)
class SplitSize:
    """Numbers of examples and authors in a split."""

    examples: int
    authors: int


@dataclass(frozen=True, slots=True)
class Assignment:
    """The authors of dev and test; everybody else's examples are train's.

    `held_back` counts examples without a gold by authors of dev and test, which are in no split.
    """

    held_out: Mapping[str, str]
    sizes: Mapping[str, SplitSize]
    largest_author_share: float
    held_back: int

    def split_of(self, author: UUID, has_gold: bool) -> str | None:
        """Return the split of an example, None for one in no split."""
        split = self.held_out.get(str(author), "train")
        return split if has_gold or split == "train" else None


class SplitUnfillable(Exception):
    """A split can't be filled by whole authors.

    Of the `wanted` examples, only `fits` fit. `available` examples have a gold, `largest` of them by one author.
    """

    def __init__(self, split: str, wanted: int, fits: int, available: int, largest: int) -> None:
        super().__init__(f"{split}: {wanted} wanted, {fits} fit")
        self.split = split
        self.wanted = wanted
        self.fits = fits
        self.available = available
        self.largest = largest


def assign(shares: Iterable[AuthorShare], options: SplitOptions) -> Assignment:
    """Return the assignment of authors to splits; the result does not depend on the order of `shares`.

    Raises SplitUnfillable.
    """
    drawn = sorted(shares, key=lambda share: _draw(options.seed, share.author))
    available = sum(share.golds for share in drawn)
    held_out: dict[str, str] = {}
    sizes: dict[str, SplitSize] = {}
    for split, asked in (("test", options.test), ("dev", options.dev)):
        wanted = _count(asked, available)
        taken = _take(drawn, held_out, wanted)
        fits = sum(share.golds for share in taken)
        if fits < wanted * (LEAST_OF_SHARE if asked < 1 else LEAST_OF_COUNT):
            largest = max((share.golds for share in drawn), default=0)
            raise SplitUnfillable(split, wanted, fits, available, largest)
        held_out.update((share.author, split) for share in taken)
        sizes[split] = SplitSize(fits, len(taken))
    rest = [share for share in drawn if share.author not in held_out]
    examples = sum(share.golds + share.others for share in rest)
    sizes["train"] = SplitSize(examples, len(rest))
    return Assignment(
        held_out,
        {name: sizes[name] for name in ("train", "dev", "test")},
        _largest_share(drawn),
        sum(share.others for share in drawn if share.author in held_out),
    )


def _draw(seed: int, author: str) -> bytes:
    return hashlib.sha256(f"{seed}:{author}".encode()).digest()


def _count(asked: float, available: int) -> int:
    return round(asked * available) if asked < 1 else int(asked)


def _take(drawn: Iterable[AuthorShare], held_out: Mapping[str, str], wanted: int) -> list[AuthorShare]:
    taken: list[AuthorShare] = []
    room = wanted
    for share in drawn:
        if 0 < share.golds <= room and share.author not in held_out:
            taken.append(share)
            room -= share.golds
    return taken


def _largest_share(shares: Iterable[AuthorShare]) -> float:
    counts = [share.golds + share.others for share in shares]
    return max(counts) / sum(counts) if any(counts) else 0.0
