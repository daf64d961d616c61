"""Amounts of money, printed and typed."""

import pytest
from web.kit.money import minor_units, money, typed_amount

TYPED = [
    ("pence after a point", "1.50", "GBP", 150),
    ("pence after a comma", "1,50", "GBP", 150),
    ("one digit after the point", "1.5", "GBP", 150),
    ("whole pounds", "12", "GBP", 1200),
    ("nothing to pay", "0", "GBP", 0),
    ("a currency without minor units", "300", "JPY", 300),
    ("a currency with three decimals", "1.505", "KWD", 1505),
    ("more decimals than the currency has", "1.505", "GBP", None),
    ("grouped thousands are ambiguous", "1,500", "GBP", None),
    ("decimals where the currency has none", "1.5", "JPY", None),
    ("a negative amount", "-1", "GBP", None),
    ("a sign of a currency", "£1.50", "GBP", None),
    ("digits of another script", "١.٥٠", "GBP", None),
    ("more digits than any amount has", "1" * 5000, "GBP", None),
    ("nothing", "", "GBP", None),
]


@pytest.mark.parametrize(
    ("text", "currency", "minor"), [row[1:] for row in TYPED], ids=[row[0] for row in TYPED]
)
def test_typed_amounts(text: str, currency: str, minor: int | None) -> None:
    assert minor_units(text, currency) == minor


@pytest.mark.parametrize(
    ("minor", "currency", "shown", "typed"),
    [(150, "GBP", "£1.50", "1.50"), (123_456, "USD", "$1,234.56", "1234.56"), (300, "JPY", "¥300", "300")],
)
def test_amounts_are_printed_by_their_currency(minor: int, currency: str, shown: str, typed: str) -> None:
    assert money(minor, currency) == shown
    assert typed_amount(minor, currency) == typed
    assert minor_units(typed, currency) == minor
