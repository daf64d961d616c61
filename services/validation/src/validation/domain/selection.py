"""The selection of examples for voting, and their priority.

Fooling examples carry the benchmark. A sample of the rest tells how often the model was right by chance. A hash of the
example's id draws the sample: the same example is in or out on every machine and after every rebuild.
"""

import hashlib
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from uuid import UUID


class Validate(StrEnum):
    """The kind of examples of a round that are validated, in addition to the sample."""

    FOOLING = "fooling"
    UNCERTAIN = "uncertain"
    ALL = "all"


class Priority(IntEnum):
    """Place of an example in the queue; lower comes first."""

    FOOLING = 0
    UNCERTAIN = 1
    REST = 2


class Order(StrEnum):
    """The order in which the next waiting example of a round is chosen."""

    MOST_INFORMATIVE = "most_informative"
    LONGEST_WAITING = "longest_waiting"


LONGEST_WAITING_EVERY = 10


def order_of_next(leases_given: int) -> Order:
    """Return the order for the next lease of a round that has granted `leases_given` leases.

    One in `LONGEST_WAITING_EVERY` goes to the example that has waited longest, at any priority and number of votes.
    Only finitely many examples are older than a given one. So each gets its turn, even behind an endless supply of
    more informative ones.
    """
    is_turn = leases_given % LONGEST_WAITING_EVERY == LONGEST_WAITING_EVERY - 1
    return Order.LONGEST_WAITING if is_turn else Order.MOST_INFORMATIVE


@dataclass(frozen=True)
class Selection:
    """The examples to validate: a kind of example, and a share of the others.

    `sample` is a share, 0 to 1; `margin_below` is a difference of probabilities, used by `uncertain` alone.
    """

    validate: Validate
    sample: float = 0.0
    margin_below: float = 0.0

    def priority(self, fooled: bool, margin: float | None) -> Priority:
        """Return the place of an example with that verdict and smallest margin of its targets."""
        if fooled:
            return Priority.FOOLING
        is_uncertain = (
            self.validate is Validate.UNCERTAIN and margin is not None and margin < self.margin_below
        )
        return Priority.UNCERTAIN if is_uncertain else Priority.REST

    def wants(
        self, example_id: UUID, fooled: bool, margin: float | None, was_shown_a_target: bool = True
    ) -> bool:
        """Return whether people are asked about the example; of a control arm, which has no verdicts, always."""
        if not was_shown_a_target:
            return True
        if self.validate is Validate.ALL or self.priority(fooled, margin) is not Priority.REST:
            return True
        return share_position(example_id) < self.sample


def share_position(example_id: UUID) -> float:
    """Return a number in [0, 1) that depends on the id alone and is spread evenly over ids."""
    return int.from_bytes(hashlib.sha256(example_id.bytes).digest()[:6], "big") / 2**48
