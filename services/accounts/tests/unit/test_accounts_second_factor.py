"""Second factors: which codes count, and that each counts once."""

from datetime import UTC, datetime, timedelta

import pytest
from accounts.adapters.totp import new_recovery_code, step_of
from accounts.domain.errors import WrongCode
from accounts.domain.opaque import digest
from accounts.domain.second_factor import SecondFactor, normalised

RFC_SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
"""From appendix B of RFC 6238."""
AT = datetime.fromtimestamp(1111111109, UTC)
CODE, STEP = "081804", 37037036


def test_the_codes_are_those_of_rfc_6238() -> None:
    assert step_of(RFC_SECRET, CODE, AT) == STEP


@pytest.mark.parametrize(
    ("seconds", "step"),
    [(-60, None), (-30, STEP), (30, STEP), (60, None)],
)
def test_a_phone_may_be_half_a_minute_early_or_late(seconds: int, step: int | None) -> None:
    assert step_of(RFC_SECRET, CODE, AT + timedelta(seconds=seconds)) == step


@pytest.mark.parametrize("given", ["081 804", "081-804", "٠٨١٨٠٤", "０８１８０４"])
def test_a_code_counts_however_its_digits_are_typed(given: str) -> None:
    assert normalised(given) == CODE


@pytest.mark.parametrize("given", ["", "\x00", "\ud800", "²", "é" * 1000, "081805"])
def test_no_other_text_is_a_code(given: str) -> None:
    assert step_of(RFC_SECRET, normalised(given), AT) is None


def test_a_used_step_closes_itself_and_all_earlier_ones() -> None:
    used = SecondFactor(RFC_SECRET).after(STEP, b"")
    for step in (STEP, STEP - 1):
        with pytest.raises(WrongCode):
            used.after(step, b"")
    assert used.after(STEP + 1, b"").last_step == STEP + 1


def test_a_recovery_code_counts_once() -> None:
    code = new_recovery_code()
    typed = digest(normalised(code.lower().replace("-", " ")))
    factor = SecondFactor(RFC_SECRET, recovery_digests=frozenset({digest(normalised(code)), b"other"}))
    used = factor.after(None, typed)
    assert used.recovery_digests == {b"other"}
    with pytest.raises(WrongCode):
        used.after(None, typed)
