"""Numbers and JSON in forms and cookies, which anybody may send with anything in them."""

import pytest
from web.kit.form import hidden_json, whole_number


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("0", 0),
        ("0012", 12),
        ("1234567", 1_234_567),
        *(
            (text, None)
            for text in ("", "12345678", "9" * 5_000, "-1", "+1", " 1", "1.0", "²", "١", "1e3", "x")
        ),
    ],
)
def test_a_whole_number_has_few_plain_digits(written: str, number: int | None) -> None:
    assert whole_number(written) == number


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ('{"a": [1, "ü"]}', {"a": [1, "ü"]}),
        *((text, None) for text in ("", "{", "[" * 100_000, "9" * 5_000, '"\\ud83d"', '{"\\ud83d": 1}')),
    ],
)
def test_hidden_json_is_a_value_that_a_page_can_hold(written: str, value: object) -> None:
    assert hidden_json(written) == value
