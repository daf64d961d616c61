"""The count of a context's unconfirmed examples as resolutions change."""

import pytest
from annotation.adapters.resolutions import change


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [(True, False, -1), (False, True, 1), (True, True, 0), (False, False, 0)],
)
def test_the_count_goes_down_where_an_example_fails_and_up_where_it_is_confirmed_again(
    before: bool, now: bool, expected: int
) -> None:
    assert change(before=before, now=now) == expected
