"""Codes of authenticator apps (TOTP, RFC 6238), by pyotp."""

import secrets
from base64 import b32encode
from datetime import datetime

import pyotp
from pyotp.utils import strings_equal

NAME = "Dynabench"
TOLERATED_STEPS = (0, -1, 1)
"""The clock of a phone may be half a minute early or late."""
RECOVERY_BYTES = 10


def new_app_secret() -> str:
    """Return a new secret for an app, in Base32."""
    return pyotp.random_base32()


def setup_uri(secret: str, user_name: str) -> str:
    """Return the address that a QR code shows to an app."""
    return pyotp.TOTP(secret).provisioning_uri(name=user_name, issuer_name=NAME)


def step_of(secret: str, code: str, now: datetime) -> int | None:
    """Return the step whose code this is; None for a wrong one."""
    totp = pyotp.TOTP(secret)
    steps = (totp.timecode(now) + each for each in TOLERATED_STEPS)
    return next((step for step in steps if strings_equal(totp.generate_otp(step), code)), None)


def new_recovery_code() -> str:
    """Return a random code of 80 bits, in groups to copy by hand."""
    text = b32encode(secrets.token_bytes(RECOVERY_BYTES)).decode()
    return "-".join(text[at : at + 4] for at in range(0, len(text), 4))
