"""Amounts of money: minor units as they are printed, and as people type them."""

import re
from decimal import Decimal

from babel.numbers import format_currency, get_currency_precision

from web.kit.language import locale

AMOUNT = re.compile(r"([0-9]{1,8})(?:[.,]([0-9]{1,4}))?")


def decimals(currency: str) -> int:
    """Return the number of digits after the point in amounts of a currency."""
    return get_currency_precision(currency)


def money(minor: int, currency: str) -> str:
    """Return an amount in the format of the reader's language, for example £1.50."""
    return str(format_currency(_major(minor, currency), currency, locale=locale()))


def typed_amount(minor: int, currency: str) -> str:
    """Return an amount as a person types it, for example 1.50."""
    return f"{_major(minor, currency):f}"


def minor_units(text: str, currency: str) -> int | None:
    """Return a typed amount in minor units; None if it is no amount of this currency.

    The point may be a comma. Grouped thousands are refused, since 1,500 means 1.5 in many languages.
    """
    found = AMOUNT.fullmatch(text)
    if found is None or len(found[2] or "") > decimals(currency):
        return None
    return int(found[1] + (found[2] or "").ljust(decimals(currency), "0"))


def _major(minor: int, currency: str) -> Decimal:
    return Decimal(minor).scaleb(-decimals(currency))
