"""Rules of money as tables: each row begins with its rule in words."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from crowd.domain.money import (
    LOSE,
    MOST_MINOR,
    OWE_BONUS,
    REGAIN,
    Account,
    Covered,
    Draft,
    Move,
    NextStep,
    OwedAmount,
    PostingKind,
    drafts,
    fee_share,
    hourly_minor,
    is_recorded,
    is_time_to_judge,
    next_move,
    next_step,
    read_rates,
    top_up_minor,
)
from dynabench_api.words import PaymentKind
from hypothesis import given
from hypothesis import strategies as st

NOW = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
ANN, BOB = UUID(int=1), UUID(int=2)
AMOUNTS = st.integers(0, MOST_MINOR)
SECONDS = st.floats(0.001, 10_000_000)
TAKE_BACK = Move(PostingKind.REVERSED, Account.OWED, Account.OWNER)
NO, UNSETTLED, PAID = Covered.NO, Covered.UNSETTLED, Covered.PAID

MOVES = [
    ("an error is owed its bonus", Account.OWNER, NO, True, OWE_BONUS),
    ("a second request changes nothing", Account.OWED, NO, True, None),
    ("no error is owed nothing", Account.OWNER, NO, False, None),
    ("a reversal before payment takes the bonus back", Account.OWED, NO, False, TAKE_BACK),
    ("a reversal waits while the payment's outcome is unknown", Account.OWED, UNSETTLED, False, None),
    ("a reversal after payment is a loss", Account.OWED, PAID, False, LOSE),
    ("a paid bonus of an error stays", Account.OWED, PAID, True, None),
    ("a second reversal after payment changes nothing", Account.LOSS, PAID, False, None),
    ("an error confirmed again after payment is no loss, and owes nothing", Account.LOSS, PAID, True, REGAIN),
    ("a bonus that was regained can be lost again", Account.PAID, PAID, False, LOSE),
    ("a bonus that was regained is not owed again", Account.PAID, PAID, True, None),
]


@pytest.mark.parametrize(
    ("account", "covered", "is_due", "move"), [row[1:] for row in MOVES], ids=[row[0] for row in MOVES]
)
def test_a_bonus_follows_its_resolution(
    account: Account, covered: Covered, is_due: bool, move: Move | None
) -> None:
    assert next_move(OWE_BONUS, account, covered, is_due=is_due) == move


PAY = [
    ("ten minutes for 1.50 are 9.00 an hour", 150, 600, 900, 900, 0),
    ("a second more is below the floor, and one unit lifts it", 150, 601, 900, 898, 1),
    ("half the floor needs as much again", 75, 600, 900, 450, 75),
    ("without a reward the whole floor is missing", 0, 3_600, 900, 0, 900),
    ("without a floor nothing is missing", 1, 3_600, 0, 1, 0),
    ("without a measurement nothing is known", 150, None, 900, None, 0),
    ("the largest reward in the shortest time does not overflow", MOST_MINOR, 0.5, 900, 72_000_000_000, 0),
]


@pytest.mark.parametrize(
    ("reward", "seconds", "floor", "hourly", "top_up"), [row[1:] for row in PAY], ids=[row[0] for row in PAY]
)
def test_hourly_pay(reward: int, seconds: float | None, floor: int, hourly: int | None, top_up: int) -> None:
    assert hourly_minor(reward, seconds) == hourly
    assert top_up_minor(reward, seconds, floor) == top_up


@given(AMOUNTS, SECONDS, AMOUNTS)
def test_a_top_up_is_the_least_amount_that_reaches_the_floor(reward: int, seconds: float, floor: int) -> None:
    top_up = top_up_minor(reward, seconds, floor)
    assert (hourly_minor(reward + top_up, seconds) or 0) >= floor
    assert top_up == 0 or (hourly_minor(reward + top_up - 1, seconds) or 0) < floor


FEES = [
    ("a third on top", 4 * 200, 4, 150, 50),
    ("the rest of a division stays reserved", 4 * 200 + 3, 4, 150, 50),
    ("no fee", 600, 4, 150, 0),
    ("nothing reserved", 0, 4, 150, 0),
]


@pytest.mark.parametrize(
    ("reserved", "places", "reward", "fee"), [row[1:] for row in FEES], ids=[row[0] for row in FEES]
)
def test_the_fee_of_one_place(reserved: int, places: int, reward: int, fee: int) -> None:
    assert fee_share(reserved, places, reward) == fee


RECORDED = [
    ("the platform has recorded nothing", 30, [], [], False),
    ("it has recorded this amount", 30, [30], [], True),
    ("what it has recorded was an earlier payment", 30, [30], [30], False),
    ("it has recorded the amount twice, and one was an earlier payment", 30, [30, 30], [30], True),
    ("it has recorded another amount", 30, [60], [], False),
    ("it has not listed an earlier payment yet", 30, [], [30], False),
]


@pytest.mark.parametrize(
    ("amount", "recorded", "known", "found"), [row[1:] for row in RECORDED], ids=[row[0] for row in RECORDED]
)
def test_a_payment_is_found_among_amounts(
    amount: int, recorded: list[int], known: list[int], found: bool
) -> None:
    assert is_recorded(amount, recorded, known) is found


STEPS = [
    ("found: it was paid", True, False, 5, NextStep.SETTLE),
    ("found after a refusal: the platform refused since it had paid", True, True, 5, NextStep.SETTLE),
    ("not found yet", False, False, 119, NextStep.WAIT),
    ("not found for two minutes", False, False, 120, NextStep.PAY_AGAIN),
    ("a refusal proves nothing before two minutes", False, True, 119, NextStep.WAIT),
    ("a refusal stands after two minutes", False, True, 120, NextStep.GIVE_UP),
]


@pytest.mark.parametrize(
    ("is_found", "was_refused", "seconds", "step"), [row[1:] for row in STEPS], ids=[row[0] for row in STEPS]
)
def test_what_follows_an_unknown_outcome(
    is_found: bool, was_refused: bool, seconds: int, step: NextStep
) -> None:
    attempted_at = NOW - timedelta(seconds=seconds)
    found = next_step(is_found=is_found, was_refused=was_refused, attempted_at=attempted_at, now=NOW)
    assert found is step


OWED = [
    OwedAmount(BOB, "bonus:x:1", 30),
    OwedAmount(ANN, "bonus:z:3", 30),
    OwedAmount(ANN, "reward:a:1", 150),
    OwedAmount(ANN, "bonus:y:1", 30),
    OwedAmount(ANN, "top_up:a:1", 20),
]


def test_a_platform_pays_rewards_by_one_call_and_the_rest_as_one_bonus() -> None:
    assert drafts(OWED, by_platform=True) == [
        Draft(ANN, PaymentKind.BONUS, 80, ("bonus:y:1", "bonus:z:3", "top_up:a:1")),
        Draft(ANN, PaymentKind.REWARD, 150, ("reward:a:1",)),
        Draft(BOB, PaymentKind.BONUS, 30, ("bonus:x:1",)),
    ]


def test_by_hand_each_person_gets_one_payment() -> None:
    assert drafts(OWED, by_platform=False) == [
        Draft(ANN, PaymentKind.REWARD, 230, ("bonus:y:1", "bonus:z:3", "reward:a:1", "top_up:a:1")),
        Draft(BOB, PaymentKind.BONUS, 30, ("bonus:x:1",)),
    ]


@pytest.mark.parametrize(
    ("submissions", "places", "is_time"), [(4, 20, False), (5, 20, True), (2, 3, False), (3, 3, True)]
)
def test_low_pay_is_judged_after_five_submissions_or_all_places(
    submissions: int, places: int, is_time: bool
) -> None:
    assert is_time_to_judge(submissions, places) is is_time


def test_rates_are_read_by_currency() -> None:
    assert read_rates("GBP=900, USD=1200,EUR=1000") == {"GBP": 900, "USD": 1200, "EUR": 1000}
    assert read_rates("") == {}


@pytest.mark.parametrize(
    "text", ["GBP", "gbp=900", "GBP=9.00", "GBP=-1", "GBP=1,GBP=2", "POUND=1", "GBP=99999999"]
)
def test_unusable_rates_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no hourly rate"):
        read_rates(text)
