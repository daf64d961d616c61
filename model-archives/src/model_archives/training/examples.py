"""Training and evaluation examples of every kind, and the split that never separates examples of one group."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar


@dataclass(frozen=True)
class LabelledText:
    """The texts of an instance in the order of the model's fields, with gold labels (one, or several at once).

    Examples of one `group` (variants of one text, sentences on one premise) are never split between training and
    evaluation.
    """

    texts: tuple[str, ...]
    labels: tuple[str, ...]
    group: str


@dataclass(frozen=True)
class Question:
    """A question on a passage with its gold answers; `start` is where the first of them begins, in code points."""

    passage: str
    question: str
    answers: tuple[str, ...]
    start: int
    group: str

    @property
    def end(self) -> int:
        """Return the end of the first answer."""
        return self.start + len(self.answers[0])


Example = TypeVar("Example", bound=LabelledText | Question)


def split_held_out(
    examples: Sequence[Example], share: float, seed: int
) -> tuple[list[Example], list[Example]]:
    """(trained on, held out): a share of the groups, drawn by the seed, is held out whole, so nothing leaks."""
    groups = sorted({example.group for example in examples})
    held_out = set(random.Random(seed).sample(groups, round(share * len(groups))))  # noqa: S311 - not a secret
    kept = [example for example in examples if example.group not in held_out]
    return kept, [example for example in examples if example.group in held_out]
