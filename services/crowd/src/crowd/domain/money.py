"""Rules of money: hourly pay and the floor, the cost of a campaign, fees, bonuses, and the outcome of payments.

All amounts are whole minor units of one currency. Hourly pay is rounded down and a top-up is rounded up, so that
rounding never hides pay below the floor.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from fractions import Fraction
from uuid import UUID

from dynabench_api.words import PaymentKind, PaymentState

MOST_MINOR = 10_000_000
"""The largest amount that a person may state: 100,000 of most currencies."""
SECONDS_PER_HOUR = 3_600
FEWEST_TO_JUDGE = 5
"""Submissions after which the median decides about low pay; fewer if the campaign has fewer places."""
PAID_BY_STATE = frozenset({PaymentKind.REWARD, PaymentKind.SCREEN_OUT})
"""Kinds that a platform pays by itself when it knows the assignment's state."""
SETTLING = timedelta(minutes=2)
"""Time in which a platform lists a payment that it has made."""
LISTING = timedelta(minutes=15)
"""Time after which the owner may settle a payment that the platform does not list."""


class Account(StrEnum):
    """An account of the ledger. `owner` is the outside: every amount comes from there."""

    OWNER = "owner"
    RESERVED = "reserved"
    OWED = "owed"
    PAID = "paid"
    LOSS = "loss"
    FEES = "fees"


class PostingKind(StrEnum):
    """The reason of an entry of the ledger."""

    RESERVED = "reserved"
    RELEASED = "released"
    OWED = "owed"
    BONUS = "bonus"
    REVERSED = "reversed"
    PAID = "paid"
    FEE = "fee"
    LOSS = "loss"


@dataclass(frozen=True)
class Move:
    """A kind of entry with its two accounts."""

    kind: PostingKind
    source: Account
    target: Account


RESERVE = Move(PostingKind.RESERVED, Account.OWNER, Account.RESERVED)
RELEASE = Move(PostingKind.RELEASED, Account.RESERVED, Account.OWNER)
OWE_REWARD = Move(PostingKind.OWED, Account.RESERVED, Account.OWED)
REVERSE_REWARD = Move(PostingKind.REVERSED, Account.OWED, Account.RESERVED)
OWE_EXTRA = Move(PostingKind.OWED, Account.OWNER, Account.OWED)
"""Screen-outs and top-ups use no place, so nothing is reserved for them."""
PAY = Move(PostingKind.PAID, Account.OWED, Account.PAID)
TAKE_FEE = Move(PostingKind.FEE, Account.RESERVED, Account.FEES)
OWE_BONUS = Move(PostingKind.BONUS, Account.OWNER, Account.OWED)
LOSE = Move(PostingKind.LOSS, Account.PAID, Account.LOSS)
REGAIN = Move(PostingKind.REVERSED, Account.LOSS, Account.PAID)


class Covered(StrEnum):
    """Kind of payment that contains an amount: none, one without a known outcome, or one that was made."""

    NO = "no"
    UNSETTLED = "unsettled"
    PAID = "paid"


def next_move(owe: Move, account: Account, covered: Covered, *, is_due: bool) -> Move | None:
    """Return the entry by which an amount follows its reason; None if it follows already.

    `owe` is the first entry, and `account` is where the amount is now: the source of `owe` if it is not owed. For
    example, a bonus is due while its example is a validated error. An unsettled payment leaves the amount where it is:
    the settlement decides whether it becomes a loss. An amount is paid at most once.
    """
    if is_due:
        return {owe.source: owe, Account.LOSS: REGAIN}.get(account)
    if account in (owe.source, Account.LOSS) or covered is Covered.UNSETTLED:
        return None
    return LOSE if covered is Covered.PAID else Move(PostingKind.REVERSED, owe.target, owe.source)


@dataclass(frozen=True)
class OwedAmount:
    """An amount that is owed to an assignment and that no payment contains; `cause` is that of its entry."""

    assignment_id: UUID
    cause: str
    amount_minor: int

    @property
    def kind(self) -> PaymentKind:
        """Return the kind of its payment, which begins its cause."""
        return PaymentKind(self.cause.partition(":")[0])


@dataclass(frozen=True)
class Draft:
    """A payment to make: all amounts of one assignment that are paid by the same call."""

    assignment_id: UUID
    kind: PaymentKind
    amount_minor: int
    causes: tuple[str, ...]


def drafts(owed: Iterable[OwedAmount], *, by_platform: bool) -> list[Draft]:
    """Return payments of the owed amounts, in the order of the assignments.

    A platform pays rewards and screen-outs by calls of their own, and everything else as one bonus. By hand, an
    assignment gets one payment, of the kind that comes first in PaymentKind.
    """
    amounts: dict[tuple[UUID, str], list[OwedAmount]] = {}
    for each in owed:
        call = each.kind if by_platform and each.kind in PAID_BY_STATE else PaymentKind.BONUS
        amounts.setdefault((each.assignment_id, call), []).append(each)
    order = list(PaymentKind)
    return [
        Draft(
            assignment_id,
            min((each.kind for each in parts), key=order.index),
            sum(each.amount_minor for each in parts),
            tuple(sorted(each.cause for each in parts)),
        )
        for (assignment_id, _), parts in sorted(amounts.items())
    ]


def hourly_minor(reward_minor: int, seconds: float | None) -> int | None:
    """Return the pay for an hour of work that takes `seconds`, rounded down; None without a measurement."""
    return None if not seconds else reward_minor * SECONDS_PER_HOUR // Fraction(seconds)


def top_up_minor(reward_minor: int, seconds: float | None, floor_minor: int) -> int:
    """Return the least amount that lifts a reward to the hourly floor; 0 if it needs none or nothing is measured."""
    if not seconds:
        return 0
    return max(0, -(-floor_minor * Fraction(seconds) // SECONDS_PER_HOUR) - reward_minor)


def most_bonus_minor(bonus_minor: int, units: int, places: int) -> int:
    """Return the bonuses of a campaign in which every example becomes a validated error."""
    return bonus_minor * units * places


def fee_share(reserved_minor: int, places: int, reward_minor: int) -> int:
    """Return the platform's fee for one place of a reservation, rounded down."""
    return max(0, reserved_minor // places - reward_minor)


def is_time_to_judge(submissions: int, places: int) -> bool:
    """Return whether enough people have handed in to compare the median pay with the floor."""
    return submissions >= min(FEWEST_TO_JUDGE, places)


def is_recorded(amount_minor: int, recorded: Sequence[int], known: Sequence[int]) -> bool:
    """Return whether a platform has recorded a bonus beyond those of payments that are `known` to be made."""
    return (Counter(recorded) - Counter(known))[amount_minor] > 0


def is_unconfirmed(state: str, attempted_at: datetime | None, now: datetime) -> bool:
    """Return whether a platform has had long enough to list a payment, so that its owner may decide."""
    return state == PaymentState.UNKNOWN and attempted_at is not None and now - attempted_at >= LISTING


class NextStep(StrEnum):
    """Next step of a payment whose outcome did not arrive."""

    SETTLE = "settle"
    WAIT = "wait"
    PAY_AGAIN = "pay_again"
    GIVE_UP = "give_up"


def next_step(*, is_found: bool, was_refused: bool, attempted_at: datetime, now: datetime) -> NextStep:
    """Return what follows for a payment whose outcome did not arrive.

    A platform may take minutes to list a payment. A refusal of a further attempt proves nothing about the first one:
    the platform may refuse since it has paid.
    """
    if is_found:
        return NextStep.SETTLE
    if now - attempted_at < SETTLING:
        return NextStep.WAIT
    return NextStep.GIVE_UP if was_refused else NextStep.PAY_AGAIN


@dataclass(frozen=True)
class Rates:
    """The operator's lowest permitted and recommended hourly pay, by currency."""

    floor: Mapping[str, int]
    recommended: Mapping[str, int]


def read_rates(text: str) -> dict[str, int]:
    """Read hourly rates such as `GBP=900,USD=1200`. Raises ValueError."""
    rates: dict[str, int] = {}
    for part in filter(None, (each.strip() for each in text.split(","))):
        currency, sign, amount = part.partition("=")
        if not sign or not (currency.isascii() and currency.isupper()) or len(currency) != 3:
            raise ValueError(f"{part!r} is no hourly rate: write GBP=900, an ISO 4217 code and minor units")
        if not (amount.isascii() and amount.isdigit()) or int(amount) > MOST_MINOR or currency in rates:
            raise ValueError(f"{part!r} is no hourly rate: write each currency once, with 0 to {MOST_MINOR}")
        rates[currency] = int(amount)
    return rates
