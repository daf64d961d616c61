"""Selection of the examples that people are asked about."""

from uuid import UUID

import pytest
from dynabench_common.identifiers import new_id
from validation.domain.selection import (
    LONGEST_WAITING_EVERY,
    Order,
    Priority,
    Selection,
    Validate,
    order_of_next,
    share_position,
)

EXAMPLE = UUID("0190d7c0-0000-7000-8000-000000000001")


@pytest.mark.parametrize(
    ("validate", "fooled", "margin", "wanted"),
    [
        # Fooling examples are always wanted.
        (Validate.FOOLING, True, 0.9, True),
        (Validate.UNCERTAIN, True, 0.9, True),
        (Validate.ALL, True, None, True),
        # The rest only where the task says so.
        (Validate.FOOLING, False, 0.01, False),
        (Validate.UNCERTAIN, False, 0.01, True),
        (Validate.UNCERTAIN, False, 0.2, False),
        (Validate.UNCERTAIN, False, None, False),
        (Validate.ALL, False, 0.9, True),
    ],
)
def test_wanted(validate: Validate, fooled: bool, margin: float | None, wanted: bool) -> None:
    selection = Selection(validate, sample=0.0, margin_below=0.2)
    assert selection.wants(EXAMPLE, fooled, margin) is wanted


def test_the_sample_is_the_same_each_time_and_of_the_right_size() -> None:
    selection = Selection(Validate.FOOLING, sample=0.25)
    ids = [new_id() for _ in range(4_000)]
    drawn = [example_id for example_id in ids if selection.wants(example_id, fooled=False, margin=None)]
    assert drawn == [e for e in ids if selection.wants(e, fooled=False, margin=None)]
    assert 800 < len(drawn) < 1_200


def test_a_larger_sample_holds_the_smaller_one() -> None:
    ids = [new_id() for _ in range(500)]
    small, large = Selection(Validate.FOOLING, 0.1), Selection(Validate.FOOLING, 0.3)
    assert all(large.wants(e, False, None) for e in ids if small.wants(e, False, None))


def test_a_sample_of_one_takes_all_and_of_zero_none() -> None:
    assert Selection(Validate.FOOLING, 1.0).wants(EXAMPLE, False, None)
    assert not Selection(Validate.FOOLING, 0.0).wants(EXAMPLE, False, None)
    assert 0 <= share_position(EXAMPLE) < 1


@pytest.mark.parametrize(
    ("fooled", "margin", "priority"),
    [(True, 0.01, Priority.FOOLING), (False, 0.01, Priority.UNCERTAIN), (False, 0.5, Priority.REST)],
)
def test_fooling_comes_before_uncertain_before_the_rest(
    fooled: bool, margin: float, priority: Priority
) -> None:
    assert Selection(Validate.UNCERTAIN, margin_below=0.1).priority(fooled, margin) is priority


def test_one_lease_in_ten_goes_to_the_longest_waiting() -> None:
    orders = [order_of_next(given) for given in range(3 * LONGEST_WAITING_EVERY)]
    turns = [number for number, order in enumerate(orders, start=1) if order is Order.LONGEST_WAITING]
    assert turns == [10, 20, 30]
